"""The tools `diagnose` and `question`: an agent's own session about a trace.

An agent's answers are kept in a session of its own, named after it, and change nothing in the user's: there they count
as likely (`wrongcall.oracles.agents`), so that a person confirms every answer that a finding rests on.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from wrongcall.cli import config
from wrongcall.cli.ask.options import add_search_options, how_of
from wrongcall.cli.ask.start_options import start_of
from wrongcall.errors import UsageError
from wrongcall.mcp.replies import SearchStateReply
from wrongcall.oracles.agents import SESSION_PREFIX
from wrongcall.present.estimates import why_text
from wrongcall.present.failures import failure_lines
from wrongcall.present.findings import FindingView
from wrongcall.present.groups import member
from wrongcall.present.lines import text_of
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.screens.question import Head, Size
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session import Answer, Contradiction, Finding, NoBug, Question, Session
from wrongcall.session.answers import Part, Verdict, Where
from wrongcall.session.failures import Failure
from wrongcall.session.search import Search
from wrongcall.session.steps import Next

WIDTH = 110
_SIZE = Size(WIDTH, 60)
MAX_CALLS = 100
"""Of a group, in one answer."""
_RANKED = 6
_NAME = re.compile(r"[\w.@ -]{1,40}\Z")
VERDICTS = {
    "right": Verdict.RIGHT,
    "wrong": Verdict.WRONG,
    "dont_know": Verdict.DONT_KNOW,
    "invalid_call": Verdict.INADMISSIBLE,
    "trust_function": Verdict.TRUST_FUNCTION,
}
"""What an agent can say, and what it means."""


@dataclass(frozen=True)
class Beginning:
    """Where a search starts; nothing: at the failed test, the exception, or the whole run."""

    test: str = ""
    call: str = ""
    printed: str = ""


def session_name(agent: str) -> str:
    """Return the name of an agent's session."""
    if not _NAME.match(agent):
        raise UsageError(f"{agent!r} is no name for an agent; use up to 40 letters and digits")
    return f"{SESSION_PREFIX}{agent}"


@contextmanager
def searching(
    recording: Recording, agent: str, where: Beginning, *, restart: bool = False
) -> Iterator[tuple[Search, list[str]]]:
    """Open the search of an agent, with the answers that need nobody; and what it begins with, in words."""
    args = _options(agent, where, restart)
    settings, root = config.of_recording(recording), config.project_of(recording)
    with Search(recording, how_of(args, settings, root), measure=lines_to_read) as search:
        start = start_of(
            recording, args, lambda calls, why: _only_one(recording, calls), _only_test
        )
        search.begin(start)
        search.advance()
        yield search, [text_of(line) for line in failure_lines(recording, start, WIDTH)]


def _options(agent: str, where: Beginning, restart: bool) -> argparse.Namespace:
    """Return the options of a search, as the command line has them."""
    parser = argparse.ArgumentParser()
    add_search_options(parser)
    words = ["--session", session_name(agent)]
    words += [f"--{name}={said}" for name, said in vars(where).items() if said]
    words += ["--restart"] if restart else []
    return parser.parse_args(words)


def _only_test(failures: list[Failure]) -> Failure:
    names = "\n".join(f"  {safe(each.test)}" for each in failures[:20])
    raise UsageError(f"{len(failures):,} tests failed; pass one of them as `test`:\n{names}")


def _only_one(recording: Recording, calls: list[int]) -> int:
    if len(calls) == 1:
        return calls[0]
    shown = "\n".join(f"  #{call} {member(recording, call, WIDTH).title}" for call in calls[:10])
    raise UsageError(f"{len(calls):,} calls match; pass one as `call`, like #{calls[0]}:\n{shown}")


# -- telling ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """An answer."""

    verdict: str = ""
    """One of `VERDICTS`."""
    call: int = 0
    """The call that it is about; 0: the open question."""
    part: str = ""
    """The wrong part of the outcome, as in ``result[2]``."""
    expected: str = ""
    """What should have come out instead."""


def answer(search: Search, agent: str, said: Said) -> None:
    """Take an agent's answer to the open question, or about any call."""
    if said.verdict not in VERDICTS:
        raise UsageError(f"unknown verdict {said.verdict!r}; use {', '.join(VERDICTS)}")
    verdict, part = VERDICTS[said.verdict], None
    if said.part:
        if verdict is not Verdict.WRONG:
            raise UsageError("`part` names the wrong part; pass it with the verdict wrong")
        verdict, part = Verdict.WRONG_PART, Part(Where.OUTCOME, said.part)
    asked, expected = next_of(search), said.expected or None
    if isinstance(asked, Question) and asked.inside and not said.call:
        part = Part(Where.EFFECT, said.part) if said.part else None
        search.answer(asked, verdict, part=part, expected=expected, by=agent, replace=True)
        search.advance()
        return
    calls = _calls(asked, said.call)

    def tell(session: Session) -> None:
        session.judge(calls, verdict, part=part, expected=expected, by=agent, replace=True)

    search.tell(tell)
    search.advance()


