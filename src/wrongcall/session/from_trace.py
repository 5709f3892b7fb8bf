"""What a session needs to know about calls, from a trace: the only module here that knows traces.

Everything is fetched when it is asked for, one call at a time, except coverage: a strategy by coverage
needs that of all calls, which takes some seconds for a million of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable
from typing import Any, Protocol

import numpy as np

from wrongcall.session.answers import Part, Where
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.pretrusted import ProgramTables
from wrongcall.tree.tree import Tree


class KeySource(Protocol):
    """Tells which calls ask the same question."""

    def key(self, call: int) -> Hashable:
        """Return a key that is equal for calls with the same function, input, outcome and effect."""


class OriginSource(Protocol):
    """Tells where values came from."""

    def origin(self, call: int, path: str, time: int | None = None) -> Any:
        """Return where a value came from; its ``call`` made it, 0 if that is not known.

        Its ``links`` are its way from there, the newest first, each with the ``call`` it was made in.
        """


class CoverageSource(Protocol):
    """Tells what calls executed."""

    def covered(self) -> Any:
        """Return what all calls covered.

        That is a column of calls (``call``), one of the classes they are of (``class_of``), and of each
        class the ``edges`` and ``def_uses`` (``classes``).
        """


class ReplaySource(Protocol):
    """Tells what rebuilding states has cost."""

    @property
    def replayed_events(self) -> int:
        """How many events have been replayed so far."""


class Recorded(Protocol):
    """The part of a recording that a session uses."""

    @property
    def program(self) -> ProgramTables:
        """The functions, each with a file and a qualname, and the files, each with a module."""

    @property
    def questions(self) -> KeySource:
        """The keys of calls."""

    @property
    def places(self) -> OriginSource:
        """The origins of values."""

    @property
    def execution(self) -> CoverageSource:
        """The coverage of calls."""

    @property
    def states(self) -> ReplaySource:
        """The states, and what they cost."""

    def call(self, number: int) -> Any:
        """Return the view of a call; it knows when it had its arguments (``entered``)."""


_FIELDS = {"edges": "edges", "def-use": "def_uses"}


Measure = Callable[[Any, tuple[int, ...], bool], int]
"""Returns the lines of a question about some calls of a trace; the flag: they are a list."""
MOST_EVENTS = 20_000
"""Calls that took more events are not looked at before they are asked about: it takes too long."""
MAX_LOOKED_AT_CALLS = 64
"""Longer lists are not looked at either."""
MAX_REPLAYED_EVENTS = 50_000
"""Once a look has replayed more events than that, to rebuild huge objects, no more looks are taken."""


class TraceFacts:
    """The facts of a trace; see `wrongcall.session.facts.Facts`."""

    def __init__(self, recording: Recorded, tree: Tree, measure: Measure | None = None) -> None:
        """``measure``: returns how many lines a question takes on the screen."""
        self._recording = recording
        self._tree = tree
        self._measure = measure
        self._is_costly = False
        """Whether looking at calls takes long, because of huge objects."""
        self._covered: Any = None
        self._coverage: dict[str, Coverage] = {}

    def question_key(self, call: int) -> Hashable | None:
        """Return the trace's key of a call; one that did not end is like no other."""
        node = self._tree.node(call)
        return self._recording.questions.key(call) if self._tree.completed[node] else None

    def module(self, function: int) -> str:
        """Return the name of the module that a function belongs to."""
        return str(
            self._recording.program.files[self._recording.program.functions[function].file].module
        )

    def functions_of(self, module: str) -> Collection[int]:
        """Return the functions of a module."""
        return {
            number for number in self._recording.program.functions if self.module(number) == module
        }

    def function_name(self, function: int) -> str:
        """Return the qualified name of a function."""
        return str(self._recording.program.functions[function].qualname)

    def origin(self, call: int, part: Part) -> int | None:
        """Return the call that made a value: for a part of the input, as it was at entry.

        What came out wrong may have gone in right, and got to the wrong place on the way: then the
        call that put it there is meant.
        """
        view = self._recording.call(call)
        time = view.entered if part.where is Where.INPUT else None
        found = self._recording.places.origin(call, part.place, time)
        makers = [found.call]
        if part.where is not Where.INPUT:
            makers = [
                m
                for m in (found.call, *(link.call for link in found.links))
                if self._below(call, m)
            ]
        return int(makers[0]) or None if makers else None

    def _below(self, call: int, other: int) -> bool:
        return bool(other) and self._tree.contains(self._tree.node(call), self._tree.node(other))

    def coverage(self, kind: str) -> Coverage | None:
        """Return what the calls covered, in the order of the nodes."""
        if kind not in _FIELDS:
            return None
        if kind not in self._coverage:
            self._covered = self._covered or self._recording.execution.covered()
            self._coverage[kind] = self._classified(_FIELDS[kind])
        return self._coverage[kind]

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        """Return how many lines a question has, unless finding out would take long.

        Time is estimated by counts, never by a clock: the same answers must lead to the same questions.
        """
        if self._measure is None or self._is_costly or len(calls) > MAX_LOOKED_AT_CALLS:
            return None
        first, last = self._recording.call(calls[0]), self._recording.call(calls[-1])
        if last.exit - first.entry > MOST_EVENTS:
            return None
        before = self._recording.states.replayed_events
        lines = self._measure(self._recording, calls, is_list)
        self._is_costly = self._recording.states.replayed_events - before > MAX_REPLAYED_EVENTS
        return lines

    def _classified(self, field: str) -> Coverage:
        """Return one kind of what the calls covered; classes that differ in the other kind only are one."""
        classes: dict[Any, int] = {}
        sets = (frozenset(getattr(each, field)) for each in self._covered.classes)
        merged = np.array([classes.setdefault(each, len(classes)) for each in sets], dtype=np.int32)
        numbers: dict[Any, int] = defaultdict(lambda: len(numbers))
        entities = [[numbers[entity] for entity in each] for each in classes]
        rows = np.searchsorted(self._covered.call, self._tree.calls())
        return Coverage(merged[self._covered.class_of[rows]], entities)
