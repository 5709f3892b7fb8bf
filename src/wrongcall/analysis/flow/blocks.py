"""Map events to the blocks of their functions, for whole columns of events.

An event at a site belongs to the block of the site, if that block is one of the function. An event without a site,
known only by its line, belongs to the test of a loop if the line holds nothing else: nothing else might show that the
test was evaluated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.events import NO_BLOCK, SITE_LINE, Kind, Scope
from wrongcall.trace.format.event_records import Bools, Bytes, Ints, kind_table
from wrongcall.trace.format.program_tables import Function, Program

_ENDS = kind_table({Kind.RAISE, Kind.DROP})
_BEGINS = kind_table({Kind.LOCAL, Kind.BLOCK})
_BEGINS_GLOBALLY = kind_table({Kind.ATTR, Kind.ENTRY})


class BlockTable:
    """The blocks of all functions of a program known so far."""

    def __init__(self, program: Program) -> None:
        self._columns = program.columns
        self._begin = np.zeros(self._columns.size, dtype=np.bool_)
        self._begin_global = self._begin.copy()
        tests: dict[int, int] = {}
        for function in program.functions.values():
            found = (program.sites.get(flow.begin) for flow in function.flow if flow.begin)
            for site in found:
                if site is not None:  # `d |= x` leaves more events there, though of other kinds
                    is_global = site.scope == Scope.GLOBAL
                    (self._begin_global if is_global else self._begin)[site.id] = True
            tests.update(_tests(function))
        self._keys = np.array(sorted(tests), dtype=np.int64)
        self._blocks = np.array([tests[key] for key in sorted(tests)], dtype=np.int64)

    def of(self, function: npt.NDArray[Any] | int, kind: Bytes, site: npt.NDArray[Any]) -> Ints:
        """Return the blocks of events of calls of functions, or `NO_BLOCK` where unknown."""
        known = self._columns.known(site)
        inside = (self._columns.function[known] == function) & ~_ENDS[kind]
        found = np.where(inside, self._columns.block[known], NO_BLOCK).astype(np.int64)
        where = np.flatnonzero(site >= SITE_LINE)
        if len(where) and len(self._keys):
            owner = function if isinstance(function, int) else function[where]
            keys = np.int64(owner) << 32 | (site[where].astype(np.int64) ^ SITE_LINE)
            places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            found[where] = np.where(self._keys[places] == keys, self._blocks[places], found[where])
        return found

    def begins(self, kind: Bytes, site: npt.NDArray[Any]) -> Bools:
        """Return which events begin a round of a loop."""
        known = self._columns.known(site)
        found: Bools = _BEGINS[kind] & self._begin[known]
        found |= _BEGINS_GLOBALLY[kind] & self._begin_global[known]
        return found


def _tests(function: Function) -> dict[int, int]:
    """Return the tests of loops by function and line, where the line holds nothing else."""
    found: dict[int, int] = {}
    other: set[int] = set()
    for number, lines in enumerate(function.blocks):
        for line in lines:
            key = function.id << 32 | line
            if function.flow[number].silent and key not in found:
                found[key] = number
            else:
                other.add(key)
    return {key: number for key, number in found.items() if key not in other}
