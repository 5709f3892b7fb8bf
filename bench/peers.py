"""Other recorders of values, on the same workloads at their small scale.

A *peer* writes arguments, results or variables of the program to a file, as the recorder does. Peers are slow enough to
need a limit on time, memory and file size; a run stopped by the clock gives a lower bound. To add another peer, write
the function that returns its command and add it to PEERS.
"""

from __future__ import annotations

import re
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from catalogue import Workload
from commands import plain_command
from machine import package_version
from measure import BenchError, Limits, last_line, run, run_plain, run_recorded
from tables import Row, Table

LIMIT_S = 60.0
"""Seconds by the clock after which a run of a peer is stopped, unless told otherwise."""
MOST_MEMORY = 8 * 2**30
MOST_ON_DISK = 4 * 2**30
PLAIN_RUNS = 5
PEER_RUNS = 3
# Seconds after which a single run is enough: noise is small against such a ratio.
SLOW_RUN = 6.0
VIZTRACER_ENTRIES = 5_000_000
PYSNOOPER_DRIVER = Path(__file__).resolve().parent / "peer_pysnooper.py"


@dataclass(frozen=True)
class Peer:
    """A tool, and how to call it, given the plain command and a folder to write in."""

    label: str
    package: str
    command: Callable[[Sequence[str], Path], list[str]]
    if_missing: str = ""
    """Why it may not be installed."""
    lost: str = ""
    """A pattern for the number of events that it says it has lost."""


def viztracer_command(plain: Sequence[str], folder: Path) -> list[str]:
    python, *program = plain
    options = ["--quiet", "--log_func_args", "--log_func_retval"]
    options += ["--tracer_entries", str(VIZTRACER_ENTRIES)]
    options += ["-o", str(folder / "result.json")]
    return [python, "-m", "viztracer", *options, "--", *program]


def pysnooper_command(plain: Sequence[str], folder: Path) -> list[str]:
    python, *program = plain
    return [python, str(PYSNOOPER_DRIVER), str(folder / "log.txt"), *program]


def kolo_command(plain: Sequence[str], folder: Path) -> list[str]:
    python, *program = plain
    return ["env", f"KOLO_PATH={folder}", python, "-m", "kolo", "run", *program]


def pyttd_command(plain: Sequence[str], folder: Path) -> list[str]:
    python, script, *arguments = plain
    options = ["--db-path", str(folder / "trace.db")]
    return [python, "-m", "pyttd", "record", *options, script, "--args", *arguments]


def codetracer_command(plain: Sequence[str], folder: Path) -> list[str]:
    python, *program = plain
    options = ["--trace-dir", str(folder)]
    return [python, "-m", "codetracer_python_recorder", *options, *program]


PEERS = (
    Peer("arguments, results", "viztracer", viztracer_command),
    Peer("calls, values", "kolo", kolo_command),
    Peer(
        "lines, values",
        "py-tt-debug",
        pyttd_command,
        if_missing="It needs Python 3.12.",
        lost=r"'dropped_frames': (\d+)",
    ),
    Peer(
        "lines, values",
        "codetracer-python-recorder",
        codetracer_command,
        if_missing="Release 0.3.0 has no wheels; building it needs Rust packages from crates.io.",
    ),
    Peer("lines", "PySnooper", pysnooper_command),
)


def peer_table(
    python: str,
    version: str,
    workloads: Sequence[Workload],
    progress: Callable[[str], None],
    seconds: float = LIMIT_S,
) -> Table:
    """Compare the recorder and its peers, stopped after some seconds, on the workloads at small scale."""
    limits = Limits(seconds=seconds, memory=MOST_MEMORY, file_size=MOST_ON_DISK)
    baselines = [_baseline(python, each) for each in workloads]
    rows: list[Row] = list(_recorder_rows(python, baselines))
    notes = [
        (
            "CPU time against the plain run at a scale of about a tenth of a second. Start-up of "
            "the tool is included, and so is writing its file, as in the row with drain. "
            f">: stopped after {seconds:.0f} s."
        ),
    ]
    for peer in PEERS:
        release = package_version(python, peer.package)
        if release is None:
            notes.append(
                f"{peer.package} is not installed in this interpreter. {peer.if_missing}".strip()
            )
            continue
        progress(f"{version} {peer.package}")
        cells, failures = _peer_cells(python, peer, baselines, limits)
        rows.append((f"{peer.package} {release}, {peer.label}", *cells))
        notes += failures
    header = ("tool", *(each.name for each in workloads))
    return Table(f"Python {version}: peers", header, tuple(rows), tuple(notes))


@dataclass(frozen=True)
class _Baseline:
    """A workload at its small scale, with the cost and the output of its plain run."""

    workload: Workload
    cpu: float
    output: str


def _baseline(python: str, workload: Workload) -> _Baseline:
    runs = [run_plain(python, workload, [workload.small]) for _ in range(PLAIN_RUNS)]
    cpu = statistics.median(each.cpu for each in runs)
    return _Baseline(workload, cpu, runs[0].output.strip())


def _recorder_rows(python: str, baselines: Sequence[_Baseline]) -> tuple[Row, Row]:
    """Return the recorder's own rows: the program alone, and with the drain."""
    program, tree = ["wrongcall, program"], ["wrongcall, with drain"]
    for baseline in baselines:
        scale = [baseline.workload.small]
        try:
            runs = [run_recorded(python, baseline.workload, scale) for _ in range(PEER_RUNS)]
        except BenchError:
            program.append("fails")
            tree.append("fails")
            continue
        program.append(_times([each.stats.program_cpu for each in runs], baseline))
        tree.append(_times([each.tree.cpu for each in runs], baseline))
    return tuple(program), tuple(tree)


def _peer_cells(
    python: str, peer: Peer, baselines: Sequence[_Baseline], limits: Limits
) -> tuple[list[str], list[str]]:
    """Return a peer's cell for each workload, and the reasons for failures."""
    cells, failures = [], []
    for baseline in baselines:
        try:
            cell, lost = _peer_cell(python, peer, baseline, limits)
            cells.append(cell)
            if lost:
                failures.append(f"{peer.package} lost {lost:,} events of {baseline.workload.name}.")
        except BenchError as exc:
            cells.append("fails")
            failures.append(f"{peer.package} fails on {baseline.workload.name}: {exc}")
    return cells, failures


def _peer_cell(python: str, peer: Peer, baseline: _Baseline, limits: Limits) -> tuple[str, int]:
    """Return a peer's cell for a workload, and how many events it says it has lost."""
    plain = plain_command(python, baseline.workload, [baseline.workload.small])
    cpu: list[float] = []
    lost = 0
    while len(cpu) < PEER_RUNS:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            result = run(peer.command(plain, Path(folder)), limits)
        if result.timed_out:
            return "> " + _times([result.cpu], baseline), 0
        if result.status != 0:
            raise BenchError(f"exit status {result.status}: {last_line(result.errors)}")
        if baseline.output not in result.output:
            raise BenchError(f"the program printed {last_line(result.output)!r}")
        found = re.search(peer.lost, result.output) if peer.lost else None
        lost = max(lost, int(found[1])) if found else lost
        cpu.append(result.cpu)
        if result.wall > SLOW_RUN:
            break
    return _times(cpu, baseline), lost


def _times(cpu: Sequence[float], baseline: _Baseline) -> str:
    ratio = statistics.median(cpu) / baseline.cpu
    return f"{ratio:.1f}x" if ratio < 10 else f"{ratio:,.0f}x"