def _calls(asked: Next, about: int) -> int | tuple[int, int]:
    if about:
        return about
    if not isinstance(asked, Question):
        raise UsageError("no question is open; pass `call` to judge a call by its number")
    return asked.calls[0], asked.calls[-1]


def undo(search: Search) -> None:
    """Take the last answer back."""
    search.undo()
    search.advance()


def finding_of(search: Search, found: Finding) -> FindingView:
    """Return the view of a finding."""
    return Drawing(search).view(found, _SIZE)


# -- saying ----------------------------------------------------------------------------------------


def next_of(search: Search) -> Next:
    """Return what was found, or the next question."""
    step = search.step()
    return step if isinstance(step, Finding) else search.led() or step


def state_of(search: Search, begins: list[str]) -> tuple[SearchStateReply, list[str]]:
    """Return where the search is: the facts, and the lines to read."""
    step = next_of(search)
    lines = list(begins)
    facts = SearchStateReply(
        text="", next="", status=_STATUS.get(type(step), "needs_more_tree"), calls=[]
    )
    if isinstance(step, Question):
        facts.calls, facts.next = [*step.calls[:MAX_CALLS]], _TO_ANSWER
        facts.judge_each = step.is_list
        lines += _question(search, step)
        if step.inside:
            facts.calls, facts.next = [step.inside], _TO_ANSWER_INSIDE
        else:
            lines += _ranking(search)
    elif isinstance(step, Finding):
        facts.calls, facts.place = [*step.calls[:MAX_CALLS]], finding_of(search, step).place
        facts.proved = not _unproved(search, step)
        facts.next = _TO_MEND if facts.proved else _TO_CONFIRM
        lines += [text_of(line) for line in Drawing(search).finding(step, _SIZE)]
        lines += _said_by(search, step)
    elif isinstance(step, Contradiction):
        facts.next = "question(action='undo'), or judge one of these calls again"
        lines.append(safe(str(step)))
    else:
        facts.next = (
            "judge a call by its number, or start elsewhere: `call` or `printed` of diagnose"
        )
        lines.append(_NO_BUG if isinstance(step, NoBug) else _NO_MORE)
    lines += [f"Oracle {safe(name)}: {safe(why)}" for name, why in search.troubles.items()]
    return facts, lines


_STATUS: dict[type, str] = {
    Question: "question",
    Finding: "finding",
    Contradiction: "contradiction",
    NoBug: "no_bug",
}
_TO_ANSWER = (
    "decide from the function's purpose, without reading its body, whether the outcome is right; then "
    "question(action='answer', verdict=...). Look closer with call or origin."
)
_TO_ANSWER_INSIDE = (
    "the bug is in this call: decide whether its state is right up to this place, given its arguments; then "
    "question(action='answer', verdict=right, wrong or dont_know), with part='x' for a wrong variable."
)
_TO_MEND = "call, for its whole life; then mend the function and record again"
_TO_CONFIRM = "mend it and record again; or let a person confirm it: wrongcall debug TRACE asks about these answers"
_NO_BUG = "No call has the bug, if the answers are right."
_NO_MORE = "All completed calls are judged; the program is still running."


def _question(search: Search, asked: Question) -> list[str]:
    lines = [text_of(line) for line in Drawing(search).question(asked, Head(0, ""), _SIZE)]
    lines += [f"likely {answer.verdict.value}: {safe(answer.reason)}" for answer in asked.opinions]
    if isinstance(search.current.step(), Question):
        lines.append(why_text(search.current.why(), "place" if asked.inside else "call"))
    return lines


def _ranking(search: Search) -> list[str]:
    """Return the functions that can still have the bug, the most suspicious first."""
    effective = search.session.suspects.compact()
    known = effective.nodes >= 0
    functions = search.session.tree.function[effective.nodes[known]]
    weights = np.bincount(functions[functions >= 0], effective.own[known][functions >= 0])
    counts = np.bincount(functions[functions >= 0])
    order = np.argsort(-weights, kind="stable")[:_RANKED]
    total = weights.sum()
    names = search.recording.program.functions
    ranked = [
        f"  {safe(names[int(f)].qualname)}: {weights[f] / total:.0%} of the suspicion, {_calls_made(counts[f])}"
        for f in order.tolist()
        if counts[f]
    ]
    return ["", "The bug can be in:", *ranked] if ranked else []


def _calls_made(count: int) -> str:
    return "1 call" if count == 1 else f"{count:,} calls"


def _unproved(search: Search, found: Finding) -> list[Answer]:
    """Return the answers of agents that a finding rests on."""
    entries = search.session.entries
    answers = [entries[number - 1] for number in found.evidence]
    if found.inside is not None and search.inside is not None:
        answers += [search.inside.entries[number - 1] for number in found.inside.evidence]
    by = search.how.name.removeprefix(SESSION_PREFIX)
    return [each for each in answers if isinstance(each, Answer) and each.by == by]


def _said_by(search: Search, found: Finding) -> list[str]:
    """Say on whose word a finding rests."""
    said = _unproved(search, found)
    if not said:
        return ["", "Proved: it rests on no answer of an agent."]
    answers = "an answer" if len(said) == 1 else f"{len(said)} answers"
    return ["", f"Not proved yet: it rests on {answers} of an agent, for a person to confirm."]
