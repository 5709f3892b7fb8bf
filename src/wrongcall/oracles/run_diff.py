"""Where two runs part: corresponding calls, compared by what they were given and what they did.

Calls are compared by portable keys, which stand for all that a call was given and did. Where something has no such key
(an open file, a very long text), they are compared by what is quickly known: plain arguments and results. That can
show a difference, but not that there is none; such pairs count as `Sameness.UNKNOWN`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from enum import Enum

from wrongcall.oracles.alignment import Alignment, CallTree, aligned
from wrongcall.recording import Clipped, Outcome, Recording, Ref, Value

MAX_KEY_EVENTS = 5000
"""Of calls that took more events, no keys are made: it takes too long."""
_MODULES = frozenset({"module", "class"})


class Sameness(Enum):
    """How two corresponding calls compare."""

    SAME = "same"
    OUTCOME = "other outcome"  # for the same input: here something went another way
    INPUT = "other input"
    UNKNOWN = "unknown"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class Compared:
    """A pair of corresponding calls."""

    first: int
    second: int
    sameness: Sameness


@dataclass(frozen=True)
class RunDiff:
    """What is different in a second run."""

    alignment: Alignment
    compared: tuple[Compared, ...]
    """In the order in which the second run ended the calls."""
    parts: tuple[Compared, ...]
    """Calls with another outcome for the same input, none of whose own calls is one; the first one first."""

    @property
    def counts(self) -> Counter[Sameness]:
        """How many pairs compare how."""
        return Counter(each.sameness for each in self.compared)


def diff_of(first: Recording, second: Recording) -> RunDiff:
    """Compare two runs; the first one is the good one, if any is."""
    alignment = aligned(CallTree.of(first), CallTree.of(second))
    table = second.calls.columns()
    exits = dict(zip(table.id.tolist(), table.exit.tolist(), strict=True))
    parents = dict(zip(table.id.tolist(), table.parent.tolist(), strict=True))
    pairs = sorted(alignment.pairs, key=lambda pair: (exits[pair[1]] < 0, exits[pair[1]]))
    compared = tuple(
        Compared(one, other, sameness(first, second, one, other)) for one, other in pairs
    )
    return RunDiff(alignment, compared, tuple(_innermost(compared, parents)))


def _innermost(compared: tuple[Compared, ...], parents: dict[int, int]) -> Iterator[Compared]:
    """Iterate over calls with another outcome that none of their own calls explains."""
    above: set[int] = set()
    for each in compared:  # the inner ones end first
        if each.sameness is not Sameness.OUTCOME:
            continue
        if each.second not in above:
            yield each
        caller = parents[each.second]
        while caller and caller not in above:
            above.add(caller)
            caller = parents[caller]


def sameness(first: Recording, second: Recording, one: int, other: int) -> Sameness:
    """Compare two calls."""
    calls = first.call(one), second.call(other)
    if any(call.exit < 0 for call in calls):
        return Sameness.UNFINISHED
    if calls[0].function.kind in _MODULES:
        same = calls[0].outcome == calls[1].outcome
        return Sameness.UNKNOWN if same else Sameness.OUTCOME
    sketches = sketch(first, one), sketch(second, other)
    if sketches[0][0] != sketches[1][0]:
        return Sameness.INPUT
    if any(call.exit - call.entry > MAX_KEY_EVENTS for call in calls):
        return Sameness.UNKNOWN
    (given, whole), (other_given, other_whole) = (
        recording.questions.portable_keys(number)
        for recording, number in ((first, one), (second, other))
    )
    if given is None or other_given is None:
        return Sameness.UNKNOWN
    if given != other_given:
        return Sameness.INPUT
    if whole is not None and whole == other_whole:
        return Sameness.SAME
    if sketches[0][1] != sketches[1][1] or (whole is not None and other_whole is not None):
        return Sameness.OUTCOME
    return Sameness.UNKNOWN


Sketch = tuple[Hashable, Hashable]


def sketch(recording: Recording, number: int) -> Sketch:
    """Return what is quickly known of a call's input, and of its outcome; both are valid in other runs."""
    call = recording.call(number)
    given = tuple((passed.name, _plain(passed.value)) for passed in call.args)
    return given, (call.outcome, _plain(call.value) if call.outcome is Outcome.RETURNED else "")


def _plain(value: Value) -> Hashable:
    if isinstance(value, Ref):
        return "an object"
    if isinstance(value, Clipped):
        return type(value).__name__, value.length, value.beginning
    return type(value).__name__, repr(value)
