"""Keys that are equal for calls which ask the same question.

Two calls ask the same if the same function was given the same and made the same of it: equal
input, equal outcome, equal effect. Objects are compared by what they hold, followed to the end, and by
who shares whom: what matters of an object's identity is where else the same object is. So the
key of a call is a digest of its input as it was at entry, and of input and outcome as they were at
exit, with objects numbered in the order in which they are met.

Invariant: equal keys mean equal questions (but for the odds of a 128-bit digest). The opposite does
not hold: where contents are not known (opaque objects, functions, texts that were cut off) only the
same object counts as equal, and a call whose objects are more than `MOST` equals only itself.

The inside of library objects is not shown with a question, but it is part of the key: two calls that
look alike may still be right and wrong because of it. Of such an object only the same one counts as equal,
with all that is known of its inside. What C code keeps in one cannot be compared at all (a database
connection), so a call that involves one equals only itself.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from wrongcall.events import Layout, TypeOrigin
from wrongcall.trace.call import Call, Printed
from wrongcall.trace.effects import Effect
from wrongcall.trace.heap import SEQUENCES, Heap, State
from wrongcall.trace.inputs import Input
from wrongcall.trace.insides import is_library_type
from wrongcall.trace.paths import Step, step_text
from wrongcall.trace.values import Clipped, Missing, Ref, TupleKey, Value

MOST = 2000
"""Calls that involve more objects than this are not compared."""

_BY_IDENTITY = frozenset(
    {Layout.OPAQUE, Layout.CLASS, Layout.FUNCTION, Layout.MODULE, Layout.ACTIVATION}
)

_STATELESS = frozenset({"re", "operator", "_struct", "functools", "_abc", "_thread"})
"""Modules whose objects keep nothing in C by which a call would be right or wrong."""


class _IncomparableError(Exception):
    """There are more objects than can be compared, or there is one that cannot be."""


def key_of(
    call: Call, given: Input, effect: Effect, printed: Iterable[Printed], heap: Heap
) -> bytes:
    """Return the key of a call's question."""
    writer = _Writer(heap)
    roots = [
        *((passed.name, passed.value) for passed in given.args),
        *((read.name, read.value) for read in given.closure),
        *((f"{read.module}.{read.name}", read.value) for read in given.globals),
    ]
    try:
        writer.text("function", call.function.id)
        writer.graph(roots, given.time)
        writer.text("ended", call.outcome.name)
        writer.graph([*roots, ("result", call.value)], effect.after)
        writer.graph((("yielded", passed.value) for passed in call.yielded), effect.after)
        for part in printed:
            writer.graph([(part.stream, part.text)], effect.after)
        _write_rest(writer, effect)
    except _IncomparableError:
        return blake2b(f"call {call.id}".encode(), digest_size=16).digest()
    return writer.digest()


def _write_rest(writer: _Writer, effect: Effect) -> None:
    """Add what is not reached from the input or the result."""
    for changed in effect.objects:
        if not writer.knows(changed.oid):
            writer.text("object", changed.oid)
            for change in changed.changes:
                writer.text(change.kind.value, _step(change.place))
                writer.graph([("old", change.old), ("new", change.new)], effect.after)
    for rebound in effect.variables:
        writer.text("variable", rebound.owner, _step(rebound.change.place))
        values = (("old", rebound.change.old), ("new", rebound.change.new))
        writer.graph(values, effect.after)


def _step(step: Step) -> str:
    return step_text(step)


class _Writer:
    """Digests values and what they hold."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap
        self._digest = blake2b(digest_size=16)
        self._numbers: dict[int, int] = {}
        self._described = 0

    def digest(self) -> bytes:
        return self._digest.digest()

    def knows(self, oid: int) -> bool:
        """Return whether an object was met."""
        return oid in self._numbers

    def text(self, *parts: object) -> None:
        for part in parts:
            data = str(part).encode("utf-8", "surrogatepass")
            self._digest.update(struct.pack("<I", len(data)) + data)

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
            number = self._numbers.setdefault(value.oid, len(self._numbers))
            self.text("#", number)
        elif isinstance(value, float):
            self.text("float", struct.pack("<d", value).hex())
        elif isinstance(value, complex):
            self.text("complex", struct.pack("<2d", value.real, value.imag).hex())
        elif isinstance(value, Clipped):
            self.text("clipped", value.content)
        elif isinstance(value, bytes):
            self.text("bytes", value.hex())
        elif isinstance(value, int) and not isinstance(value, bool):
            self.text("int", hex(value))
        elif isinstance(value, TupleKey):
            self.text("tuple", value.structure)
        else:
            self.text(type(value).__name__, value)

    def _contents(self, oid: int, time: int) -> Iterator[tuple[str, Value]]:
        """Describe an object, and give what it holds."""
        self._described += 1
        if self._described > MOST:
            raise _IncomparableError
        state = self._heap.state(oid, self._heap.known_by(oid, time))
        self.text(state.type.module, state.type.qualname, state.layout)
        if is_library_type(state.type):
            if state.type.origin == TypeOrigin.NATIVE and state.type.module not in _STATELESS:
                raise _IncomparableError
            self.text("object", oid)
        if state.layout in _BY_IDENTITY or not state.explored:
            self.text("object", oid)
            return
        if state.layout in SEQUENCES:
            known = len(state.items) == state.length
            if not known or any(isinstance(value, Missing) for value in state.items):
                self.text("object", oid)  # part of it is not known
        yield from _held(state)


def _held(state: State) -> Iterator[tuple[str, Value]]:
    yield from ((f".{name}", value) for name, value in state.attrs.items())
    yield from (("[]", value) for value in state.items)
    for key, value in state.entries:
        yield "key", key
        yield "entry", value
    yield from (("{}", value) for value in _sorted(state.members))


def _sorted(members: tuple[Value, ...]) -> list[Value]:
    """Return the elements of a set: sets with the same atoms are the same in any order."""
    atoms = [value for value in members if not isinstance(value, Ref)]
    others = [value for value in members if isinstance(value, Ref)]
    return [*sorted(atoms, key=lambda value: (type(value).__name__, repr(value))), *others]
