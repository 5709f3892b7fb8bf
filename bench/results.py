"""Results of the runs of a workload: ratios, sizes, and the bars.

A *bar* is a figure the recorder promises to stay within. Ratios compare medians; the spread is that of the ratios of
neighbouring runs.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from measure import RecordedRun, Run

GEOMEAN_BAR = 2.8
"""Of the CPU time of the program."""
WORKLOAD_BAR = 4.5
TREE_BAR = 6.0
"""Of the CPU time of both processes, as a geometric mean."""
WALL_BAR = 4.0
DRAIN_BAR = 60.0
"""Nanoseconds per event."""
RING_BAR = 40.0
DISK_BAR = 2.5
MEMORY_FACTOR = 1.5
MEMORY_EXTRA_MB = 96.0
DRAIN_MB_BAR = 200.0


@dataclass(frozen=True)
class Failure:
    """A workload that could not be measured."""

    name: str
    reason: str


@dataclass(frozen=True)
class Result:
    """The runs of one workload on one interpreter, in the order they were made."""

    name: str
    plain: tuple[Run, ...]
    recorded: tuple[RecordedRun, ...]
    scale: str = ""
    """As the program was given it; empty: its own default."""

    @property
    def plain_cpu(self) -> float:
        return statistics.median(run.cpu for run in self.plain)

    @property
    def program_cpu(self) -> float:
        return statistics.median(run.stats.program_cpu for run in self.recorded)

    @property
    def ratio(self) -> float:
        """CPU time of the recorded program to that of the plain one."""
        return self.program_cpu / self.plain_cpu

    @property
    def spread(self) -> tuple[float, float]:
        ratios = [
            recorded.stats.program_cpu / plain.cpu
            for plain, recorded in zip(self.plain, self.recorded, strict=True)
        ]
        return min(ratios), max(ratios)

    @property
    def tree_ratio(self) -> float:
        """CPU time of the record command, drain included, to the plain program's."""
        tree = statistics.median(run.tree.cpu for run in self.recorded)
        return tree / self.plain_cpu

    @property
    def wall_ratio(self) -> float:
        recorded = statistics.median(run.tree.wall for run in self.recorded)
        return recorded / statistics.median(run.wall for run in self.plain)

    @property
    def events(self) -> int:
        return round(statistics.median(run.stats.events for run in self.recorded))

    @property
    def events_per_second(self) -> float:
        """Events per second of CPU time of the recorded program."""
        return self.events / self.program_cpu

    @property
    def ring_bytes_per_event(self) -> float:
        return self._per_event([run.stats.ring_bytes for run in self.recorded])

    @property
    def disk_bytes_per_event(self) -> float:
        return self._per_event([run.stats.file_bytes for run in self.recorded])

    def _per_event(self, sizes: Sequence[float]) -> float:
        return statistics.median(sizes) / max(self.events, 1)

    @property
    def drain_ns_per_event(self) -> float:
        """Processor time of the process that writes the trace, its start included."""
        return self._per_event([run.stats.drain_cpu for run in self.recorded]) * 1e9

    @property
    def drain_mb(self) -> float:
        """Peak memory of that process."""
        return statistics.median(run.stats.drain_max_rss_kb for run in self.recorded) / 1024

    @property
    def wait_seconds(self) -> float:
        """How long the program waited for room in the ring."""
        return statistics.median(run.stats.wait_seconds for run in self.recorded)

    @property
    def plain_mb(self) -> float:
        return statistics.median(run.max_rss_kb for run in self.plain) / 1024

    @property
    def program_mb(self) -> float:
        sizes = [run.stats.program_max_rss_kb for run in self.recorded]
        return statistics.median(sizes) / 1024

    @property
    def allowed_mb(self) -> float:
        return MEMORY_FACTOR * self.plain_mb + MEMORY_EXTRA_MB

    def time_misses(self) -> list[str]:
        return missed(
            [
                ("CPU", self.ratio, WORKLOAD_BAR),
                ("drain", self.drain_ns_per_event, DRAIN_BAR),
            ]
        )

    def size_misses(self) -> list[str]:
        return missed(
            [
                ("ring", self.ring_bytes_per_event, RING_BAR),
                ("disk", self.disk_bytes_per_event, DISK_BAR),
                ("MB", self.program_mb, self.allowed_mb),
                ("drain MB", self.drain_mb, DRAIN_MB_BAR),
            ]
        )


def missed(bars: Sequence[tuple[str, float, float]]) -> list[str]:
    """Return a few words for each bar (name, value, limit) that is missed."""
    return [f"{name} > {limit:.3g}" for name, value, limit in bars if value > limit]


def verdict(misses: Sequence[str]) -> str:
    return ", ".join(misses) if misses else "ok"


@dataclass(frozen=True)
class Means:
    """Geometric means over workloads."""

    ratio: float
    tree_ratio: float
    wall_ratio: float

    def misses(self) -> list[str]:
        return missed(
            [
                ("mean", self.ratio, GEOMEAN_BAR),
                ("with drain", self.tree_ratio, TREE_BAR),
                ("wall", self.wall_ratio, WALL_BAR),
            ]
        )


def means(results: Sequence[Result]) -> Means:
    """Return the geometric means of the ratios."""
    mean = statistics.geometric_mean
    return Means(
        mean([each.ratio for each in results]),
        mean([each.tree_ratio for each in results]),
        mean([each.wall_ratio for each in results]),
    )
