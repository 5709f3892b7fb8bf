"""The corrected program as an oracle for calls that cannot be repeated: a run of it beside the recorded one.

Objects of libraries (a database session, a request) cannot be rebuilt from a trace, so calls that are given them
cannot be made again. Instead the corrected program is recorded as a whole. As long as both runs make the same
calls, each has its *twin* in the other: the call at the same place in the tree. A call that is shown to be given
the same as its twin is right if the same is shown to have come of it, and wrong otherwise; one that is shown to be
given something else cannot be judged.

So this oracle sees what people see, and no more. It is sound only for bugs whose wrong values are not kept where
they are not shown (in a database, say): a later call that finds them there would be called wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from wrongcall.present import QuestionView, ValueNode, question
from wrongcall.recording import Call, Recording
from wrongcall.session import Verdict

_WIDTH = 2000
_DEPTH = 6
_NUMBER = re.compile(r"#\d+|call \d+")


@dataclass
class Twin:
    """Judges the calls of one trace by those of another."""

    recording: Recording
    corrected: Recording
    name: str = "a run of the corrected program"
    why: dict[tuple[int, ...], str] = field(default_factory=dict)
    """What was different, or why nothing is known."""

    def __post_init__(self) -> None:
        self._twins: dict[int, int] = {}
        pairs = list(zip(self.recording.calls.roots(), self.corrected.calls.roots(), strict=False))
        while pairs:
            one, other = pairs.pop()
            if _place(one) == _place(other):
                self._twins[one.id] = other.id
                pairs += zip(one.children, other.children, strict=False)

    def twin(self, call: int) -> int:
        """Return the twin of a call."""
        return self._twins[call]

    def verdict(self, calls: tuple[int, ...]) -> Verdict:
        """Return whether all calls are shown to have done what their twins did."""
        each = {self._judge(number) for number in calls}
        wanted = (Verdict.WRONG, Verdict.DONT_KNOW, Verdict.RIGHT)
        return next(verdict for verdict in wanted if verdict in each)

    def _judge(self, number: int) -> Verdict:
        if number not in self._twins:
            self.why[number,] = "it has no twin"
            return Verdict.DONT_KNOW
        one, other = (
            _shown(recording, call)
            for recording, call in ((self.recording, number), (self.corrected, self._twins[number]))
        )
        for part in one:
            if one[part] != other[part]:
                self.why[number,] = f"{part}: {one[part]!r:.200}, its twin {other[part]!r:.200}"
                return Verdict.DONT_KNOW if part == "given" else Verdict.WRONG
        return Verdict.RIGHT


def _place(call: Call) -> tuple[str, str, int]:
    return call.function.qualname, call.function.kind, call.caller_line


def _shown(recording: Recording, number: int) -> dict[str, Any]:
    """Return what a question shows of a call, without the numbers of objects."""
    asked: QuestionView = question(recording, number, depth=_DEPTH, width=_WIDTH, line_width=_WIDTH)
    changed = [(line.kind, line.place, line.old, line.new) for line in asked.changed]
    came_out = [*asked.yielded, *asked.defined, *filter(None, [asked.produced])]
    return {
        "given": [_text(node) for node in (*asked.given, *asked.read)],
        "outcome": asked.outcome,
        "came out": [_text(node) for node in came_out],
        "changed": [tuple(_plain(str(part)) for part in line) for line in changed],
        "printed": asked.printed,
    }


def _text(node: ValueNode) -> tuple[str, str, list[Any]]:
    # Which parts come first depends on the source of the function, which is corrected.
    parts = sorted(_text(part) for part in node.parts)
    return _plain(node.label), _plain(node.summary), parts


def _plain(text: str) -> str:
    return _NUMBER.sub("#", text)
