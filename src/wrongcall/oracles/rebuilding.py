"""Values of a recorded run in source notation, where a call can be repeated from its text.

Only plain data is written: numbers, texts, lists, tuples, dicts and sets of them. A value that is shared, cyclic, cut
off or of any other type has no source, and neither has a call that read or changed anything besides its arguments.
"""

from __future__ import annotations

import math

from wrongcall.events import Layout
from wrongcall.recording import Outcome, Recording, Ref, Value
from wrongcall.replay.heap import ObjectState

MAX_CHARACTERS = 10_000
_ATOMS = (bool, int, float, str, bytes)
_BRACKETS = {Layout.LIST: ("list", "[", "]"), Layout.TUPLE: ("tuple", "(", ")")}


class _NoSourceError(Exception):
    """A value can't be written as source."""


def arguments_of(recording: Recording, call: int) -> str:
    """Return the arguments of a call, as in ``1, key='a'``; empty: the call can't be repeated from its text.

    A call without arguments gives ``()``.
    """
    view, given = recording.call(call), recording.questions.input(call)
    effect = recording.questions.effect(call, given)
    reads = bool(given.receiver or given.closure or given.unparsed)
    reads |= any(isinstance(each.value, Ref) for each in given.globals)
    changes = effect.objects or effect.variables or effect.meanwhile
    if reads or changes or "<" in view.function.qualname or view.function.kind != "function":
        return ""
    try:
        writer = _Writer(recording, given.time)
        names = [passed.name for passed in given.args]
        texts = [f"{passed.name}={writer.text(passed.value)}" for passed in given.args]
    except _NoSourceError:
        return ""
    definition = recording.sources.definition(view.function)
    source = recording.sources.of_function(view.function)
    if names != list(view.function.params) or any(source.collects(definition, n) for n in names):
        return ""
    return ", ".join(texts) or "()"


def result_of(recording: Recording, call: int) -> str:
    """Return what a call returned in source notation; empty: it has none."""
    view = recording.call(call)
    if view.outcome is not Outcome.RETURNED:
        return ""
    try:
        return _Writer(recording, view.exit).text(view.value)
    except _NoSourceError:
        return ""


class _Writer:
    """Writes values as of a time."""

    def __init__(self, recording: Recording, time: int) -> None:
        self._heap = recording.states.heap
        self._time = time
        self._met: set[int] = set()
        self._room = MAX_CHARACTERS

    def text(self, value: Value, depth: int = 0) -> str:
        """Return a value in source notation."""
        if value is None or isinstance(value, _ATOMS):
            return self._atom(value)
        if not isinstance(value, Ref) or value.oid in self._met or depth > 20:
            raise _NoSourceError
        self._met.add(value.oid)
        return self._object(self._heap.state(value.oid, self._time), depth + 1)

    def _atom(self, value: object) -> str:
        if isinstance(value, float) and not math.isfinite(value):
            return f"float({str(value)!r})"
        text = (
            repr(value) if not isinstance(value, int) or isinstance(value, bool) else hex_or(value)
        )
        self._room -= len(text)
        if self._room < 0:
            raise _NoSourceError
        return text

    def _object(self, state: ObjectState, depth: int) -> str:
        name = state.type.qualname if state.type.module == "builtins" else ""
        if not state.explored or state.attrs:
            raise _NoSourceError
        if state.layout in _BRACKETS and name == _BRACKETS[state.layout][0]:
            if len(state.items) != state.length:
                raise _NoSourceError
            parts = [self.text(item, depth) for item in state.items]
            _, opening, closing = _BRACKETS[state.layout]
            comma = "," if state.layout == Layout.TUPLE and len(parts) == 1 else ""
            return f"{opening}{', '.join(parts)}{comma}{closing}"
        if state.layout == Layout.DICT and name == "dict":
            pairs = [f"{self.text(k, depth)}: {self.text(v, depth)}" for k, v in state.entries]
            return f"{{{', '.join(pairs)}}}"
        if state.layout in (Layout.SET, Layout.FROZENSET) and name in ("set", "frozenset"):
            parts = sorted(self.text(member, depth) for member in state.members)
            if name == "set":
                return f"{{{', '.join(parts)}}}" if parts else "set()"
            return f"frozenset({{{', '.join(parts)}}})" if parts else "frozenset()"
        raise _NoSourceError


def hex_or(number: int) -> str:
    """Return a whole number as source; very large ones in hexadecimal, which Python does not limit."""
    return str(number) if abs(number) < 1 << 200 else hex(number)
