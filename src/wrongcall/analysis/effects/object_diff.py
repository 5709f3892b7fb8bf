"""What is different about an object between two times.

Vocabulary: a *change* of an object is a place whose value *changed*, that was *added* or *removed*, or an element that
*moved* to another index. Values are compared as written: the same number, the same text, the same object (whatever
happened inside it is that object's own change), or an immutable object that holds the same (`sameness`). Where another
object with the same contents takes its place, the change is marked: it is one of identity, not of value.

The best way to show a list's changes depends on how it was changed. If elements were only stored over, as in an array,
each index with a different value has changed. If elements were inserted or removed, the old list and the new one are
aligned: what stayed in order is not a change, and what is found elsewhere has moved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import compress, count, islice
from operator import is_not
from typing import NamedTuple, TypeVar

import numpy as np

from wrongcall.events import Tag
from wrongcall.languages.paths import Member, PathStep
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.replay.items import UNKNOWN_TAG, Items
from wrongcall.replay.object_replay import Replay
from wrongcall.replay.sameness import Sameness
from wrongcall.replay.writes import read_slot
from wrongcall.trace.read.places import Attr, Entry, Item
from wrongcall.trace.read.values import UNSET, Value, Values

MAX_CHANGES = 1000
"""Changes of one object that are listed; the others are counted."""
_ALIGNABLE = 4000
"""Longer differing stretches are compared index by index: aligning takes quadratic time."""

T = TypeVar("T")


class ChangeKind(Enum):
    """What happened to a place."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


class Run(NamedTuple):
    """Writes to a place without other writers in between: the values before and after.

    The values are as of the times before the first and after the last write.
    """

    old: Value
    new: Value
    before: int
    after: int


@dataclass(frozen=True)
class Change:
    """One difference; ``place`` is where it is now, or where it was if it was removed."""

    kind: ChangeKind
    place: PathStep
    old: Value = UNSET
    new: Value = UNSET
    origin: PathStep | None = None
    """For an element that moved: its earlier place."""
    equal: bool = False
    """The new value is another object that holds the same."""
    runs: tuple[Run, ...] = ()
    """If others wrote to the place in between: each run on its own; else empty."""


class Difference(NamedTuple):
    """What is different about an object."""

    changes: list[Change]
    """The first ones, at most `MAX_CHANGES`."""
    unlisted: int = 0
    """How many more there are."""


def compare(
    before: Replay, after: Replay, values: Values, sameness: Sameness, *, aligned: bool
) -> Difference:
    """Return the differences of an object, attributes first, then contents in order."""
    found = _Listing()
    differing = _differing(_attrs(before), _attrs(after), sameness)
    found.add(differing, lambda each: each.change(Attr(str(each.key)), values))
    most = max(len(before.items), len(after.items))
    items: tuple[Sequence[Slot], Sequence[Slot]] = (before.items, after.items)
    if not aligned:
        items = (_with_unknown(before, most), _with_unknown(after, most))
    if any(isinstance(each, Items) for each in items) and _is_indexed(*items, sameness, aligned):
        found.add_some(_indexed(*items, values, sameness), _count_indexed(*items, sameness))
    else:
        found.add(compare_items(*items, values, sameness, aligned=aligned), _made)
    differing = _differing(before.entries, after.entries, sameness)
    found.add(differing, lambda each: each.change(Entry(each.key), values))
    found.add(_members(before, after), _made)
    return found.difference()


class _Listing:
    """Lists changes, and counts those that are too many."""

    def __init__(self) -> None:
        self._changes: list[Change] = []
        self._count = 0

    def add(self, differences: Iterator[T], change: Callable[[T], Change]) -> None:
        """Add differences, which are found one by one; only those that are listed become changes."""
        self.add_some(map(change, islice(differences, MAX_CHANGES - len(self._changes))), 0)
        self._count += sum(1 for _ in differences)

    def add_some(self, changes: Iterator[Change], count: int) -> None:
        """Add the first of some changes, whose number is known: the others are not made."""
        room = MAX_CHANGES - len(self._changes)
        listed = list(islice(changes, room))
        self._changes += listed
        self._count += max(count, len(listed))

    def difference(self) -> Difference:
        """Return what was added."""
        return Difference(self._changes, self._count - len(self._changes))


