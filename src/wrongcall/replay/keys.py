"""Keys of dicts and elements of sets: how to write them, and which one a person means.

A key is shown in source notation, so that it can be typed: ``dp[1, 0]``, ``seen[Color.RED]``, ``at[Point(x=1, y=2)]``.
Only what has no source notation (a function, a file) is shown by its number. Nothing of the program runs: two keys are
the same if they are the same object, or tuples or frozensets of the same, or equal numbers and texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from wrongcall.events import Layout
from wrongcall.languages.paths import Key, Member, Path, PathStep, key_text, plain, step_text
from wrongcall.languages.python.path_syntax import normal
from wrongcall.replay.heap import Heap, ObjectState, Peek
from wrongcall.replay.literals import is_frozen_dict, is_value_type, literal
from wrongcall.trace.read.places import Entry
from wrongcall.trace.read.values import Missing, Ref, TupleKey, Value, same_key

_LONGEST = 80
_DEEPEST = 6
_MOST_PARTS = 500
"""Parts of a key that are written; the others are shown by their number. Each takes a character, so a text of
`_LONGEST` is complete, while objects that refer to each other could be written without end."""
_NAMED = (Layout.CLASS, Layout.FUNCTION)
Named = Callable[[str], Value]
"""Returns the value of a variable used in a key."""


class Keys:
    """Writes and finds keys."""

    def __init__(self, heap: Heap) -> None:
        self._heap = heap

    # -- text --------------------------------------------------------------------------------------

    def path(self, path: Path, time: int) -> str:
        """Return a path as text."""
        return plain(path.root) + "".join(self.step(step, time) for step in path.steps)

    def step(self, step: PathStep, time: int) -> str:
        """Return a step as text."""
        if not isinstance(step, Entry | Member) or not isinstance(step.key, Ref):
            return step_text(step)
        text = self.text(step.key, time)
        if isinstance(step, Member):
            return f"{{{text}}}"
        state = self._state(step.key.oid, time)
        bare = state.layout == Layout.TUPLE and len(state.items) > 1 and text.endswith(")")
        return f"[{text[1:-1]}]" if bare and text.startswith("(") else f"[{text}]"

    def text(self, key: Value, time: int) -> str:
        """Return a key in source notation, shortened if it is long."""
        text = self._text(key, time)
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."

    def _text(
        self, key: Value, time: int, depth: int = 0, parts_left: Iterator[int] | None = None
    ) -> str:
        left = iter(range(_MOST_PARTS)) if parts_left is None else parts_left
        if not isinstance(key, Ref) or next(left, None) is None:
            return key_text(key)
        state = self._state(key.oid, time)
        if depth > _DEEPEST or not state.explored:
            return key_text(key)

        def inner(values: Iterable[Value]) -> list[str]:
            return [self._text(value, time, depth + 1, left) for value in values]

        written = literal(self._heap.peek(key.oid, time), self._looker(time))
        if written is not None:
            texts = inner(value for _, value in written.parts)
            named = [before + text for (before, _), text in zip(written.parts, texts, strict=True)]
            return f"{written.opening}{', '.join(named)}{written.closing}"
        name = plain(state.type.qualname)
        if state.layout == Layout.TUPLE and state.attrs.keys() <= {"__fields__"}:
            parts = inner(state.items)
            fields = self.fields(state, time)
            if fields:
                named = [f"{plain(n)}={text}" for n, text in zip(fields, parts, strict=True)]
                return f"{name}({', '.join(named)})"
            text = f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
            return text if name == "tuple" else f"{name}{text}"
        if state.layout == Layout.FROZENSET:
            members = sorted(inner(state.members))
            return f"{name}({{{', '.join(members)}}})" if members else f"{name}()"
        if state.layout == Layout.DICT and is_frozen_dict(state.type):
            entries = [": ".join(inner(entry)) for entry in state.entries]
            return f"{name}({{{', '.join(entries)}}})" if entries else f"{name}()"
        if state.layout in _NAMED:
            return plain(str(state.attrs.get("__qualname__", f"#{key.oid}")))
        if state.layout == Layout.SCALAR:
            return f"{name}({', '.join(inner([state.attrs.get('__value__')]))})"
        if state.layout == Layout.INSTANCE and state.attrs:
            values = zip(state.attrs, inner(state.attrs.values()), strict=True)
            return f"{name}({', '.join(f'{plain(n)}={text}' for n, text in values)})"
        return key_text(key)

    def fields(self, state: ObjectState, time: int) -> list[str]:
        """Return the names of the items of a named tuple; empty if they have no names."""
        held = state.attrs.get("__fields__")
        names = self._heap.peek(held.oid, time).items() if isinstance(held, Ref) else []
        texts = [name for name in names if isinstance(name, str) and name]
        return texts if len(texts) == len(names) == len(state.items) else []

    def _looker(self, time: int) -> Callable[[int], Peek]:
        return lambda oid: self._heap.peek(oid, time)

    # -- which one is meant ------------------------------------------------------------------------

    def find(self, state: ObjectState, wanted: Key, named: Named, time: int) -> Entry | None:
        """Return the place in a dict of the key that a person wrote, or None if there is no such key."""
        keys = [key for key, _ in state.entries]
        for key in keys:
            if self._means(wanted, key, named, time):
                return Entry(key)
        if not wanted.text:
            return None
        shown = [key for key in keys if normal(self.text(key, time)) == wanted.text]
        return Entry(shown[0]) if len(shown) == 1 else None

    def _means(self, wanted: Key, key: Value, named: Named, time: int) -> bool:
        if wanted.parts is not None:
            if not isinstance(key, Ref):
                return False
            state = self._state(key.oid, time)
            return (
                state.layout == Layout.TUPLE
                and len(state.items) == len(wanted.parts)
                and all(
                    self._means(part, item, named, time)
                    for part, item in zip(wanted.parts, state.items, strict=True)
                )
            )
        if wanted.name:
            return self.equal(named(wanted.name), key, time)
        return not wanted.text and self.equal(wanted.value, key, time)

    def equal(self, one: Value, other: Value, time: int, depth: int = 0) -> bool:
        """Return whether a dict would consider two keys the same, as far as known."""
        if isinstance(one, Missing) or isinstance(other, Missing) or depth > _DEEPEST:
            return False
        if not isinstance(one, Ref) or not isinstance(other, Ref):
            return same_key(one) == same_key(other)
        if one == other:
            return True
        left, right = self._state(one.oid, time), self._state(other.oid, time)
        if left.layout != right.layout or left.type != right.type:
            return False
        if left.layout == Layout.TUPLE and len(left.items) == len(right.items):
            pairs = zip(left.items, right.items, strict=True)
            return all(self.equal(a, b, time, depth + 1) for a, b in pairs)
        if left.layout == Layout.FROZENSET and len(left.members) == len(right.members):
            return all(
                any(self.equal(a, b, time, depth + 1) for b in right.members) for a in left.members
            )
        if is_frozen_dict(left.type) and len(left.entries) == len(right.entries):
            return all(
                any(
                    self.equal(k, n, time, depth + 1) and self.equal(v, w, time, depth + 1)
                    for n, w in right.entries
                )
                for k, v in left.entries
            )
        known = is_value_type(left.type) and bool(left.attrs)
        return known and self._text(one, time) == self._text(other, time)

    def _state(self, oid: int, time: int) -> ObjectState:
        return self._heap.state(oid, self._heap.known_by(oid, time))

    def whole(self, key: Value, oid: int, time: int) -> Value:
        """Return the tuple that is a key of an object, where the event has only its structure."""
        if not isinstance(key, TupleKey):
            return key
        slot = self._heap.contents(oid, time).tuples.get(key.structure)
        return key if slot is None else self._heap.read(slot)
