"""A notebook as a program: its code cells, one after the other, in a file that Python can run.

Lines that only IPython understands (``%magic``, ``!command``, ``name?``) become comments, and so do cells in another
language (``%%bash``); a cell magic that runs the cell's Python code (``%%time``) loses its first line only. Nothing is
displayed: an expression at the end of a cell is evaluated, no more.

The file is in the folder ``.wrongcall/notebooks`` beside the notebook, so that tracebacks and questions can show it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wrongcall.errors import UsageError

SUFFIX = ".ipynb"
FOLDER = Path(".wrongcall", "notebooks")
OF_PYTHON = ("capture", "prun", "time", "timeit", "wrongcall")
"""Cell magics whose cell is Python."""


def is_notebook(path: str) -> bool:
    """Return whether a program is a notebook, by its name."""
    return path.endswith(SUFFIX) and Path(path).is_file()


def program_from(notebook: Path) -> Path:
    """Write the program of a notebook; return its path."""
    text = program_text(notebook)
    path = notebook.resolve().parent / FOLDER / f"{notebook.stem}.py"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"can't write the program of {notebook}: {exc}") from exc
    return path


def program_text(notebook: Path) -> str:
    """Return the program of a notebook."""
    cells = _code_cells(notebook)
    parts = [f"# In [{number}]\n{_plain(source)}" for number, source in enumerate(cells, 1)]
    return "\n\n".join(parts) + "\n"


def _code_cells(notebook: Path) -> list[str]:
    try:
        content: Any = json.loads(notebook.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise UsageError(f"can't read the notebook {notebook}: {exc}") from exc
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise UsageError(f"{notebook} is not a notebook of format 4; save it again with Jupyter")
    language = _language(content)
    if language != "python":
        raise UsageError(f"{notebook} is a notebook of {language}; wrongcall records Python")
    return [_source(cell, notebook) for cell in cells if _is_code(cell)]


def _language(content: dict[str, Any]) -> str:
    metadata = content.get("metadata")
    info = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = info.get("name", "python") if isinstance(info, dict) else "python"
    return "python" if name in ("python", "ipython") else str(name)


def _is_code(cell: object) -> bool:
    return isinstance(cell, dict) and cell.get("cell_type") == "code"


def _source(cell: dict[str, object], notebook: Path) -> str:
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    if isinstance(source, str):
        return source
    raise UsageError(f"{notebook} has a cell without source; save it again with Jupyter")


def _plain(source: str) -> str:
    """Return the source of a cell as Python, with the same number of lines."""
    lines = source.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and _magic(first) not in OF_PYTHON:
        return "\n".join(f"# {line}" for line in lines)
    return "\n".join(_line(line) for line in lines)


def _magic(line: str) -> str:
    words = line[2:].split()
    return words[0] if words else ""


def _line(line: str) -> str:
    bare = line.strip()
    only_ipython = bare.startswith(("%", "!", "?")) or (
        bare.endswith("?") and not bare.startswith("#")
    )
    if not only_ipython:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}pass  # {bare}"
