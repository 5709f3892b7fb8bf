"""Whether two distinct objects hold the same.

Nothing of the program runs. An immutable object is only what it holds: replacing a tuple by one with the same elements
is not a change at all, and `Sameness.mark` is equal for both. Replacing a list by another one with the same elements is
a change of identity, which may matter later, but not of value; `Sameness.equal` detects that.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from wrongcall.events import Layout, Tag
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import SEQUENCES, Heap, ObjectState
from wrongcall.replay.literals import is_frozen_dict, is_partly_known, is_value_type
from wrongcall.trace.read.values import Clipped, Missing, Ref, TupleKey, Value, Values

MOST = 2000
"""Objects that lead to more others than this are not compared."""
_DEEPEST = 20
_FIXED = frozenset({Layout.TUPLE, Layout.FROZENSET, Layout.RANGE, Layout.SLICE, Layout.SCALAR})
_VALUE_PARTS = frozenset({"__value__", "start", "stop", "step", "__fields__"})
_BY_IDENTITY = frozenset(
    {Layout.OPAQUE, Layout.CLASS, Layout.FUNCTION, Layout.METHOD, Layout.MODULE, Layout.ACTIVATION}
)


class Sameness:
    """Compares what objects hold."""

    def __init__(self, heap: Heap, values: Values) -> None:
        self._heap = heap
        self._values = values

    # -- what cannot change ------------------------------------------------------------------------

    def mark(self, slot: Slot) -> Hashable:
        """Return a mark that is equal for slots that hold the same value."""
        if slot.tag == Tag.OBJ:
            return self._object_mark(slot.bits, 0)
        if Tag.STR <= slot.tag <= Tag.COMPLEX:
            return slot.tag, self._values.read(slot.tag, slot.bits)
        return slot.tag, slot.bits

    def _object_mark(self, oid: int, depth: int) -> Hashable:
        same: Hashable = (Tag.OBJ, oid)
        known = self._heap.contents(oid)
        is_instance = known.layout == Layout.INSTANCE
        is_dict = known.layout == Layout.DICT and is_frozen_dict(self._heap.object(oid).type)
        if depth > _DEEPEST or not (is_instance or is_dict or known.layout in _FIXED):
            return same
        if is_instance and not is_value_type(self._heap.object(oid).type):
            return same
        state = self._heap.state(oid)
        if not state.explored or not _whole(state):
            return same
        fixed = bool(state.attrs) if is_instance else set(state.attrs) <= _VALUE_PARTS
        values = [*state.attrs.values(), *state.items, *state.members]
        values += [value for entry in state.entries for value in entry] if is_dict else []
        if not fixed or any(isinstance(value, Missing) for value in values):
            return same
        if is_dict:
            return state.layout, state.type.id, self._entry_marks(state, depth + 1)
        inner = [self._value_mark(value, depth + 1) for value in values]
        parts = frozenset(inner) if state.layout == Layout.FROZENSET else tuple(inner)
        return state.layout, state.type.id, parts

    def _entry_marks(self, state: ObjectState, depth: int) -> Hashable:
        return frozenset(
            (self._value_mark(key, depth), self._value_mark(value, depth))
            for key, value in state.entries
        )

    def _value_mark(self, value: Value, depth: int) -> Hashable:
        if isinstance(value, Ref):
            return self._object_mark(value.oid, depth)
        return type(value).__name__, repr(value) if isinstance(value, float | complex) else value

    def is_fixed(self, value: Value) -> bool:
        """Return whether neither a value nor anything it holds can change."""
        return not isinstance(value, Ref) or self._object_mark(value.oid, 0) != (Tag.OBJ, value.oid)

    # -- what can ----------------------------------------------------------------------------------

    def equal(self, old: Value, before: int, new: Value, after: int) -> bool:
        """Return whether one object held at a time what another one holds at a later time."""
        pairs = [(old, new)]
        partner: dict[int, int] = {}
        while pairs:
            one, other = pairs.pop()
            if not isinstance(one, Ref) or not isinstance(other, Ref):
                if not _equal_atoms(one, other):
                    return False
                continue
            if one == other or partner.get(one.oid) == other.oid:
                continue
            if one.oid in partner or len(partner) > MOST:
                return False
            partner[one.oid] = other.oid
            left, right = self._state(one.oid, before), self._state(other.oid, after)
            held = _paired(left, right)
            if held is None or self._members(left) != self._members(right):
                return False
            pairs.extend(held)
        return True

    def compare(self, one: Value, time: int, other: Value, other_time: int) -> bool | None:
        """Return whether a value at a time held what another one held at another time; None: it is not known.

        The same object is compared, too: it may have changed in between.
        """
        pairs, seen, unknown = [(one, other)], set[tuple[int, int]](), False
        while pairs:
            left, right = pairs.pop()
            if not isinstance(left, Ref) or not isinstance(right, Ref):
                found = _compared_atoms(left, right)
            elif (left.oid, right.oid) in seen:
                continue
            elif len(seen) > MOST:
                return None
            else:
                seen.add((left.oid, right.oid))
                states = self._state(left.oid, time), self._state(right.oid, other_time)
                found = self._compared(*states, pairs)
            if found is False:
                return False
            unknown |= found is None
        return None if unknown else True

    def _compared(
        self, one: ObjectState, other: ObjectState, pairs: list[tuple[Value, Value]]
    ) -> bool | None:
        """Compare two objects but for what they hold in the same places, which is added to ``pairs``."""
        if (one.layout, one.type.id) != (other.layout, other.type.id):
            return False
        if one.layout in _BY_IDENTITY:
            is_same = one.oid == other.oid
            return is_same if one.layout != Layout.OPAQUE else None
        if not (one.explored and other.explored) or is_partly_known(one) or is_partly_known(other):
            return None
        counts = [(s.length, len(s.entries), len(s.members), s.attrs.keys()) for s in (one, other)]
        if counts[0] != counts[1]:
            return False
        if not (_whole(one) and _whole(other)):
            return None
        pairs += [(value, other.attrs[name]) for name, value in one.attrs.items()]
        pairs += zip(one.items, other.items, strict=True)
        return self._compared_keys(one, other, pairs)

    def _compared_keys(
        self, one: ObjectState, other: ObjectState, pairs: list[tuple[Value, Value]]
    ) -> bool | None:
        """Compare the keys of dicts and the members of sets, in any order."""
        entries = [{self._value_mark(k, 0): v for k, v in s.entries} for s in (one, other)]
        if entries[0].keys() == entries[1].keys() and self._members(one) == self._members(other):
            pairs += [(value, entries[1][key]) for key, value in entries[0].items()]
            return True
        held = [*(key for key, _ in (*one.entries, *other.entries)), *one.members, *other.members]
        return False if all(map(self.is_fixed, held)) else None

    def _members(self, state: ObjectState) -> set[Hashable]:
        return {self._value_mark(member, 0) for member in state.members}

    def _state(self, oid: int, time: int) -> ObjectState:
        return self._heap.state(oid, self._heap.known_by(oid, time))


def _equal_atoms(one: Value, other: Value) -> bool:
    unknown = (Missing, Clipped, TupleKey)
    if isinstance(one, unknown) or isinstance(other, unknown):
        return False
    if isinstance(one, float | complex):
        return repr(one) == repr(other)
    return type(one) is type(other) and one == other


def _compared_atoms(one: Value, other: Value) -> bool | None:
    unknown = (Missing, Clipped, TupleKey)
    if isinstance(one, unknown) or isinstance(other, unknown):
        return None
    return _equal_atoms(one, other)


def _paired(one: ObjectState, other: ObjectState) -> list[tuple[Value, Value]] | None:
    """Pair what two objects hold in the same places, or return None if they are not alike."""
    if one.layout in _BY_IDENTITY or not one.explored or not other.explored:
        return None
    if is_partly_known(one):
        return None
    alike = (one.layout, one.type.id) == (other.layout, other.type.id)
    counts = [(len(s.items), len(s.entries), len(s.members), s.attrs.keys()) for s in (one, other)]
    if not alike or counts[0] != counts[1] or not (_whole(one) and _whole(other)):
        return None
    return list(_held(one, other))


def _whole(state: ObjectState) -> bool:
    """Return whether all elements of a sequence are known."""
    return state.layout not in SEQUENCES or len(state.items) >= state.length


def _held(one: ObjectState, other: ObjectState) -> Iterator[tuple[Value, Value]]:
    yield from ((value, other.attrs[name]) for name, value in one.attrs.items())
    yield from zip(one.items, other.items, strict=True)
    for (key, value), (same, its) in zip(one.entries, other.entries, strict=True):
        yield key, same
        yield value, its
