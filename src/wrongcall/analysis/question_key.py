"""Keys that are equal for calls that ask the same question.

Two calls ask the same question if the same function was given the same input and did the same with it: equal input,
equal outcome, equal effect. Objects are compared by what they hold, followed to the end, and by sharing: what matters
about an object's identity is where else the same object occurs. So the key of a call is a hash of its input at entry,
and of input and outcome at exit, with objects numbered in the order in which they are met.

If the source of a function that ran can't be parsed, what it read is not known, so the call equals only itself.

What others did in the meantime is not part of what a call did: an object that they wrote to counts as it was at entry,
with the call's own writes on top. But a call that touched such an object may have had to react to what they wrote, so
it equals only itself.

Invariant: equal keys mean equal questions (up to collisions of a 128-bit hash). The opposite does not hold: where
contents are not known (opaque objects, functions, texts that were cut off), only the same object counts as equal, and a
call that involves more than `MOST` objects, or `MOST_PARTS` elements, equals only itself.

The inside of library objects is not shown with a question, but it is part of the key: of two calls that look alike, one
may be right and the other wrong because of it. Only the same library object counts as equal, with all that is known
about its inside. What C code keeps in one cannot be compared at all (a database connection), so a call that involves
one equals only itself.

A *portable* key can be compared with those of other runs, also of later versions of the code. It does not name the
function, which may be renamed, and a call has none if anything in it is known by its identity only: numbers of objects
mean nothing in another run. Functions, classes and sentinels that a module holds are known by their names there,
library objects that are written in Python by what they hold.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Iterator
from hashlib import blake2b

from wrongcall.analysis.effects.effects import Effect
from wrongcall.analysis.effects.library_insides import is_library_type
from wrongcall.analysis.effects.object_diff import Change
from wrongcall.analysis.inputs import Input
from wrongcall.events import Layout, TypeOrigin
from wrongcall.languages.paths import PathStep, step_text
from wrongcall.replay.call import Call, Printed
from wrongcall.replay.frames import FRAME_PART, Frame, frame_of
from wrongcall.replay.heap import SEQUENCES, Heap, ObjectState
from wrongcall.replay.literals import is_partly_known, is_value_type
from wrongcall.replay.series import Cell, Written
from wrongcall.trace.read.values import Clipped, Missing, Ref, TupleKey, Value

MOST = 2000
"""Calls that involve more objects than this are not compared."""

MOST_PARTS = 100_000
"""Nor are those whose objects have more elements, counted at entry and at exit."""

_BY_IDENTITY = frozenset(
    {Layout.OPAQUE, Layout.CLASS, Layout.FUNCTION, Layout.MODULE, Layout.ACTIVATION}
)

_STATELESS = frozenset({"re", "operator", "_struct", "functools", "_abc", "_thread"})
"""Modules whose objects keep nothing in C that could make a call right or wrong."""
_WITH_STATE = frozenset({("_thread", "_local")})
"""Types of these modules whose objects do."""
_PARTLY_SEEN = frozenset({("builtins", "code")})
"""Types of which the recorder sees some attributes only: of code all but the instructions."""


_BUILTIN_FUNCTION = "builtin_function_or_method"


class _IncomparableError(Exception):
    """There are too many objects to compare, or something that cannot be compared."""


def key_of(
    call: Call, given: Input, effect: Effect, printed: Iterable[Printed], heap: Heap
) -> bytes:
    """Return the key of a call's question."""
    writer = _Writer(heap)
    try:
        writer.text("function", call.function.id)
        _write(writer, call, given, effect, printed)
    except _IncomparableError:
        return blake2b(f"call {call.id}".encode(), digest_size=16).digest()
    return writer.digest()


def portable_keys_of(
    call: Call,
    given: Input,
    effect: Effect,
    printed: Iterable[Printed],
    heap: Heap,
    named: Callable[[int], str | None],
) -> tuple[bytes | None, bytes | None]:
    """Return a key of a call's input, and one of input and outcome, valid in other runs; None: it has none.

    ``named`` returns the name under which a module holds an object.
    """
    writer = _PortableWriter(heap, named)
    try:
        _write(writer, call, given, effect, printed)
    except _IncomparableError:
        return writer.input_key, None
    return writer.input_key, writer.digest()


def _write(
    writer: _Writer, call: Call, given: Input, effect: Effect, printed: Iterable[Printed]
) -> None:
    """Add input, outcome and effect of a call."""
    if effect.meanwhile or given.unparsed:
        raise _IncomparableError
    roots = [
        *((passed.name, passed.value) for passed in given.args),
        *((read.name, read.value) for read in given.closure),
        *((f"{read.module}.{read.path}", read.value) for read in given.globals),
    ]
    writer.graph(roots, given.time)
    writer.input_key = writer.digest()
    writer.text("ended", call.outcome.name)
    writer.set_aside(effect.others, given.time)
    writer.graph([*roots, ("result", call.value)], effect.after)
    writer.graph((("yielded", passed.value) for passed in call.yielded), effect.after)
    for part in printed:
        writer.graph([(part.stream, part.text)], effect.after)
    _write_rest(writer, effect)


