"""Agents: what programs answered about this run, in sessions of their own (`wrongcall mcp`).

Their answers are no more than likely: they change the order of the questions, and the user is asked about every call
that a finding rests on.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from wrongcall.recording import Recording
from wrongcall.session.answers import Answer, Confidence, Verdict, from_plain, standing
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.trace.read.session_store import load_session, session_names

SESSION_PREFIX = "agent "
"""What the names of agents' sessions begin with."""
_KEPT = (Verdict.RIGHT, Verdict.WRONG, Verdict.INADMISSIBLE)


class Agents(Oracle):
    """Passes on what agents said about the calls of a trace."""

    name = "agents"

    def __init__(self, recording: Recording) -> None:
        self._path = recording.path

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return what an agent said last about exactly these calls."""
        return self._said.get((calls[0], calls[-1]))

    @cached_property
    def _said(self) -> dict[tuple[int, int], Opinion]:
        found: dict[tuple[int, int], Opinion] = {}
        for name in session_names(self._path):
            if name.startswith(SESSION_PREFIX):
                agent = name.removeprefix(SESSION_PREFIX)
                found.update(_opinions(agent, self._answers(name)))
        return found

    def _answers(self, name: str) -> list[Answer]:
        """Return the answers of a session that were not taken back."""
        entries = [from_plain(each) for each in load_session(self._path, name).entries]
        return [answer for _, answer in standing(entries)]


def _opinions(agent: str, answers: list[Answer]) -> dict[tuple[int, int], Opinion]:
    found = {}
    for answer in answers:
        verdict = Verdict.WRONG if answer.verdict is Verdict.WRONG_PART else answer.verdict
        if answer.by == agent and verdict in _KEPT:
            day = datetime.fromtimestamp(answer.at).strftime("%Y-%m-%d")
            reason = f"the agent {agent} said so on {day}"
            found[answer.calls] = Opinion(verdict, Confidence.LIKELY, reason)
    return found
