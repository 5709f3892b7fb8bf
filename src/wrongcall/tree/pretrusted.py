"""Calls that are trusted from the start, and asked about only on request.

*Definitions* are the bodies of modules and classes. One that ended normally has bound its names, and little else can be
said about it; one that raised is asked about like any other call. The program's own module, ``__main__``, is not a
definition: it is the whole program.

*Reporting* calls are methods such as ``__repr__`` that no recorded call made: a logger, the printing of a traceback or
a test framework called them to describe what had already happened.

*Test code* is what checks the program: tests, fixtures and their helpers, if the run is one of tests.

The callees of a pretrusted call stay suspects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import Flags

DEFINITIONS = frozenset({"module", "class"})
DESCRIBING = frozenset(
    {"__repr__", "__str__", "__format__", "__bytes__", "__hash__", "__eq__", "__bool__", "__len__"}
)
"""Methods that describe or compare an object."""
PROGRAM = "__main__"
_RETURNED = 1
"""The outcome of a call that ended normally."""


class PretrustedColumns(Protocol):
    """The calls of a trace, as far as needed here; a parent of 0 means none."""

    @property
    def parent(self) -> npt.NDArray[np.int64]: ...
    @property
    def function(self) -> npt.NDArray[np.int32]: ...
    @property
    def outcome(self) -> npt.NDArray[np.uint8]: ...


class ProgramTables(Protocol):
    """The text of the program, as the trace describes it."""

    @property
    def functions(self) -> Mapping[int, Any]:
        """The functions, by number; each has a name, a kind and a file."""

    @property
    def files(self) -> Mapping[int, Any]:
        """The files, by number; each has a module."""


def pretrusted_calls(
    program: ProgramTables, calls: PretrustedColumns, *, definitions: bool
) -> Flags:
    """Return which calls are pretrusted, in the order of the columns; ``definitions``: include those."""
    describing = (f for f, known in program.functions.items() if known.name in DESCRIBING)
    found: Flags = calls_of(describing, calls.function) & (calls.parent == 0)
    if definitions:
        bodies = (f for f in program.functions if is_definition(program, f))
        found |= calls_of(bodies, calls.function) & (calls.outcome == _RETURNED)
    return found


def is_definition(program: ProgramTables, function: int) -> bool:
    """Return whether a function is the body of a class, or of a module other than the program's own."""
    known = program.functions[function]
    is_program = known.kind == "module" and program.files[known.file].module == PROGRAM
    return known.kind in DEFINITIONS and not is_program


def is_reporting(call: Any) -> bool:
    """Return whether a call was made to describe an object, and not by a recorded call."""
    return call.parent is None and call.function.name in DESCRIBING


def calls_of(functions: Iterable[int], column: npt.NDArray[np.int32]) -> Flags:
    """Return which calls are to some functions, by the column of the functions that were called."""
    table = np.zeros(int(column.max(initial=0)) + 1, dtype=np.bool_)
    table[[number for number in functions if number < len(table)]] = True
    chosen: Flags = table[column]
    return chosen
