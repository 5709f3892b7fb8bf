"""The tables of the workloads: time, then size and memory."""

from __future__ import annotations

from collections.abc import Sequence

from results import (
    DISK_BAR,
    DRAIN_BAR,
    DRAIN_MB_BAR,
    GEOMEAN_BAR,
    MEMORY_EXTRA_MB,
    MEMORY_FACTOR,
    RING_BAR,
    TREE_BAR,
    WALL_BAR,
    WORKLOAD_BAR,
    Failure,
    Result,
    means,
    verdict,
)
from tables import Row, Table

Outcome = Result | Failure


def measured(outcomes: Sequence[Outcome]) -> list[Result]:
    return [each for each in outcomes if isinstance(each, Result)]


def time_table(version: str, outcomes: Sequence[Outcome]) -> Table:
    """Show CPU and wall time of the recorded program against the plain one."""
    header = (
        "workload",
        "scale",
        "plain s",
        "recorded s",
        "ratio",
        "spread",
        "with drain",
        "drain ns/event",
        "wall",
        "verdict",
    )
    rows = [_time_row(each) for each in outcomes]
    if measured(outcomes):
        rows.append(_mean_row(outcomes))
    bars = (
        f"Bars: geometric means <= {GEOMEAN_BAR:g}, with drain {TREE_BAR:g}, wall {WALL_BAR:g}; "
        f"no workload > {WORKLOAD_BAR:g}; drain <= {DRAIN_BAR:g} ns per event."
    )
    notes = (bars, *failure_notes(outcomes))
    return Table(f"Python {version}: time", header, tuple(rows), notes)


def _mean_row(outcomes: Sequence[Outcome]) -> Row:
    results = measured(outcomes)
    mean = means(results)
    result = verdict(mean.misses())
    if len(results) < len(outcomes):
        result = "incomplete"
    ratios = (f"{mean.ratio:.2f}", "", f"{mean.tree_ratio:.2f}", "", f"{mean.wall_ratio:.2f}")
    return ("geometric mean", "", "", "", *ratios, result)


def _time_row(outcome: Outcome) -> Row:
    if isinstance(outcome, Failure):
        return _failed_row(outcome, 10)
    low, high = outcome.spread
    return (
        outcome.name,
        outcome.scale,
        f"{outcome.plain_cpu:.3f}",
        f"{outcome.program_cpu:.3f}",
        f"{outcome.ratio:.2f}",
        f"{low:.2f}-{high:.2f}",
        f"{outcome.tree_ratio:.2f}",
        f"{outcome.drain_ns_per_event:.0f}",
        f"{outcome.wall_ratio:.2f}",
        verdict(outcome.time_misses()),
    )


def size_table(version: str, outcomes: Sequence[Outcome]) -> Table:
    """Show how much was recorded, and what memory the program needed."""
    header = (
        "workload",
        "M events",
        "M events/s",
        "ring B/event",
        "disk B/event",
        "waited s",
        "plain MB",
        "recorded MB",
        "drain MB",
        "verdict",
    )
    rows = tuple(_size_row(each) for each in outcomes)
    note = (
        f"Bars: ring <= {RING_BAR:g} and disk <= {DISK_BAR:g} bytes per event, "
        f"memory <= {MEMORY_FACTOR:g} x plain + {MEMORY_EXTRA_MB:g} MB, "
        f"of the drain {DRAIN_MB_BAR:g} MB."
    )
    return Table(f"Python {version}: size and memory", header, rows, (note,))


def _size_row(outcome: Outcome) -> Row:
    if isinstance(outcome, Failure):
        return _failed_row(outcome, 10)
    return (
        outcome.name,
        f"{outcome.events / 1e6:.2f}",
        f"{outcome.events_per_second / 1e6:.2f}",
        f"{outcome.ring_bytes_per_event:.1f}",
        f"{outcome.disk_bytes_per_event:.2f}",
        f"{outcome.wait_seconds:.3f}",
        f"{outcome.plain_mb:.0f}",
        f"{outcome.program_mb:.0f}",
        f"{outcome.drain_mb:.0f}",
        verdict(outcome.size_misses()),
    )


def _failed_row(failure: Failure, width: int) -> Row:
    return (failure.name, *["-"] * (width - 2), "failed")


def failure_notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the reason for each workload that failed."""
    return [f"{each.name} failed: {each.reason}" for each in outcomes if isinstance(each, Failure)]


def all_kept(outcomes: Sequence[Outcome]) -> bool:
    """Return whether everything was measured and every bar met."""
    results = measured(outcomes)
    misses = [each.time_misses() + each.size_misses() for each in results]
    kept = len(results) == len(outcomes) and not any(misses)
    return kept and (not results or not means(results).misses())