def _members(before: Replay, after: Replay) -> Iterator[Change]:
    gone = before.members.keys() - after.members.keys()
    for mark, (member, _) in before.members.items():
        if mark in gone:
            yield Change(ChangeKind.REMOVED, Member(member), old=member)
    for mark, (member, _) in after.members.items():
        if mark not in before.members:
            yield Change(ChangeKind.ADDED, Member(member), new=member)


def _is_indexed(
    old: Sequence[Slot], new: Sequence[Slot], sameness: Sameness, aligned: bool
) -> bool:
    """Return whether sequences are compared index by index: no elements moved, or too many may have."""
    if not aligned:
        return True
    begin = _common(old, new, sameness)
    end = _common_end(old, new, begin, sameness)
    return max(len(old), len(new)) - begin - end > _ALIGNABLE


def _count_indexed(old: Sequence[Slot], new: Sequence[Slot], sameness: Sameness) -> int:
    """Return how many changes `_indexed` finds."""
    one, other = _as_items(old), _as_items(new)
    where = one.differing(other)
    was, now = one.tags(where), other.tags(where)
    unsure = (was == now) & (was >= Tag.OBJ) & (was <= Tag.COMPLEX)
    count = int(np.count_nonzero(~unsure & (now != UNKNOWN_TAG)))
    count += sum(not same(one[i], other[i], sameness) for i in where[unsure].tolist())
    return count + abs(len(old) - len(new))


def _as_items(slots: Sequence[Slot]) -> Items:
    return slots if isinstance(slots, Items) else Items(slots)


def compare_items(
    before: Sequence[Slot],
    after: Sequence[Slot],
    values: Values,
    sameness: Sameness,
    *,
    aligned: bool,
) -> Iterator[Change]:
    """Iterate over the differences of a sequence; ``aligned``: elements were moved."""
    comparing = _aligned if aligned else _indexed
    return comparing(before, after, values, sameness)


def kind_of_change(old: Value, new: Value) -> ChangeKind:
    """Return what happened to a place that held one value and then another."""
    if old is UNSET and new is not UNSET:
        return ChangeKind.ADDED
    return ChangeKind.REMOVED if new is UNSET and old is not UNSET else ChangeKind.CHANGED


def _with_unknown(replay: Replay, most: int) -> Sequence[Slot]:
    """Return the items, padded at the end with unknown ones, up to ``most`` in all."""
    missing = min(replay.length, most) - len(replay.items)
    if missing <= 0:
        return replay.items
    padded = [*replay.items, *[UNKNOWN_SLOT] * missing]
    return Items(padded) if isinstance(replay.items, Items) else padded


def same(old: Slot, new: Slot, sameness: Sameness) -> bool:
    """Return whether two slots hold the same value; the same text may be stored twice."""
    if old.tag != new.tag:
        return False
    if old.bits == new.bits:
        return True
    has_more = Tag.OBJ <= old.tag <= Tag.COMPLEX  # bits are the id of an object or a content
    return has_more and sameness.mark(old) == sameness.mark(new)


class _Differing(NamedTuple):
    """A place that differs; a slot is None where there is none."""

    key: Value
    old: Slot | None
    new: Slot | None

    def change(self, place: PathStep, values: Values) -> Change:
        kind = ChangeKind.CHANGED
        if self.old is None or self.new is None:
            kind = ChangeKind.ADDED if self.old is None else ChangeKind.REMOVED
        return Change(kind, place, read_slot(values, self.old), read_slot(values, self.new))


def _made(change: Change) -> Change:
    return change


Keyed = Mapping[Hashable, tuple[Value, Slot]]


def _attrs(replay: Replay) -> Keyed:
    return {name: (name, slot) for name, slot in replay.named_attrs()}


def _differing(before: Keyed, after: Keyed, sameness: Sameness) -> Iterator[_Differing]:
    for mark, (key, new) in after.items():
        known = before.get(mark)
        if known is None:
            yield _Differing(key, None, new)
        elif not same(known[1], new, sameness):
            yield _Differing(key, known[1], new)
    for mark, (key, old) in before.items():
        if mark not in after:
            yield _Differing(key, old, None)


