"""The search inside one call: which statement left a wrong state behind?

The call is wrong, and what it was given is right. So up to some boundary (see `boundaries`) all is well, and from there
on it is not. That is a tree of a special shape, in which each boundary is the only child of the next one: a wrong
boundary says that the bug is there or before, and a right one that it comes later. The session that searches it is the
one for calls, with the same strategies and answers; the "calls" of its answers are boundaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from wrongcall.analysis.inside.boundaries import Boundaries, boundaries_of
from wrongcall.analysis.inside.inside import Inside, place_of
from wrongcall.errors import SessionError, UsageError
from wrongcall.recording import Recording
from wrongcall.session.answers import ASSUMED, Answer, Entry, Part, Verdict
from wrongcall.session.facts import NoFacts
from wrongcall.session.session import DEFAULT_STRATEGY, Session
from wrongcall.session.steps import Finding, InsideFinding, Question
from wrongcall.session.strategies import strategies
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import Tree
from wrongcall.tree.weights import IndividualWeights

WHOLE = 0
"""The boundary that is known to be wrong: the end of the call."""
_RARELY = 0.25
"""How likely something is missing at the end of a round or branch, compared with a wrong statement."""
MAX_EXPLORED = 200
"""Nodes of a wrong part's origin to explore."""
_ONLY_CALLS = frozenset({Verdict.TRUST_FUNCTION, Verdict.TRUST_MODULE, Verdict.INADMISSIBLE})


class InsideFacts(NoFacts):
    """What a search inside a call needs of the trace."""

    def __init__(
        self,
        recording: Recording,
        boundaries: Boundaries,
        last_right: Callable[[int], int | None],
    ) -> None:
        self._recording = recording
        self._boundaries = boundaries
        self.last_right = last_right

    def function_name(self, function: int) -> str:
        """Return the source of a part."""
        return self._boundaries.inside.outline.parts[function].text

    def origin(self, call: int, part: Part) -> int | None:
        """Return the boundary to ask about if a part is wrong at one: it halves what the part depended on there.

        That is everything the call did for it since the last boundary that is known to be right. If that is a single
        statement, it is the one. None: the call was given it.
        """
        inside = self._boundaries.inside
        after = int(inside.after[int(self._boundaries.node[call])])
        known = self.last_right(call)
        first = (
            self._recording.call(inside.call).entered
            if known is None
            else int(inside.after[int(self._boundaries.node[known])])
        )
        found = {self._boundary_at(time) for time in self._needed(part.path, first, after)}
        asked = sorted(each for each in found if each is not None and each > call)
        return asked[len(asked) // 2] if asked else None

    def _needed(self, path: str, first: int, after: int) -> Iterator[int]:
        """Iterate over the times between two at which the call did something that a place depended on."""
        places, call = self._recording.places, self._boundaries.inside.call
        root = places.origin_tree(call, path, after)
        for each in islice(places.origin_slice(root), MAX_EXPLORED):
            if each.node.call == call and first < each.node.time <= after:
                yield each.node.time

    def _boundary_at(self, time: int) -> int | None:
        return self._boundaries.of_node(self._boundaries.inside.leaf_at(time))


class InsideSession(Session):
    """A search inside one call."""

    def __init__(
        self,
        recording: Recording,
        inside: Inside,
        *,
        strategy: str = DEFAULT_STRATEGY,
        entries: Iterable[Entry] = (),
    ) -> None:
        self.inside = inside
        self.boundaries = boundaries_of(inside)
        self._recording = recording
        known = strategies().get(strategy)
        if known is None or known.needs_coverage is not None:
            strategy = DEFAULT_STRATEGY
        told = list(entries)
        super().__init__(
            _chain(self.boundaries),
            InsideFacts(recording, self.boundaries, self.last_right),
            strategy=strategy,
            entries=told,
        )
        if not told:
            self.judge(WHOLE, Verdict.WRONG, by=ASSUMED)

    @property
    def call(self) -> int:
        """The call that is searched."""
        return self.inside.call

    def node(self, boundary: int) -> int:
        """Return the execution that a boundary ends."""
        return int(self.boundaries.node[boundary])

    def last_right(self, boundary: int) -> int | None:
        """Return the nearest boundary before one that is known to be right; None: only the entry of the call is."""
        right = {answer.calls[0] for _, answer in self.answers() if answer.verdict is Verdict.RIGHT}
        return min((each for each in right if each > boundary), default=None)

    def found(self) -> InsideFinding | None:
        """Return where the bug is; None: there are questions left."""
        step = self.step()
        if not isinstance(step, Finding):
            return None
        (boundary,) = step.calls
        is_missing = bool(self.boundaries.is_closing[boundary])
        return InsideFinding(
            self.call, boundary, self.node(boundary), step.evidence, step.undecided, is_missing
        )

    def calls_at(self, boundary: int) -> list[int]:
        """Return the calls that were made by the execution that a boundary ends."""
        inside, node = self.inside, self.node(boundary)
        end = int(inside.end_step[node])
        last = place_of(inside.step, end)
        child = inside.child[node:last]
        return [int(call) for call in child[child > 0]]

    def about(self, boundary: int) -> Question:
        """Return the question about any boundary."""
        return self._question(boundary)

    def _question(self, node: int) -> Question:
        return replace(super()._question(node), inside=self.call)

    def _check_verdict(self, verdict: Verdict) -> None:
        if verdict in _ONLY_CALLS:
            raise SessionError(f"{verdict.value!r} is for calls; answer right, wrong or don't know")


def _chain(boundaries: Boundaries) -> Tree:
    """Return the tree in which each boundary contains all that come before it."""
    count = len(boundaries)
    parent = np.arange(-1, count - 1, dtype=np.int32)
    end = np.full(count, count, dtype=np.int32)
    function = boundaries.inside.part[boundaries.node].astype(np.int32)
    tree = Tree(parent, end, function, np.ones(count, dtype=np.bool_), over=True)
    none = np.zeros(count, dtype=np.bool_)
    tree.reading = Reading(boundaries.lines, boundaries.lines, none)
    tree.weights = IndividualWeights(np.where(boundaries.is_closing, _RARELY, 1.0))
    return tree


def inside_of(
    recording: Recording, call: int, strategy: str, entries: Sequence[Entry] = ()
) -> InsideSession | None:
    """Return the search inside a call; None if there is nothing to search."""
    try:
        inside = recording.inside.of(call)
    except UsageError:
        return None
    if inside is None or len(inside) < 2:
        return None
    return InsideSession(recording, inside, strategy=strategy, entries=entries)


def told_by_user(session: InsideSession) -> list[Answer]:
    """Return what was answered about boundaries."""
    return [answer for _, answer in session.answers() if answer.by != ASSUMED]
