"""What is measured: the workloads, the micro programs, and their scales."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "workloads"


@dataclass(frozen=True)
class Workload:
    """A program whose recorded run is compared with its plain run.

    `small` is a scale at which it runs for about a tenth of a second: for warming up, and for tools that are too slow
    for a longer run. `scales` are larger ones, ascending, to choose from so that it runs long enough.
    """

    name: str
    script: Path
    small: str
    scales: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    needs: str | None = None


def doubled(first: int) -> tuple[str, ...]:
    """Return a scale, and some more, each twice as large as the one before."""
    return tuple(str(first << i) for i in range(7))


WORKLOADS = (
    Workload("fib", FOLDER / "fib.py", "28", ("33", "34", "35", "36", "37", "38", "39")),
    Workload("queens", FOLDER / "queens.py", "11", ("12", "13", "14")),
    Workload("msort", FOLDER / "msort.py", "6", doubled(36)),
    Workload("avl", FOLDER / "avl.py", "8000", doubled(40_000)),
    Workload("calc", FOLDER / "calc.py", "800", doubled(4_500)),
    Workload(
        "sqlparse",
        FOLDER / "sqlparse_work.py",
        "2",
        doubled(14),
        include=("sqlparse",),
        needs="sqlparse",
    ),
)

CONCAT = Workload("concat", FOLDER / "concat.py", "0.1")
WRITE_SIZE = Workload("write_size", FOLDER / "write_size.py", "0.01")
MEMORY = Workload("memory", FOLDER / "memory.py", "1000")
ASSERTS = Workload("asserts", FOLDER / "asserts.py", "100", needs="pytest")
FOREIGN_SIZE = Workload("foreign_size", FOLDER / "foreign_size.py", "0.1")
MICROS = (CONCAT, WRITE_SIZE, FOREIGN_SIZE, MEMORY, ASSERTS)

NAMES = tuple(each.name for each in WORKLOADS + MICROS)
