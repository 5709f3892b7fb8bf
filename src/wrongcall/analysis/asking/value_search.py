"""Search all values that were written or returned, by a condition on ``value``.

Most values are atoms, and most atoms occur again and again: a condition is evaluated once for each different one.
Objects are looked at as they were at that time. If the condition is equality with an atom, whole columns are ruled out
first: no object is equal to one, except those of subclasses of numbers and texts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from wrongcall.analysis.asking.answers import Answers
from wrongcall.analysis.asking.snapshot import Snapshot
from wrongcall.errors import NotKnownError
from wrongcall.events import Kind, Layout, Tag
from wrongcall.languages.python.asked.expression import ERRORS, Expression
from wrongcall.trace.format.event_records import Bools, Columns, Ints, kind_table, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values

VALUE = "value"
"""The name that stands for what was written or returned."""
WRITES = kind_table({Kind.LOCAL, Kind.ATTR, Kind.ITEM, Kind.INSERT, Kind.ENTRY})
RETURNS = kind_table({Kind.RETURN})
_TEXTS = (Tag.STR, Tag.CHAR, *range(Tag.STR_INLINE, Tag.STR_INLINE + 9))
_NUMBERS = (Tag.INT, Tag.FLOAT, Tag.CONST, Tag.BIGINT, Tag.COMPLEX)
_BYTES = (Tag.BYTES, *range(Tag.BYTES_INLINE, Tag.BYTES_INLINE + 9))


class _One:
    """A scope in which one name has a value."""

    def __init__(self) -> None:
        self.value: Any = None

    def lookup(self, name: str) -> object:
        """Return the value."""
        if name != VALUE:
            raise KeyError(name)
        return self.value


class ValueSearch:
    """Finds events whose values satisfy a condition."""

    def __init__(self, store: Store, values: Values, answers: Answers) -> None:
        self._store = store
        self._values = values
        self._answers = answers

    def times(self, condition: Expression, kinds: Bools, newest: bool = False) -> Iterator[Ints]:
        """Iterate over the times of matching events of some kinds, segment by segment, in order of time.

        ``newest``: the other way round.
        """
        steps = self.steps(condition, kinds, newest)
        return (times for times, _ in steps if len(times))

    def steps(
        self, condition: Expression, kinds: Bools, newest: bool = False
    ) -> Iterator[tuple[Ints, float]]:
        """Iterate over the same for every segment, with the share that has been searched, from 0 to 1."""
        scope, snapshot = _One(), self._answers.snapshot()
        known: dict[tuple[int, int], bool] = {}
        tags = _possible(condition)
        count = len(self._store.segments.index.count)
        scalars = self._scalars() if tags is not None else None
        for done, number in enumerate(range(count)[:: -1 if newest else 1], start=1):
            columns = self._store.segments.once(number, ("kind", "vtag", "value"))
            where = np.flatnonzero(kinds[columns["kind"]])
            where = where[_may_match(condition, tags, columns, where, scalars)]
            tag, bits = columns["vtag"][where], columns["value"][where]
            times = where + number * SEGMENT_EVENTS
            found = self._matching(condition, scope, snapshot, known, tag, bits, times)
            yield times[found][:: -1 if newest else 1], done / count

    def _matching(
        self,
        condition: Expression,
        scope: _One,
        snapshot: Snapshot,
        known: dict[tuple[int, int], bool],
        tag: Ints,
        bits: Ints,
        times: Ints,
    ) -> Bools:
        is_object = tag == Tag.OBJ
        found = np.zeros(len(tag), np.bool_)
        atoms = np.flatnonzero(~is_object)
        for one in np.unique(tag[atoms]).tolist():
            mine = atoms[tag[atoms] == one]
            different, which = np.unique(bits[mine], return_inverse=True)
            holds = []
            for each in different.tolist():
                if (one, each) not in known:
                    scope.value = snapshot.value(self._values.read(one, each))
                    known[one, each] = _holds(condition, scope)
                holds.append(known[one, each])
            found[mine] = np.array(holds)[which]
        for row in np.flatnonzero(is_object).tolist():
            snapshot.move(int(times[row]))
            scope.value = snapshot.found(int(bits[row]))
            found[row] = _holds(condition, scope)
        return found

    def _scalars(self) -> Ints:
        """Return the objects of subclasses of numbers and texts, which may equal an atom."""
        found = [np.empty(0, np.int64)]
        for part in self._store.segments.select_parts({Kind.OBJ}):
            chosen = part.events[part.events["ktag"] == Layout.SCALAR]
            found.append(obj_ids(chosen))
        return np.sort(np.concatenate(found))


def _holds(condition: Expression, scope: _One) -> bool:
    try:
        return bool(condition.value(scope))
    except (NotKnownError, *ERRORS):
        return False


def _possible(condition: Expression) -> Bools | None:
    """Return the tags of values that may equal the atom of a condition; None if it is not such a condition."""
    if condition.equals is None:
        return None
    atom = condition.equals[1]
    if isinstance(atom, str):
        return kind_table(_TEXTS)
    if isinstance(atom, bytes):
        return kind_table(_BYTES)
    return kind_table(_NUMBERS) if isinstance(atom, int | float | complex | None) else None


def _may_match(
    condition: Expression,
    tags: Bools | None,
    columns: Columns,
    where: Ints,
    scalars: Ints | None,
) -> Bools:
    """Return which values are not ruled out by their tags and bits alone."""
    if tags is None or condition.equals is None or scalars is None:
        return np.ones(len(where), np.bool_)
    tag, bits = columns["vtag"][where], columns["value"][where]
    chosen: Bools = tags[tag]
    atom = condition.equals[1]
    if isinstance(atom, int | float) and not isinstance(atom, bool):
        small = isinstance(atom, float) or -(1 << 63) <= atom < 1 << 63
        whole = int(atom) if small and atom == atom and abs(atom) < 1 << 63 else None
        chosen &= (tag != Tag.INT) | (bits == (whole if whole is not None else 0))
        chosen &= (tag != Tag.FLOAT) | _same_float(bits, atom)
    if len(scalars):
        places = np.minimum(np.searchsorted(scalars, bits), len(scalars) - 1)
        chosen |= (tag == Tag.OBJ) & (scalars[places] == bits)
    return chosen


def _same_float(bits: Ints, atom: float) -> Bools:
    try:
        number = float(atom)
    except OverflowError:
        return np.zeros(len(bits), np.bool_)
    wanted = [struct.unpack("<q", struct.pack("<d", each))[0] for each in (number, -number)]
    return np.isin(bits, wanted)
