"""What a call changed: everything that outlives it and is different at its exit.

An object counts if the program knew it when the call began; what was made meanwhile is part of
what was returned, or of what it was put into. Which objects were written to is read off the
events of the call's span; what they held before and after is compared, so a change that was
taken back is none. Where others run meanwhile (other threads, the consumer of a generator), only
places that the call itself wrote to count, except in lists whose elements it shifted.

Vocabulary: an object is *reached* by the shortest path from an argument, a global or closure
variable that the call read, or what it returned: through objects that the call touched, else through
any that are near. Objects that no such path reaches are named by their type and id. A global
variable is an attribute of its module.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from wrongcall.events import Kind, Layout, Tag
from wrongcall.trace.call import Call
from wrongcall.trace.changes import Change, ChangeKind, compare, same
from wrongcall.trace.elements import Slot, elements
from wrongcall.trace.heap import Heap
from wrongcall.trace.inputs import Input
from wrongcall.trace.insides import Insides
from wrongcall.trace.loading import Loading
from wrongcall.trace.paths import Member, Path, Step
from wrongcall.trace.reaching import references
from wrongcall.trace.records import OBJECT_KINDS, Ints, kind_table, obj_ids
from wrongcall.trace.replay import Attr, Entry, Item, Row, rows_of
from wrongcall.trace.sameness import Sameness
from wrongcall.trace.segment import SEGMENT_EVENTS
from wrongcall.trace.spans import Spans
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNSET, Ref, Value, Values
from wrongcall.trace.variables import Variables
from wrongcall.trace.writes import read_slot
from wrongcall.trace.writings import Writings

_RUNS = (Kind.PATCH, Kind.SPLICE)
_OBJECTS = kind_table(OBJECT_KINDS)
REACH = 32
"""So many objects are looked at to find out how what was changed is reached."""
TOUCHED_REACH = 1000
"""So many, if they are among those that the call touched: then there is a reason to look at them."""


@dataclass(frozen=True)
class Changed:
    """An object that is different after a call."""

    oid: int
    path: Path | None
    """How it is reached; None: not from the input or the result, or not within `REACH`."""
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Rebound:
    """A variable of an enclosing call that is different after a call."""

    owner: int
    change: Change


@dataclass(frozen=True)
class Effect:
    """Everything that a call changed between ``before`` and ``after``."""

    before: int
    after: int
    objects: tuple[Changed, ...]
    variables: tuple[Rebound, ...]
    inside: tuple[Changed, ...] = ()
    """What changed inside libraries (see `insides`): no part of the question."""

    def __bool__(self) -> bool:
        return bool(self.objects or self.variables)


class Effects:
    """Finds the effects of calls."""

    def __init__(
        self, store: Store, values: Values, heap: Heap, variables: Variables, spans: Spans
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._spans = spans
        self._writings = Writings(store, spans)
        self.sameness = Sameness(heap, values)
        self._loading = Loading(store, heap)
        self.insides = Insides(store, heap, values, self._loading)

    def of(self, call: Call, given: Input, until: Call | None = None) -> Effect:
        """Return the effect of a call whose input is known; or of all up to a later sibling."""
        end = until or call
        before, after = given.time, max(call.last, end.last)
        shared = self._spans.shared(call.id)
        written = self._writings.of(call.id, before, end.id)
        changes: dict[int, list[Change]] = {}
        inside: list[Changed] = []
        loaded = dict(self._loading.objects(before, after))
        for oid in [*written.objects, *loaded]:
            if oid not in loaded and self._heap.rewritten(oid, before, after):
                continue
            found = self._compared(oid, loaded.get(oid, before), after, oid in written.shifted)
            if shared and oid not in written.shifted:
                own = self._own_places(call.id, oid, before, end.id)
                found = [change for change in found if change.place in own]
            found, hidden = self.insides.divide(oid, found, before, after)
            if found:
                changes[oid] = found
            if hidden:
                inside.append(Changed(oid, None, tuple(hidden)))
        paths = self._paths(call.id, given, end.value, (before, after), set(changes))
        objects = [Changed(oid, paths.get(oid), tuple(found)) for oid, found in changes.items()]
        objects.sort(key=_order)
        rebound = tuple(self._rebound(written.variables, before, after))
        return Effect(before, after, tuple(objects), rebound, tuple(inside))

    def _own_places(self, call: int, oid: int, before: int, until: int) -> set[Step]:
        """Return the places of an object that a call, or one below it, wrote to."""
        found: set[Step] = set()
        for number, where in self._spans.parts(call, until):
            where = where[where > before - number * SEGMENT_EVENTS]
            where = where[self._objects(number, where) == oid]
            times = where + number * SEGMENT_EVENTS
            rows = rows_of(self._store.segments.at(times))
            found.update(step for row in rows for step in self._steps(row))
        return found

    def _steps(self, row: Row) -> Iterator[Step]:
        if row.kind in (Kind.ATTR, Kind.ATTR_DEL):
            yield Attr(self._store.program.names[row.key])
        elif row.kind in _RUNS:
            data = self._values.content_of(row.vtag, row.value).data
            _, run = elements(data, row.ktag, row.time)
            yield from (Item(row.key + i) for i in range(len(run)))
        elif Kind.ITEM <= row.kind <= Kind.REMOVE:
            yield Item(row.key)
        elif Kind.ENTRY <= row.kind <= Kind.MEMBER_DEL:
            key = self._values.read(row.ktag, row.key)
            yield from (Entry(key), Member(key))

    def _objects(self, number: int, where: Ints) -> Ints:
        fields = self._store.segments.fields
        return obj_ids({name: fields(number, name, where) for name in ("obj", "hi")})

    def _compared(self, oid: int, before: int, after: int, aligned: bool) -> list[Change]:
        known = self._heap.known_by(oid, before)
        old, new = self._heap.contents(oid, known), self._heap.contents(oid, max(after, known))
        if not old.explored:
            return []  # nothing is known of what it held, so nothing of what changed
        found = compare(old, new, self._values, self.sameness, aligned=aligned)
        return [self._told(change, before, after) for change in found]

    def _told(self, change: Change, before: int, after: int) -> Change:
        """Return a change that says whether it is only one of identity."""
        if change.kind != ChangeKind.CHANGED or not isinstance(change.new, Ref):
            return change
        return replace(change, equal=self.sameness.equal(change.old, before, change.new, after))

    def _rebound(
        self, names: Iterable[tuple[int, str]], before: int, after: int
    ) -> Iterator[Rebound]:
        for owner, name in names:
            old = self._variables.slot(owner, name, before)
            new = self._variables.slot(owner, name, after)
            if (old is None) != (new is None) or not _both_same(old, new, self.sameness):
                values = (read_slot(self._values, old), read_slot(self._values, new))
                change = Change(_kind(*values), Attr(name), *values)
                yield Rebound(owner, self._told(change, before, after))

    # -- how objects are reached -------------------------------------------------------------------

    def _paths(
        self, call: int, given: Input, result: Value, span: tuple[int, int], wanted: set[int]
    ) -> dict[int, Path]:
        """Return the shortest paths to objects, as things were before, else as they are after."""
        before, after = span
        modules = {read.oid: Path(read.module) for read in given.globals if read.oid in wanted}
        missing = {oid for oid in wanted if oid not in modules}
        for oid in list(missing):
            if self._heap.contents(oid, before).layout == Layout.MODULE:
                name = self._heap.value(oid, Attr("__name__"), after)
                modules[oid] = Path(name if isinstance(name, str) else "module")
                missing.discard(oid)
        touched = self._touched(call) if missing else set()
        late = [*_roots(given), (Path("result"), result)]
        paths: dict[int, Path] = {}
        for roots, time in ((_roots(given), before), (late, after)):
            paths |= self._search(roots, time, missing - paths.keys(), touched)
            paths |= self._search(roots, time, missing - paths.keys(), None)
        return modules | paths

    def _touched(self, call: int) -> set[int]:
        """Return the objects that the events of a call's span name; empty if it is long."""
        first, last = self._spans.span(call)
        if last - first > SEGMENT_EVENTS:
            return set()
        events = self._store.segments.events(first, last + 1)
        values = events["value"][events["vtag"] == Tag.OBJ]
        objects = obj_ids(events)[_OBJECTS[events["kind"]]]
        return {*values.tolist(), *objects.tolist()}

    def _search(
        self,
        roots: Iterable[tuple[Path, Value]],
        time: int,
        wanted: set[int],
        among: set[int] | None,
    ) -> dict[int, Path]:
        """Go breadth first from the roots until all that is wanted is reached.

        Among what the call touched the way may be long; among everything only what is near is
        looked at.
        """
        found: dict[int, Path] = {}
        seen: set[int] = set()
        queue = deque((path, value.oid) for path, value in roots if isinstance(value, Ref))
        most = REACH if among is None else TOUCHED_REACH
        while queue and len(found) < len(wanted) and len(seen) < most:
            path, oid = queue.popleft()
            if oid in seen:
                continue
            seen.add(oid)
            if oid in wanted:
                found[oid] = path
            state = self._heap.state(oid, self._heap.known_by(oid, time))
            next_ones = (
                pair for pair in references(state) if among is None or pair[1].oid in among
            )
            queue.extend((path.to(step), ref.oid) for step, ref in next_ones)
        return found


def _roots(given: Input) -> list[tuple[Path, Value]]:
    return [
        *((Path(passed.name), passed.value) for passed in given.args),
        *((Path(name), value) for name, _, value in given.closure),
        *((Path(read.name), read.value) for read in given.globals),
    ]


def _order(changed: Changed) -> tuple[bool, int]:
    return changed.path is None, changed.oid


def _both_same(old: Slot | None, new: Slot | None, sameness: Sameness) -> bool:
    return old is None or new is None or same(old, new, sameness)


def _kind(old: Value, new: Value) -> ChangeKind:
    if old is UNSET:
        return ChangeKind.ADDED
    return ChangeKind.REMOVED if new is UNSET else ChangeKind.CHANGED
