"""Queries for a question about a call: what the call was given, and what it did with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from wrongcall.analysis.effects.effects import Effect, Effects
from wrongcall.analysis.effects.library_insides import Insides
from wrongcall.analysis.effects.processes import Process, Processes
from wrongcall.analysis.inputs import Input, Inputs
from wrongcall.analysis.portable_names import PortableNames
from wrongcall.analysis.question_key import key_of, outline_of, portable_keys_of
from wrongcall.replay.call import Call, Printed, printed_below
from wrongcall.replay.heap import Heap
from wrongcall.replay.spans import Spans
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values

_REMEMBERED_CALLS = 8
_REMEMBERED_KEYS = 10_000


@dataclass
class _Judged:
    """What a call is judged by."""

    input: Input
    effect: Effect | None = None


class QuestionQueries:
    """Answers what went into calls and what came out."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        spans: Spans,
        inputs: Inputs,
        effects: Effects,
        variables: Variables,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self._values = values
        self._heap = heap
        self._spans = spans
        self._inputs = inputs
        self._effects = effects
        self._view = view
        self._names = PortableNames(store, heap, variables)
        self._processes = Processes(store, values, spans)
        self._keys: dict[tuple[int, int], bytes] = {}
        self._last: OrderedDict[tuple[int, int], _Judged] = OrderedDict()

    @property
    def insides(self) -> Insides:
        """Decides which writes happened inside objects of libraries."""
        return self._effects.insides

    def input(self, call: int) -> Input:
        """Return a call's arguments, its receiver, and the globals and closure variables it read."""
        return self._judged(call).input

    def effect(self, call: int, given: Input | None = None) -> Effect:
        """Return what is different when a call ends, as a diff; ``given``: its input, if already known."""
        judged = self._judged(call)
        if given is not None and given is not judged.input:
            with uncollected():
                return self._effects.of(self._view(call), given)
        if judged.effect is None:
            with uncollected():
                judged.effect = self._effects.of(self._view(call), judged.input)
        return judged.effect

    def _judged(self, call: int) -> _Judged:
        """Return what was last found out about a call: whoever measures, shows or compares it asks for the same."""
        key = (self._store.segments.event_count, call)
        if key not in self._last:
            with uncollected():
                self._last[key] = _Judged(self._inputs.of(self._view(call)))
        self._last.move_to_end(key)
        while len(self._last) > _REMEMBERED_CALLS:
            self._last.popitem(last=False)
        return self._last[key]

    def effect_until(self, call: int, last: int) -> Effect:
        """Return what is different after consecutive calls of one caller, from ``call`` to ``last``."""
        given = self.input(call)
        with uncollected():
            return self._effects.of(self._view(call), given, self._view(last))

    def printed(self, call: int, until: int = 0) -> list[Printed]:
        """Return what was printed during a call, by it and by what it called, in order.

        ``until``: a later call of the same caller; include what was printed before it ended.
        """
        return printed_below(self._store, self._values, self._spans, call, until)

    def processes(self, call: int = 0, until: int = 0) -> list[Process]:
        """Return the processes that a call, or one below it, started; 0: all processes.

        ``until``: a later call of the same caller; include what was started before it ended.
        """
        return self._processes.below(call, until) if call else self._processes.all()

    def outline(self, call: int) -> Hashable:
        """Return something quickly known that is different only for calls with different keys."""
        return outline_of(self._view(call))

    def key(self, call: int) -> bytes:
        """Return a key that is equal for calls with the same function, input, outcome and effect."""
        known = (self._store.segments.event_count, call)
        if known not in self._keys:
            if len(self._keys) >= _REMEMBERED_KEYS:
                self._keys.clear()
            self._keys[known] = self._key(call)
        return self._keys[known]

    def portable_key(self, call: int) -> bytes | None:
        """Return a key of a call's input and outcome that is valid in other runs; None: it has none."""
        return self.portable_keys(call)[1]

    def portable_keys(self, call: int) -> tuple[bytes | None, bytes | None]:
        """Return such a key of a call's input alone, and the one of input and outcome; None: it has none."""
        given = self.input(call)
        effect = self.effect(call, given)
        with uncollected():
            return portable_keys_of(
                self._view(call), given, effect, self.printed(call), self._heap, self._names.of
            )

    def _key(self, call: int) -> bytes:
        given = self.input(call)
        effect = self.effect(call, given)
        with uncollected():
            return key_of(self._view(call), given, effect, self.printed(call), self._heap)
