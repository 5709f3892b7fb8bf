"""What is measured: the workloads, the micro programs, and their scales."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "workloads"


@dataclass(frozen=True)
class Workload:
    """A program whose recorded run is compared with its plain run.

    `small` is a scale at which it runs for about a tenth of a second: for warming up, and for tools that are too slow
    for the default scale.
    """

    name: str
    script: Path
    small: str
    include: tuple[str, ...] = ()
    needs: str | None = None


WORKLOADS = (
    Workload("fib", FOLDER / "fib.py", "28"),
    Workload("queens", FOLDER / "queens.py", "11"),
    Workload("msort", FOLDER / "msort.py", "6"),
    Workload("avl", FOLDER / "avl.py", "8000"),
    Workload("calc", FOLDER / "calc.py", "800"),
    Workload(
        "sqlparse",
        FOLDER / "sqlparse_work.py",
        "2",
        include=("sqlparse",),
        needs="sqlparse",
    ),
)

CONCAT = Workload("concat", FOLDER / "concat.py", "0.1")
WRITE_SIZE = Workload("write_size", FOLDER / "write_size.py", "0.01")
MEMORY = Workload("memory", FOLDER / "memory.py", "1000")
ASSERTS = Workload("asserts", FOLDER / "asserts.py", "100", needs="pytest")
MICROS = (CONCAT, WRITE_SIZE, MEMORY, ASSERTS)

NAMES = tuple(each.name for each in WORKLOADS + MICROS)
