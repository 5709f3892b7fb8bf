"""The automatic user: says of each call whether the original code would have done the same.

A call in which the mutated function never ran is right: the original would have executed the very same statements. Any
other call is compared with the same call in a run of the original code. Until the mutated function has run once, both
programs are in the same state, so the call with the same number in a run of the original is the one to compare with.
Later, the program is run again up to the call with the mutant, and from there with the original (`switching`).

The user sees what a question shows, expanded: the outcome, what was returned, raised, yielded and printed, and what
changed. If the run that is compared has another call in that place, or shows other arguments, then the test is not
deterministic, and the user doesn't know.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from wrongcall.errors import WrongcallError
from wrongcall.oracles.function_names import portable_name
from wrongcall.present import QuestionView, ValueNode, question
from wrongcall.recording import Recording
from wrongcall.session import Question, Verdict

_WIDTH = 2000
_DEPTH = 6
_NUMBER = re.compile(r"#\d+|call \d+|0x[0-9a-f]{6,}")
_WORST_FIRST = (Verdict.WRONG, Verdict.DONT_KNOW, Verdict.RIGHT)

Compared = Callable[[], Recording | None]
"""Records a run to compare with; None: that failed."""


@dataclass
class Truth:
    """Answers questions about one recorded run of a mutant."""

    recording: Recording
    functions: frozenset[int]
    """The mutated function, by its numbers in the trace."""
    good: Compared
    """Records the original."""
    switched: Callable[[int], Recording | None]
    """Records the program that is the original from the entry of a call on."""
    opened: ExitStack
    why: dict[int, str] = field(default_factory=dict)
    """The reason for each verdict but right."""
    runs: int = 0
    """How many switching programs were run."""
    known: dict[int, Verdict] = field(default_factory=dict)
    """What was answered about which calls."""

    def reply(self, asked: Question) -> Verdict:
        """Return the answer to a question; several calls are right if each of them is."""
        each = {self.verdict(call) for call in asked.calls}
        return next(verdict for verdict in _WORST_FIRST if verdict in each)

    def verdict(self, call: int) -> Verdict:
        """Return whether a call did what the original would have done."""
        if call not in self.known:
            self.known[call] = self._judge(call) if call in self._affected else Verdict.RIGHT
        return self.known[call]

    @cached_property
    def _affected(self) -> frozenset[int]:
        """The calls in which the mutated function ran."""
        table = self.recording.calls.columns()
        parents = dict(zip(table.id.tolist(), table.parent.tolist(), strict=True))
        found: set[int] = set()
        for call in self._mutated.tolist():
            while call and call not in found:
                found.add(call)
                call = parents[call]
        return frozenset(found)

    @cached_property
    def _mutated(self) -> Any:
        table = self.recording.calls.columns()
        return table.id[np.isin(table.function, list(self.functions))]

    @cached_property
    def _good(self) -> Recording | None:
        return self._opened(self.good())

    def _opened(self, recording: Recording | None) -> Recording | None:
        return None if recording is None else self.opened.enter_context(recording)

    def _judge(self, call: int) -> Verdict:
        if call <= int(self._mutated[0]):
            other = self._good
        else:
            self.runs += 1
            other = self._opened(self.switched(call))
        if other is None:
            self.why[call] = "the run to compare with failed"
            return Verdict.DONT_KNOW
        try:
            return self._compare(call, other)
        except WrongcallError as error:
            self.why[call] = f"can't compare: {error}"
            return Verdict.DONT_KNOW

    def _compare(self, call: int, other: Recording) -> Verdict:
        if _place(self.recording, call) != _place(other, call):
            self.why[call] = "another call is in its place"
            return Verdict.DONT_KNOW
        keys = [each.questions.portable_key(call) for each in (self.recording, other)]
        if keys[0] is not None and keys[0] == keys[1]:
            return Verdict.RIGHT
        mine, should = (_shown(each, call) for each in (self.recording, other))
        for part, value in mine.items():
            if value != should[part]:
                self.why[call] = f"{part}: {value!r:.150}, should be {should[part]!r:.150}"
                return Verdict.DONT_KNOW if part == "given" else Verdict.WRONG
        return Verdict.RIGHT


def is_deterministic(recording: Recording, good: Recording, functions: frozenset[int]) -> bool:
    """Return whether the original makes the same calls as the mutant, until the mutated function runs.

    If it doesn't, then the test differs from run to run, and there is nothing to compare with.
    """
    mine, other = (each.calls.columns() for each in (recording, good))
    first = int(np.flatnonzero(np.isin(mine.function, list(functions)))[0])
    if len(other) <= first or not np.array_equal(mine.parent[:first], other.parent[:first]):
        return False
    names = {
        (int(one), int(two))
        for one, two in zip(mine.function[:first], other.function[:first], strict=True)
    }
    return all(
        recording.program.functions[one].qualname == good.program.functions[two].qualname
        for one, two in names
    )


def _place(recording: Recording, call: int) -> tuple[str, str, int]:
    view = recording.call(call)
    parent = view.parent
    return (
        portable_name(recording, view.function.id),
        view.function.qualname,
        parent.id if parent else 0,
    )


def _shown(recording: Recording, call: int) -> dict[str, Any]:
    """Return what a question shows of a call, without the numbers of objects."""
    # What comes first would depend on the source, and on what was called.
    asked: QuestionView = question(
        recording, call, depth=_DEPTH, width=_WIDTH, line_width=_WIDTH, by_use=False
    )
    came_out = [*asked.yielded, *asked.defined, *filter(None, [asked.produced])]
    return {
        "given": [_text(node) for node in asked.given],
        "outcome": asked.outcome,
        "came out": [_text(node) for node in came_out],
        "changed": sorted(
            str([_plain(str(part)) for part in (line.kind, line.place, line.old, line.new)])
            for line in asked.changed
        ),
        "printed": _plain(asked.printed),
    }


def _text(node: ValueNode) -> tuple[str, str, list[Any]]:
    return _plain(node.label), _plain(node.summary), sorted(_text(part) for part in node.parts)


def _plain(text: str) -> str:
    return _NUMBER.sub("#", text)
