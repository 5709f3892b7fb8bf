"""The programs of ``examples/``: where their bugs are, and sessions that look for them.

``examples/bugs.toml`` says for each what the oracle is not told: the function and the line of the
bug. A session starts as a user would start: the run as a whole is known to be wrong.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

import wrongcall.recording
from tests.examples.twin import Twin
from tests.oracles.reference.here import Here
from tests.session.truth import advanced
from wrongcall.present.screens.reading import lines_to_read, shown_lines
from wrongcall.recording import Recording
from wrongcall.session import Finding, Next, Question, Session, Verdict
from wrongcall.session.from_trace import TraceFacts
from wrongcall.session.strategies import strategies
from wrongcall.tree.from_trace import chains_of, tree_of


class Program(Protocol):
    """A program with a bug, and the program without it."""

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> Path: ...

    @property
    def fixed(self) -> Path: ...


ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples"
MOST = 1000
"""No session asks so much."""


@dataclass(frozen=True)
class Example:
    """A program with a bug, and the program without it."""

    name: str
    function: str
    line: int
    wrong: str
    """What to ask the origin of in the buggy call; empty: nothing there is a wrong value."""
    about: str
    twin: bool = False
    """Its calls cannot be repeated: a run of the corrected program judges them."""

    @property
    def path(self) -> Path:
        """The program."""
        return FOLDER / f"{self.name}.py"

    @property
    def fixed(self) -> Path:
        """The corrected program."""
        return FOLDER / "fixed" / f"{self.name}.py"


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    table = tomllib.loads((FOLDER / "bugs.toml").read_text())
    return {
        name: Example(
            name,
            bug["function"],
            bug["line"],
            bug.get("wrong", ""),
            bug["about"],
            bug.get("oracle") == "twin",
        )
        for name, bug in table.items()
    }


def recorded(example: Program, folder: Path, *, fixed: bool = False) -> Recording:
    """Record an example, or the corrected program, and open the trace."""
    path = folder / f"{example.name}{'-fixed' if fixed else ''}.wrongcall"
    program = example.fixed if fixed else example.path
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(path), str(program)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    return wrongcall.recording.open(path)


@dataclass(frozen=True)
class Played:
    """A session that was played to its end."""

    step: Next
    questions: int
    lines: int
    """On a screen of 80 columns, of all questions together."""

    @property
    def finding(self) -> Finding:
        """What was found."""
        if not isinstance(self.step, Finding):
            raise AssertionError(f"nothing was found: {self.step}")
        return self.step


def oracle_of(example: Example, recording: Recording) -> Here | Twin:
    """Return the oracle that the corrected program is for a trace; a twin is kept beside it."""
    if not example.twin:
        return Here.of(recording, example.fixed)
    return Twin(recording, recorded(example, recording.path.parent, fixed=True))


class Player:
    """Plays sessions about one run; the corrected program answers."""

    def __init__(self, example: Example, recording: Recording) -> None:
        self.recording = recording
        self.reference = oracle_of(example, recording)
        self.tree = tree_of(recording)
        self.facts = TraceFacts(recording, self.tree, lines_to_read)
        self._verdicts: dict[tuple[int, ...], Verdict] = {}
        self._lines: dict[tuple[tuple[int, ...], bool], int] = {}

    @cached_property
    def _chains(self) -> object:
        return chains_of(self.recording, self.tree)

    def verdict(self, calls: tuple[int, ...]) -> Verdict:
        """Return what the corrected program says about calls."""
        if calls not in self._verdicts:
            self._verdicts[calls] = self.reference.verdict(calls)
        return self._verdicts[calls]

    def reply(self, asked: Question) -> Verdict:
        """Return what the corrected program says to a question."""
        if not asked.is_list:
            return self.verdict(asked.calls)
        each = {self.verdict((call,)) for call in asked.calls}
        wanted = (Verdict.WRONG, Verdict.DONT_KNOW, Verdict.RIGHT)
        return next(verdict for verdict in wanted if verdict in each)

    def lines(self, asked: Question) -> int:
        """Return how many lines a question has."""
        key = (asked.calls, asked.is_list)
        if key not in self._lines:
            self._lines[key] = len(shown_lines(self.recording, *key))
        return self._lines[key]

    @cached_property
    def sessions(self) -> dict[tuple[str, bool], Played]:
        """A session with every strategy, on the tree as it is (False) and balanced (True)."""
        return {
            (name, balanced): self.play(name, balanced=balanced)
            for name in strategies()
            for balanced in (False, True)
        }

    def found(self, played: Played) -> str:
        """Return the name of the function in which the bug was found."""
        number = played.finding.function
        return self.recording.program.functions[number].qualname if number is not None else ""

    def play(self, strategy: str, *, balanced: bool) -> Played:
        """Answer questions until something is found."""
        chains = self._chains if balanced else None
        session = Session(self.tree, self.facts, strategy=strategy, chains=chains)  # type: ignore[arg-type]
        session.judge(1, Verdict.WRONG)
        lines = 0
        for count in range(MOST):
            step = advanced(session)
            if not isinstance(step, Question):
                return Played(step, count, lines)
            lines += self.lines(step)
            session.answer(self.reply(step), question=step)
        raise AssertionError(f"{strategy} does not end")