def outline_of(call: Call) -> Hashable:
    """Return a part of a call's question that is quickly known: calls with different outlines have different keys."""
    values = [*((passed.name, passed.value) for passed in call.args), ("result", call.value)]
    told = ((name, "#" if isinstance(v, Ref) else _atom_texts(v)) for name, v in values)
    return call.function.id, call.outcome, tuple(told)


def _write_rest(writer: _Writer, effect: Effect) -> None:
    """Add what is not reached from the input or the result."""
    for changed in effect.objects:
        if changed.oid in effect.others or not writer.has_described(changed.oid):
            if changed.unlisted:
                raise _IncomparableError
            writer.text("object", writer.name(changed.oid))
            for change in changed.changes:
                writer.text(change.kind.value, _step(change.place))
                _write_change(writer, change, effect.after)
    for rebound in effect.variables:
        writer.identity(rebound.owner)
        writer.text("variable", _step(rebound.change.place))
        _write_change(writer, rebound.change, effect.after)


def _write_change(writer: _Writer, change: Change, after: int) -> None:
    """Add the values before and after at a place, for each run of writes."""
    for old, new in [(run.old, run.new) for run in change.runs] or [(change.old, change.new)]:
        writer.graph([("old", old), ("new", new)], after)


def _step(step: PathStep) -> str:
    return step_text(step)


class _Writer:
    """Hashes values and what they hold."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._hash = blake2b(digest_size=16)
        self._numbers: dict[int, int] = {}
        self._by_identity: set[int] = set()
        """Those met of which only the identity, or the name, is written."""
        self._inside: set[int] = set()
        """The objects that frames consist of; their numbers do not count."""
        self._described = 0
        self._parts = 0
        self._aside: tuple[frozenset[int], int] = (frozenset(), 0)
        self.input_key: bytes | None = None
        """The hash of the input, once all of it is written."""

    def set_aside(self, others: frozenset[int], time: int) -> None:
        """From now on, take objects that others wrote to as of a time, if they existed then."""
        self._aside = (others, time)

    def name(self, oid: int) -> str:
        """Return an object's name: its number, if it was met."""
        return f"#{self._numbers[oid]}" if oid in self._numbers else str(oid)

    def identity(self, oid: int) -> None:
        """Add an object or a call by its number: what it holds is not all known."""
        self.text("object", oid)

    def digest(self) -> bytes:
        return self._hash.digest()

    def has_described(self, oid: int) -> bool:
        """Return whether what an object held was written, not only which one it is."""
        met = oid in self._numbers or oid in self._inside
        return met and oid not in self._by_identity

    def text(self, *parts: object) -> None:
        for part in parts:
            data = str(part).encode("utf-8", "surrogatepass")
            self._hash.update(struct.pack("<I", len(data)) + data)

    def graph(self, roots: Iterable[tuple[str, Value]], time: int) -> None:
        """Add values with everything they lead to, as of a time."""
        seen: set[int] = set()
        # A stack, not recursion: structures may be deep.
        waiting = list(roots)[::-1]
        while waiting:
            label, value = waiting.pop()
            self.text(label)
            self._atom(value)
            if isinstance(value, Ref) and value.oid not in seen:
                seen.add(value.oid)
                waiting.extend(list(self._contents(value.oid, time))[::-1])

    def _atom(self, value: Value) -> None:
        if isinstance(value, Ref):
            self.text("#", self._numbers.setdefault(value.oid, len(self._numbers)))
        else:
            self.text(*_atom_texts(value))

    def _contents(self, oid: int, time: int) -> Iterator[tuple[str, Value]]:
        """Describe an object, and return what it holds."""
        self._described += 1
        if self._described > MOST:
            raise _IncomparableError
        others, earlier = self._aside
        if oid in others and self._heap.contents(oid, earlier).born >= 0:
            time = earlier
        state = self._heap.state(oid, self._heap.known_by(oid, time))
        self._parts += len(state.items) + len(state.entries) + len(state.members)
        if self._parts > MOST_PARTS:
            raise _IncomparableError
        self.text(state.type.module, state.type.qualname, state.layout)
        if is_library_type(state.type):
            stateless = state.type.module in _STATELESS and _named(state) not in _WITH_STATE
            if state.type.origin == TypeOrigin.NATIVE and not stateless:
                raise _IncomparableError
            self._write_library_object(state)
        is_partly_seen = is_partly_known(state) or _named(state) in _PARTLY_SEEN
        if state.layout in _BY_IDENTITY or not state.explored or is_partly_seen:
            self._by_identity.add(oid)
            self._write_identity(state)
            return
        frame = frame_of(self._heap, oid, time) if FRAME_PART.name in state.attrs else None
        if frame is not None:
            yield from self._frame(frame, state)
            return
        if state.layout in SEQUENCES:
            known = len(state.items) == state.length
            if not known or any(isinstance(value, Missing) for value in state.items):
                self.identity(oid)  # part of it is not known
        yield from _held(state)

    def _write_library_object(self, state: ObjectState) -> None:
        """Add what tells a library's object from others that look like it."""
        self.identity(state.oid)

    def _write_identity(self, state: ObjectState) -> None:
        """Add an object of which not all is known."""
        self.identity(state.oid)

    def _frame(self, frame: Frame, state: ObjectState) -> Iterator[tuple[str, Value]]:
        """Describe a table by its labels and cells, whatever arrays hold them."""
        self._inside |= frame.inside
        if frame.known_rows < frame.rows or any(c.known < c.length for c in frame.columns):
            self.identity(frame.oid)  # part of it is not known
        self.text("table", frame.rows, len(frame.columns), *(c.dtype for c in frame.columns))
        for name, cells in (
            ("label", frame.labels),
            ("index", [frame.index_name, *frame.index.cells(0, frame.index.known)]),
            *(("cell", column.cells(0, column.known)) for column in frame.columns),
        ):
            for cell in cells:
                yield from self._cell(name, cell)
        own = (FRAME_PART.name, "_name")
        yield from ((f".{n}", value) for n, value in state.attrs.items() if n not in own)

    def _cell(self, name: str, cell: Cell) -> Iterator[tuple[str, Value]]:
        if isinstance(cell, tuple):
            yield "levels", len(cell)
            for part in cell:
                yield from self._cell(name, part)
        elif isinstance(cell, Written):
            yield f"written {name}", cell.text
        else:
            yield name, cell


