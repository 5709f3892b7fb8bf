"""``wrongcall export``: the recording as Parquet files, for DuckDB, Spark and notebooks."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wrongcall.cli.output import Output
from wrongcall.cli.progress import readable_size
from wrongcall.cli.reading import Commands, add_command
from wrongcall.errors import UsageError
from wrongcall.recording import TABLES, Recording

if TYPE_CHECKING:
    import pyarrow

_NUMBERS = ("int", "float", "bool")


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands, "export", "write calls, variables, writes and output as Parquet files", show
    )
    parser.add_argument(
        "--parquet",
        required=True,
        metavar="DIR",
        type=Path,
        help="the folder to write to; earlier tables in it are replaced",
    )


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Write the files, and say how large they are."""
    written = export_parquet(recording, args.parquet)
    if args.json:
        files = [{"path": str(path), "rows": rows} for path, rows in written.items()]
        output.json({"files": files})
        return
    for path, rows in written.items():
        size = readable_size(path.stat().st_size)
        output.line((f"{rows:>12,} rows  ", "number"), str(path), (f"  {size}", "quiet"))


def export_parquet(recording: Recording, folder: Path) -> dict[Path, int]:
    """Write every table to a file in a folder; return the files with the numbers of their rows."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - only this command needs it, and it is large
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError as exc:
        raise UsageError("Parquet needs pyarrow; try: pip install 'wrongcall[parquet]'") from exc
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = {}
        for name in TABLES:
            path = folder / f"{name}.parquet"
            written[path] = _write(recording, name, path, pa, parquet)
        return written
    except OSError as exc:
        raise UsageError(f"can't write to {folder}: {exc.strerror or exc}") from exc


def _write(recording: Recording, name: str, path: Path, pa: Any, parquet: Any) -> int:
    rows, writer, unfinished = 0, None, path.with_suffix(".unfinished")
    for part in recording.tables.parts(name):
        table = _table(part, pa)
        rows += table.num_rows
        if writer is None:
            writer = parquet.ParquetWriter(unfinished, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is not None:
        writer.close()
        unfinished.replace(path)
    return rows


def _table(part: dict[str, Any], pa: Any) -> pyarrow.Table:
    """Return columns as a table; what a value does not have is null."""
    columns = {}
    for name, column in part.items():
        if column.dtype == object:
            columns[name] = pa.array(column, pa.string())
        elif name == "integer":
            kinds = part["type"]
            known = np.isin(kinds.astype(str), ("int", "bool")) & ~_is_long(part)
            columns[name] = pa.array(column, mask=~known)
        elif name == "number":
            is_number = np.isin(part["type"].astype(str), _NUMBERS)
            columns[name] = pa.array(column, mask=~is_number | _is_long(part))
        elif name in ("exit", "index"):
            columns[name] = pa.array(column, mask=column < 0)
        else:
            columns[name] = pa.array(column)
    return pa.table(columns)


def _is_long(part: dict[str, Any]) -> Any:
    """Return which values are integers of more than 64 bits: only their texts are known."""
    has_text = np.array([text is not None for text in part["text"]], dtype=np.bool_)
    return has_text & (part["type"] == "int").astype(np.bool_)
