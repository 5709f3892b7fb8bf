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
        return self._table.columns()

    def roots(self) -> list[Call]:
        """Return the calls that no recorded call made: modules, threads."""
        return [self.get(number) for number in self._table.children(0).tolist()]

    def of_functions(self, functions: Iterable[int], below: int = 0) -> Iterator[int]:
        """Iterate over the calls to these functions, in order; ``below``: only those below this call."""
        return self._table.of_functions(set(functions), below)
