"""The effect of a call: everything that outlives it and is different at its exit.

An object counts if the program knew it when the call began; an object made during the call is part of what was
returned, or of what it was put into. Which objects were written to follows from the events of the call's span. Their
contents before and after are compared, so a change that was undone does not count. Where others run in the meantime
(other threads and tasks, the consumer of a generator), what the call and those below it wrote is separated from what
others wrote (`writers`, `turns`).

Vocabulary: an object is *reached* by the shortest path from an argument, from a global or closure variable that the
call read, or from what it returned: through objects that the call touched, or else through any that are near. Objects
that no such path reaches are named by their type and id. A global variable is an attribute of its module.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from wrongcall.analysis.effects.library_insides import Insides
from wrongcall.analysis.effects.loaded_models import Loading
from wrongcall.analysis.effects.object_diff import (
    Change,
    ChangeKind,
    Difference,
    compare,
    kind_of_change,
    same,
)
from wrongcall.analysis.effects.turn_writes import TurnWrites
from wrongcall.analysis.effects.turns import Changes, Turns, variable_turns
from wrongcall.analysis.effects.writers import OWN, Shared, Writers, shared
from wrongcall.analysis.effects.written_objects import Writings
from wrongcall.analysis.inputs import Input
from wrongcall.events import Layout, Tag
from wrongcall.languages.paths import Path
from wrongcall.replay.call import Call
from wrongcall.replay.elements import Slot
from wrongcall.replay.frames import FRAME_PART
from wrongcall.replay.heap import Heap
from wrongcall.replay.reaching import references
from wrongcall.replay.sameness import Sameness
from wrongcall.replay.spans import Spans
from wrongcall.replay.variables import Variables
from wrongcall.replay.writes import read_slot
from wrongcall.trace.format.event_records import OBJECT_KINDS, kind_table, obj_ids
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Value, Values

_OBJECTS = kind_table(OBJECT_KINDS)
REACH = 32
"""Objects to visit when searching for a path to a changed object."""
FRAME_REACH = 10_000
"""The same, including the objects that frames consist of."""
BETWEEN_REACH = 300
"""The same, for what changed between two times inside a call."""
TOUCHED_REACH = 1000
"""The same, among objects that the call touched: those are worth visiting."""


@dataclass(frozen=True)
class Changed:
    """An object that is different after a call."""

    oid: int
    path: Path | None
    """The path to it; None if there is none from the input or the result within `REACH`."""
    changes: tuple[Change, ...]
    frame: int = 0
    """The data frame that it is part of and was reached through; 0 if none."""
    unlisted: int = 0
    """How many more changes there are: those of one object are counted if they are too many."""


@dataclass(frozen=True)
class Rebound:
    """A variable of an enclosing call that is different after a call."""

    owner: int
    change: Change


@dataclass(frozen=True)
class Meanwhile:
    """What others changed while a call ran, in objects that the call touched."""

    by: int
    """The call, or 0 for code that is not recorded."""
    objects: tuple[Changed, ...]
    variables: tuple[Rebound, ...]


@dataclass(frozen=True)
class Effect:
    """Everything that a call changed between ``before`` and ``after``."""

    before: int
    after: int
    objects: tuple[Changed, ...]
    variables: tuple[Rebound, ...]
    meanwhile: tuple[Meanwhile, ...] = ()
    """What others changed; not part of the call's effect."""
    others: frozenset[int] = frozenset()
    """All objects that others wrote to."""
    inside: tuple[Changed, ...] = ()
    """Changes inside libraries (see `library_insides`), which are not part of the question."""

    def __bool__(self) -> bool:
        return bool(self.objects or self.variables)


@dataclass(frozen=True)
class _Reached:
    """The path to an object, and the frame it is part of."""

    path: Path | None
    frame: int = 0


_NOWHERE = _Reached(None)


