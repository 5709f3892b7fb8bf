"""Sessions that the automatic user plays to their end, as the terminal's dialogue would."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from mutants.truth import Truth
from wrongcall.oracles.chosen import Chosen
from wrongcall.oracles.reference.same_run import Again
from wrongcall.oracles.reference.version import Version
from wrongcall.present.groups import member
from wrongcall.present.screens.reading import lines_to_read, shown_lines
from wrongcall.recording import Recording
from wrongcall.session import Contradiction, Finding, NeedsMoreTree, Next, NoBug, Question
from wrongcall.session.failures import failures_of
from wrongcall.session.search import How, Search
from wrongcall.session.starts import start_at

MOST_QUESTIONS = 60
"""A user would have given up."""
_ENDS = {NoBug: "no bug", NeedsMoreTree: "needs more tree", Contradiction: "contradiction"}


@dataclass
class Played:
    """How a session went."""

    end: str = ""
    """found, another function, undecided, or why nothing was found."""
    questions: int = 0
    lines: int = 0
    """On a screen of 80 columns, of all questions together."""
    seconds: float = 0.0
    """That wrongcall took, without the user."""
    dont_know: int = 0
    finding: str = ""
    asked: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return asdict(self)


@dataclass
class Lengths:
    """The lines of questions about one recorded run, counted once for all sessions.

    Counting takes about half of a session's time. Each session is charged for what it asks, as if it had counted.
    """

    known: dict[tuple[tuple[int, ...], bool], tuple[int, float]] = field(default_factory=dict)
    saved: float = 0.0
    """The seconds that it would have taken to count again."""

    def count(self, recording: Recording, calls: Sequence[int], is_list: bool) -> int:
        """Return the lines of a question."""
        asked = tuple(calls), is_list
        if asked in self.known:
            lines, seconds = self.known[asked]
            self.saved += seconds
            return lines
        began = time.perf_counter()
        lines = lines_to_read(recording, calls, is_list)
        self.known[asked] = lines, time.perf_counter() - began
        return lines


@dataclass
class Player:
    """Plays sessions about one recorded run."""

    recording: Recording
    truth: Truth
    line: int
    """The mutated line."""
    lengths: Lengths = field(default_factory=Lengths)
    again: Again | None = None
    """Records the test with the original code, as ``wrongcall regress`` does."""

    def play(
        self, name: str, oracles: tuple[str, ...], root: Path | None, original: Path
    ) -> Played:
        """Play a session with some oracles; ``original``: the folder of the project as it should be."""
        played = Played()
        reference = Version(original, "the original")
        chosen = Chosen(oracles, root, _described, reference=reference, again=self.again)
        how = How(name=name, fresh=True, oracles=chosen.oracles)
        began, self.lengths.saved = time.perf_counter(), 0.0
        with Search(self.recording, how, measure=self.lengths.count) as search:
            search.begin(start_at(self.recording, failures_of(self.recording)[0]))
            played.seconds += time.perf_counter() - began
            self._ask(search, played)
        played.seconds += self.lengths.saved
        return played

    def _ask(self, search: Search, played: Played) -> None:
        while played.questions < MOST_QUESTIONS:
            began = time.perf_counter()
            search.settle()
            led = search.led()
            if led is None:
                search.advance()
            step = search.step() if led is None else led
            played.seconds += time.perf_counter() - began
            if not isinstance(step, Question):
                self._end(step, played)
                return
            self._answer(search, step, led is not None, played)
        played.end = "too many questions"

    def _answer(self, search: Search, asked: Question, is_led: bool, played: Played) -> None:
        verdict = self.truth.reply(asked)
        played.questions += 1
        played.dont_know += verdict.value == "dont_know" or "know" in verdict.value
        played.lines += len(shown_lines(self.recording, asked.calls, asked.is_list))
        name = self.recording.call(asked.calls[0]).function.qualname
        more = f" and {len(asked.calls) - 1} more" if asked.is_group else ""
        played.asked.append(f"#{asked.calls[0]} {name}{more}: {verdict.value}")
        began = time.perf_counter()
        if is_led:
            calls = (asked.calls[0], asked.calls[-1])
            search.tell(lambda session: session.judge(calls, verdict))
        else:
            search.tell(lambda session: session.answer(verdict, question=asked))
        played.seconds += time.perf_counter() - began

    def _end(self, step: Next, played: Played) -> None:
        if not isinstance(step, Finding):
            played.end = _ENDS[type(step)]
            return
        if not step.calls:
            played.end = "undecided"
            return
        function = self.recording.call(step.calls[0]).function
        played.finding = f"#{step.calls[0]} {function.qualname}"
        played.end = "found" if self._is_mutated(function.id) else "another function"

    def _is_mutated(self, number: int) -> bool:
        """Return whether it is the mutated function, or a part of it with the mutated line."""
        function = self.recording.program.functions[number]
        if number in self.truth.functions:
            return True
        is_part = function.name.startswith("<") and function.outer in self.truth.functions
        return is_part and function.line <= self.line <= function.end_line


def _described(recording: Recording, call: int) -> tuple[str, str]:
    shown = member(recording, call, 120)
    return shown.title, shown.outcome
