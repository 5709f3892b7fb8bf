"""Queries about calls: all of them as columns, or one as a view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wrongcall.replay.call import Call
from wrongcall.trace.read.call_table import Calls, CallTable
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values


class CallQueries:
    """Reads calls; they are numbered from 1."""

    def __init__(self, store: Store, values: Values, table: CallTable) -> None:
        self._store = store
        self._values = values
        self._table = table
        self._roots: tuple[int, list[int]] = (-1, [])
        """The length of the snapshot, and the calls without a parent in it."""
        self._columns: tuple[int, Calls] | None = None
        """The length of the snapshot, and all its calls, if anybody asked for them."""

    @property
    def count(self) -> int:
        """How many calls there are."""
        reached = self._store.segments.reached_calls
        return int(reached[-1]) if len(reached) else 0

    def get(self, number: int) -> Call:
        """Return the view of one call."""
        self._table.begun(number)
        return Call(number, self._store, self._values, self._table)

    def columns(self) -> Calls:
        """Return all calls as columns."""
        self._columns = self._store.segments.event_count, self._table.columns()
        return self._columns[1]

    def roots(self) -> list[Call]:
        """Return the calls that no recorded call made: modules, threads."""
        now = self._store.segments.event_count
        if self._roots[0] != now:
            self._roots = now, self._find_roots(now)
        return [self.get(number) for number in self._roots[1]]

    def _find_roots(self, now: int) -> list[int]:
        """Return the roots; from the columns if there are any: looking through the tables of all segments is slow."""
        if self._columns is None or self._columns[0] != now:
            return list(self._table.children(0).tolist())
        calls = self._columns[1]
        return list(calls.id[calls.parent == 0].tolist())

    def of_functions(self, functions: Iterable[int], below: int = 0) -> Iterator[int]:
        """Iterate over the calls to these functions, in order; ``below``: only those below this call."""
        return self._table.of_functions(set(functions), below)