@dataclass
class _Found:
    """What one writer changed, as far as known."""

    objects: dict[int, Difference] = field(default_factory=dict)
    variables: list[Rebound] = field(default_factory=list)

    def add(self, oid: int, found: Difference) -> None:
        if found.changes:
            self.objects[oid] = found

    def changed(self, paths: Mapping[int, _Reached]) -> tuple[Changed, ...]:
        """Return the objects in display order."""
        found = (
            Changed(oid, reached.path, tuple(its.changes), reached.frame, its.unlisted)
            for oid, its in self.objects.items()
            for reached in [paths.get(oid, _NOWHERE)]
        )
        return tuple(sorted(found, key=_order))


class Effects:
    """Computes what a call changed."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        variables: Variables,
        spans: Spans,
        calls: CallTable,
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._spans = spans
        self._calls = calls
        self._writings = Writings(store, spans)
        self.sameness = Sameness(heap, values)
        self._loading = Loading(store, heap)
        self.insides = Insides(store, heap, values, self._loading)

    def of(self, call: Call, given: Input, until: Call | None = None) -> Effect:
        """Return the effect of a call with a known input, or of all calls up to a later sibling."""
        end = until or call
        before, after = given.time, max(call.last, end.last)
        family = self._spans.family(call.id, end.id if until else 0)
        if family is None:
            found, others = self._alone(call.id, before, after, end.id), frozenset[int]()
        else:
            span = self._spans.span(call.id, end.id)
            parts = shared(self._store, family, span, before)
            writers = Writers(self._calls, family, call.id)
            found, others = self._apart(parts, writers, given, after), parts.others
        inside = {who: self._divide(one, before, after) for who, one in found.items()}
        wanted = {oid for one in found.values() for oid in one.objects}
        paths = self._paths(call.id, given, end.value, (before, after), wanted)
        own = found.pop(OWN, _Found())
        meanwhile = [
            Meanwhile(who, one.changed(paths), tuple(one.variables))
            for who, one in found.items()
            if one.objects or one.variables
        ]
        meanwhile.sort(key=lambda part: part.by)
        objects, variables = own.changed(paths), tuple(own.variables)
        hidden = inside.get(OWN, ())
        return Effect(before, after, objects, variables, tuple(meanwhile), others, hidden)

    def between(
        self, call: Call, before: int, after: int, roots: list[tuple[Path, Value]]
    ) -> Effect:
        """Return how the state that a call sees differs between two times, whoever changed it.

        ``roots``: the variables from which objects are reached. The call's own variables are not compared.
        """
        found, written = _Found(), self._writings.of(call.id, before, call.id, after)
        for oid in written.objects:
            if not self._heap.rewritten(oid, before, after):
                found.add(oid, self._compared(oid, before, after, oid in written.shifted))
        found.variables += self._rebound(written.variables, before, after)
        inside = self._divide(found, before, after)
        paths = self._search(roots, after, set(found.objects), None, BETWEEN_REACH)
        objects = found.changed(paths)
        return Effect(before, after, objects, tuple(found.variables), inside=inside)

    def _divide(self, found: _Found, before: int, after: int) -> tuple[Changed, ...]:
        """Remove the changes inside libraries, and return them."""
        inside = []
        for oid, (changes, unlisted) in list(found.objects.items()):
            shown, hidden = self.insides.divide(oid, changes, before, after)
            del found.objects[oid]
            found.add(oid, Difference(shown, unlisted))
            if hidden:
                inside.append(Changed(oid, None, tuple(hidden), 0, 0 if shown else unlisted))
        return tuple(inside)

    # -- a call during which no other code runs -----------------------------------------------------

    def _alone(self, call: int, before: int, after: int, until: int) -> dict[int, _Found]:
        found = {OWN: _Found()}
        written = self._writings.of(call, before, until)
        writers = Writers(self._calls, None, call)
        loaded = dict(self._loading.objects(before, after))
        for oid in [*written.objects, *loaded]:
            shifted, since = oid in written.shifted, loaded.get(oid, before)
            if oid in written.unowned:
                for who, its in self._in_turns(oid, before, after, writers).items():
                    found.setdefault(who, _Found()).add(oid, Difference(its))
            elif oid in loaded or not self._heap.rewritten(oid, before, after):
                found[OWN].add(oid, self._compared(oid, since, after, shifted))
        found[OWN].variables += self._rebound(written.variables, before, after)
        return found

    def _compared(self, oid: int, before: int, after: int, aligned: bool) -> Difference:
        known = self._heap.known_by(oid, before)
        old, new = self._heap.contents(oid, known), self._heap.contents(oid, max(after, known))
        if not old.explored:
            return Difference([])  # its earlier contents are unknown, so its changes are too
        found = compare(old, new, self._values, self.sameness, aligned=aligned)
        changes = found.changes
        if new.layout == Layout.ELEMENT:
            changes = [c for c in changes if not self._is_empty_attrib(c, before, after)]
        return Difference([self._told(c, before, after) for c in changes], found.unlisted)

    def _is_empty_attrib(self, change: Change, before: int, after: int) -> bool:
        """Return whether an element only got or lost an empty dict of attributes: having none means the same."""
        added = change.kind == ChangeKind.ADDED
        held, time = (change.new, after) if added else (change.old, before)
        if change.place != Attr("attrib") or change.kind == ChangeKind.CHANGED:
            return False
        if not isinstance(held, Ref):
            return False
        inside = self._heap.contents(held.oid, self._heap.known_by(held.oid, time))
        return inside.layout == Layout.DICT and inside.explored and not inside.entries

    def _told(self, change: Change, before: int, after: int) -> Change:
        """Return a change, marked if only the identity changed."""
        if change.kind != ChangeKind.CHANGED or not isinstance(change.new, Ref) or change.runs:
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
                change = Change(kind_of_change(*values), Attr(name), *values)
                yield Rebound(owner, self._told(change, before, after))

    # -- a call during which others run ------------------------------------------------------------

    def _apart(
        self, parts: Shared, writers: Writers, given: Input, after: int
    ) -> dict[int, _Found]:
        """Return what each writer changed, in objects that the call wrote to or touched."""
        found: dict[int, _Found] = {}
        roots = {value.oid for _, value in _roots(given) if isinstance(value, Ref)}
        roots |= {read.oid for read in given.globals}
        for oid in sorted(parts.own | (parts.others & (parts.seen.keys() | roots))):
            start = parts.seen.get(oid, given.time)
            unlisted = 0
            if oid in parts.others:
                changes = self._in_turns(oid, start, after, writers)
            else:
                own, unlisted = self._compared(oid, start, after, oid in parts.shifted)
                changes = {OWN: own}
            if self._heap.layout(oid, after) == Layout.MODULE:
                changes = _of_interest(changes, {r.name for r in given.globals if r.oid == oid})
            for who, its in changes.items():
                found.setdefault(who, _Found()).add(oid, Difference(its, unlisted))
        closure = {(read.owner, read.name): None for read in given.closure}
        for owner, name in {**dict.fromkeys(parts.variables), **closure}:
            turns = self._variable_in_turns(owner, name, given.time, after, writers)
            for who, its in turns.items():
                bound = (Rebound(owner, change) for change in its)
                found.setdefault(who, _Found()).variables += bound
        return found

    def _in_turns(self, oid: int, start: int, after: int, writers: Writers) -> Changes:
        """Return what each writer changed in an object."""
        known = self._heap.known_by(oid, start)
        old = self._heap.contents(oid, known)
        if not old.explored:
            return {}  # its earlier contents are unknown, so its changes are too
        parts = self._store.owner_events.parts(oid | OBJECT, None, known + 1, after + 1)
        rows, who = TurnWrites(old).of(parts, writers.of)
        turns = Turns(old, self._store.program.names.__getitem__, self._values, self.sameness)
        changes = turns.of(rows, who)
        return {
            who: [self._told(change, start, after) for change in its]
            for who, its in changes.items()
        }

    def _variable_in_turns(
        self, owner: int, name: str, before: int, after: int, writers: Writers
    ) -> Changes:
        history = self._variables.local_writes(owner, name)
        inside = [write for write in history if before < write.time <= after]
        who = writers.of(np.array([write.call for write in inside], np.int64)).tolist()
        writes = [(by, write.time, write.after) for by, write in zip(who, inside, strict=True)]
        start = self._variables.slot(owner, name, before)
        return variable_turns(name, start, writes, self._values, self.sameness)

    # -- how objects are reached -------------------------------------------------------------------

    def _module_name(self, call: int, oid: int, time: int) -> str:
        """Return the name of a module; the recorder has it only if the program has used the module."""
        name = self._heap.value(oid, Attr("__name__"), time)
        if isinstance(name, str):
            return name
        files = self._store.program.files
        own = files[self._variables.function(call).file].module
        names = dict.fromkeys([own, *(file.module for file in files.values())])
        return next((n for n in names if self._variables.module(n) == oid), "module")

    def _paths(
        self, call: int, given: Input, result: Value, span: tuple[int, int], wanted: set[int]
    ) -> dict[int, _Reached]:
        """Return the shortest paths to objects, in the state before, or else in the state after."""
        before, after = span
        modules = {
            read.oid: _Reached(Path(read.module))
            for read in given.globals
            if read.oid in wanted and not read.of
        }
        missing = {oid for oid in wanted if oid not in modules}
        for oid in list(missing):
            if self._heap.layout(oid, before) == Layout.MODULE:
                modules[oid] = _Reached(Path(self._module_name(call, oid, after)))
                missing.discard(oid)
        touched = self._touched(call) if missing else set()
        late = [*_roots(given), (Path("result"), result)]
        paths: dict[int, _Reached] = {}
        for roots, time in ((_roots(given), before), (late, after)):
            paths |= self._search(roots, time, missing - paths.keys(), touched)
            paths |= self._search(roots, time, missing - paths.keys(), None)
        classes = {oid: name for oid in missing - paths.keys() if (name := self._class_name(oid))}
        return modules | paths | {oid: _Reached(Path(name)) for oid, name in classes.items()}

    def _class_name(self, oid: int) -> str:
        """Return the name of a class; empty: it is none, or the name is not known."""
        if self._heap.layout(oid) != Layout.CLASS:
            return ""
        name = self._heap.value(oid, Attr("__qualname__"), None)
        return name if isinstance(name, str) else ""

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
        most: int = 0,
    ) -> dict[int, _Reached]:
        """Search breadth first from the roots until all wanted objects are reached.

        Among objects that the call touched, the path may be long; among all others, only near ones are visited. A frame
        counts as one object, whatever it consists of. ``most``: objects to visit, if not as usual.
        """
        found: dict[int, _Reached] = {}
        seen: set[int] = set()
        queue = deque((path, value.oid, 0) for path, value in roots if isinstance(value, Ref))
        left = most or (REACH if among is None else TOUCHED_REACH)
        while queue and len(found) < len(wanted) and left > 0 and len(seen) < FRAME_REACH:
            path, oid, frame = queue.popleft()
            if oid in seen:
                continue
            seen.add(oid)
            left -= not frame
            if oid in wanted:
                found[oid] = _Reached(path, frame)
            state = self._heap.state(oid, self._heap.known_by(oid, time))
            for step, ref in references(state):
                inside = frame or (oid if step == FRAME_PART else 0)
                if among is None or ref.oid in among or inside:
                    queue.append((path.to(step), ref.oid, inside))
        return found


def _roots(given: Input) -> list[tuple[Path, Value]]:
    return [
        *((Path(passed.name), passed.value) for passed in given.args),
        *((Path(name), value) for name, _, value in given.closure),
        *((read.path, read.value) for read in given.globals),
    ]


def _order(changed: Changed) -> tuple[bool, int]:
    return changed.path is None, changed.oid


def _both_same(old: Slot | None, new: Slot | None, sameness: Sameness) -> bool:
    return old is None or new is None or same(old, new, sameness)


def _of_interest(changes: Changes, names: set[str]) -> Changes:
    """Return the changes of global variables that the call read or wrote."""
    places = [change.place for change in changes.get(OWN, ())]
    wanted = names | {place.name for place in places if isinstance(place, Attr)}
    return {
        who: [c for c in its if not isinstance(c.place, Attr) or c.place.name in wanted]
        for who, its in changes.items()
    }