def _indexed(
    old: Sequence[Slot], new: Sequence[Slot], values: Values, sameness: Sameness
) -> Iterator[Change]:
    for i, was, now in _candidates(old, new):
        if now != UNKNOWN_SLOT and not same(was, now, sameness):
            pair = (read_slot(values, was), read_slot(values, now))
            yield Change(ChangeKind.CHANGED, Item(i), *pair)
    for i in range(len(old), len(new)):
        yield Change(ChangeKind.ADDED, Item(i), new=read_slot(values, new[i]))
    for i in range(len(new), len(old)):
        yield Change(ChangeKind.REMOVED, Item(i), old=read_slot(values, old[i]))


def _candidates(old: Sequence[Slot], new: Sequence[Slot]) -> Iterable[tuple[int, Slot, Slot]]:
    """Iterate over pairs of elements that may differ, with their indices; identical ones do not."""
    if not isinstance(old, Items) and not isinstance(new, Items):
        differing = compress(count(), map(is_not, old, new))
        return ((i, old[i], new[i]) for i in differing)
    one, other = _as_items(old), _as_items(new)
    return ((i, one[i], other[i]) for i in one.differing(other).tolist())


def _aligned(
    old: Sequence[Slot], new: Sequence[Slot], values: Values, sameness: Sameness
) -> Iterator[Change]:
    """Compare two lists whose elements were moved."""
    begin = _common(old, new, sameness)
    end = _common_end(old, new, begin, sameness)
    if max(len(old), len(new)) - begin - end > _ALIGNABLE:
        yield from _indexed(old, new, values, sameness)
        return
    removed = list(range(begin, len(old) - end))
    added = list(range(begin, len(new) - end))
    keep = _kept_in_order([old[i] for i in removed], [new[i] for i in added], sameness)
    kept_old = {begin + i for i, _ in keep}
    kept_new = {begin + j for _, j in keep}
    removed = [i for i in removed if i not in kept_old]
    added = [j for j in added if j not in kept_new]
    yield from _paired(old, new, removed, added, values, sameness)


def _common(old: Sequence[Slot], new: Sequence[Slot], sameness: Sameness) -> int:
    for i, was, now in _candidates(old, new):
        if not same(was, now, sameness):
            return i
    return min(len(old), len(new))


def _common_end(old: Sequence[Slot], new: Sequence[Slot], begin: int, sameness: Sameness) -> int:
    """Return how many elements at the end are the same, of those after a common beginning."""
    most = min(len(old), len(new)) - begin
    for kept in range(most):
        was, now = old[len(old) - 1 - kept], new[len(new) - 1 - kept]
        if was is not now and not same(was, now, sameness):
            return kept
    return most


def _kept_in_order(
    old: Sequence[Slot], new: Sequence[Slot], sameness: Sameness
) -> list[tuple[int, int]]:
    """Return pairs of indices of elements that stayed, in order."""
    matcher = SequenceMatcher(None, _marks(old, sameness), _marks(new, sameness), autojunk=False)
    blocks = matcher.get_matching_blocks()
    return [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]


def _marks(slots: Sequence[Slot], sameness: Sameness) -> list[Hashable]:
    """Return a mark for each element that is equal for equal elements."""
    return [sameness.mark(slot) for slot in slots]


def _paired(
    old: Sequence[Slot],
    new: Sequence[Slot],
    removed: list[int],
    added: list[int],
    values: Values,
    sameness: Sameness,
) -> Iterator[Change]:
    """Classify what is left after aligning: moved if it is on both sides, else removed or added."""
    waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, mark in zip(removed, _marks([old[i] for i in removed], sameness), strict=True):
        waiting[mark].append(i)
    gone = set(removed)
    for j, mark in zip(added, _marks([new[j] for j in added], sameness), strict=True):
        value = read_slot(values, new[j])
        if waiting[mark]:
            i = waiting[mark].pop(0)
            gone.discard(i)
            yield Change(ChangeKind.MOVED, Item(j), value, value, Item(i))
        else:
            yield Change(ChangeKind.ADDED, Item(j), new=value)
    for i in sorted(gone):
        yield Change(ChangeKind.REMOVED, Item(i), old=read_slot(values, old[i]))