class _PortableWriter(_Writer):
    """Refuses what is known by a number of the trace only, and has no name that is valid in other runs."""

    def __init__(self, heap: Heap, named: Callable[[int], str | None]) -> None:
        super().__init__(heap)
        self._named = named

    def _write_library_object(self, state: ObjectState) -> None:
        """Refuse library objects unless they are plain values, or written in Python and fully known."""
        known = state.explored and not is_partly_known(state)
        if not known or not (is_value_type(state.type) or state.type.origin == TypeOrigin.LIBRARY):
            self.identity(state.oid)

    def _write_identity(self, state: ObjectState) -> None:
        """Add a function, class, module or sentinel by its name."""
        if state.layout == Layout.MODULE:
            name: Value = state.attrs.get("__name__")
        elif state.type.qualname == _BUILTIN_FUNCTION and isinstance(
            state.attrs.get("__module__"), str
        ):
            name = f"{state.attrs['__module__']!s}.{state.attrs.get('__name__')!s}"
        elif state.layout in (Layout.CLASS, Layout.FUNCTION) or _is_sentinel(state):
            name = self._named(state.oid)
        else:
            name = None
        if not isinstance(name, str):
            raise _IncomparableError
        self.text("named", name)

    def name(self, oid: int) -> str:
        if oid in self._numbers:
            return super().name(oid)
        is_class = self._heap.layout(oid) == Layout.CLASS
        name = self._named(oid) if is_class else None
        if name is None:
            raise _IncomparableError
        return f"named {name}"

    def identity(self, oid: int) -> None:
        raise _IncomparableError

    def _contents(self, oid: int, time: int) -> Iterator[tuple[str, Value]]:
        """Describe an object, with the tuples that are keys in it instead of their numbers."""
        for label, value in super()._contents(oid, time):
            if isinstance(value, TupleKey):
                slot = self._heap.contents(oid, time).tuples.get(value.structure)
                value = value if slot is None else self._heap.read(slot)
            yield label, value

    def _atom(self, value: Value) -> None:
        if isinstance(value, Clipped | TupleKey):
            raise _IncomparableError
        super()._atom(value)


def _named(state: ObjectState) -> tuple[str, str]:
    return state.type.module, state.type.qualname


def _is_sentinel(state: ObjectState) -> bool:
    """Return whether it is a plain ``object()``."""
    return _named(state) == ("builtins", "object")


def _atom_texts(value: Value) -> tuple[object, object]:
    """Return the type of a value without identity, and a text that is equal for equal values."""
    if isinstance(value, float):
        return "float", struct.pack("<d", value).hex()
    if isinstance(value, complex):
        return "complex", struct.pack("<2d", value.real, value.imag).hex()
    if isinstance(value, Clipped):
        return "clipped", value.content
    if isinstance(value, bytes):
        return "bytes", value.hex()
    if isinstance(value, int) and not isinstance(value, bool):
        return "int", hex(value)
    if isinstance(value, TupleKey):
        return "tuple", value.structure
    return type(value).__name__, str(value)


def _held(state: ObjectState) -> Iterator[tuple[str, Value]]:
    yield from ((f".{name}", value) for name, value in state.attrs.items())
    yield from (("[]", value) for value in state.items)
    for key, value in state.entries:
        yield "key", key
        yield "entry", value
    yield from (("{}", value) for value in _sorted(state.members))


def _sorted(members: tuple[Value, ...]) -> list[Value]:
    """Return the elements of a set in a fixed order: sets with the same atoms are the same."""
    atoms = [value for value in members if not isinstance(value, Ref)]
    others = [value for value in members if isinstance(value, Ref)]
    return [*sorted(atoms, key=lambda value: (type(value).__name__, repr(value))), *others]
