"""Runs of different lengths: what grows with the number of events.

One workload that holds the same amount of memory however long it runs is recorded at scales that give about as many
events as wanted. The memory of both processes must not grow with them, nor what an event costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalogue import WORKLOADS
from measure import BenchError, Limits, RecordedRun, run_recorded
from results import DRAIN_MB_BAR, missed, verdict
from tables import Row, Table

STEADY = next(each for each in WORKLOADS if each.name == "msort")
"""Its lists die after each round, and its scale is the number of rounds."""

GROWTH_BAR = 1.25
"""Memory of the program and time per event, compared with the shortest run."""

LIMITS = Limits(seconds=3600.0)


@dataclass(frozen=True)
class LengthReport:
    """The table of lengths, and whether its bars were met."""

    table: Table
    kept: bool


def measure_lengths(
    python: str, version: str, millions: Sequence[int], progress: Callable[[str], None]
) -> LengthReport:
    """Record one run of each length, given in millions of events."""
    small = run_recorded(python, STEADY, [STEADY.small])
    smaller = run_recorded(python, STEADY, [str(int(STEADY.small) // 2)])
    rounds = int(STEADY.small) - int(STEADY.small) // 2
    per_round = (small.stats.events - smaller.stats.events) / rounds
    runs = []
    for length in sorted(millions):
        progress(f"{version} {length} M events")
        scale = max(1, round(length * 1e6 / per_round))
        try:
            runs.append(run_recorded(python, STEADY, [str(scale)], LIMITS))
        except BenchError as exc:
            raise BenchError(f"a run of {length} M events: {exc}") from exc
    rows = [_row(each, runs[0]) for each in runs]
    header = (
        *("M events", "program s", "drain s", "wall s", "drain ns/event", "disk B/event"),
        *("waited s", "program MB", "drain MB", "verdict"),
    )
    note = (
        f"Bars: memory of the drain <= {DRAIN_MB_BAR:g} MB; memory of the program and CPU time per "
        f"event <= {GROWTH_BAR:g} x those of the shortest run."
    )
    table = Table(f"Python {version}: length of {STEADY.name}", header, tuple(rows), (note,))
    return LengthReport(table, all(not _misses(each, runs[0]) for each in runs))


def _row(run: RecordedRun, first: RecordedRun) -> Row:
    stats = run.stats
    return (
        f"{stats.events / 1e6:,.1f}",
        f"{stats.program_cpu:.1f}",
        f"{stats.drain_cpu:.1f}",
        f"{stats.wall:.1f}",
        f"{stats.drain_cpu / stats.events * 1e9:.0f}",
        f"{stats.file_bytes / stats.events:.2f}",
        f"{stats.wait_seconds:.1f}",
        f"{stats.program_max_rss_kb / 1024:.0f}",
        f"{stats.drain_max_rss_kb / 1024:.0f}",
        verdict(_misses(run, first)),
    )


def _misses(run: RecordedRun, first: RecordedRun) -> list[str]:
    return missed(
        [
            ("drain MB", run.stats.drain_max_rss_kb / 1024, DRAIN_MB_BAR),
            (
                "program MB",
                run.stats.program_max_rss_kb / 1024,
                first.stats.program_max_rss_kb / 1024 * GROWTH_BAR,
            ),
            ("ns/event", _ns_per_event(run), _ns_per_event(first) * GROWTH_BAR),
        ]
    )


def _ns_per_event(run: RecordedRun) -> float:
    """CPU time of both processes."""
    return (run.stats.program_cpu + run.stats.drain_cpu) / run.stats.events * 1e9
