"""An oracle with the opinions that a test gives it, and sessions that ask it."""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Judged, Opinion, Oracle
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.tree.tree import Tree

SMALL = [-1, 0, 1, 1, 0, 4, 4, 6]
"""0 calls 1 and 4; 1 calls 2 and 3; 4 calls 5 and 6; 6 calls 7."""


class Says(Oracle):
    """Has the opinions that a test gives it."""

    name = "says"

    def __init__(self, **opinions: Opinion) -> None:
        self.told_last: Sequence[Judged] = ()
        self.asked: list[tuple[int, ...]] = []
        self._opinions = {int(call[1:]): opinion for call, opinion in opinions.items()}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        self.asked.append(calls)
        return self._opinions.get(calls[0]) if len(calls) == 1 else None

    def told(self, judged: Sequence[Judged]) -> None:
        self.told_last = judged


def likely(verdict: Verdict) -> Opinion:
    return Opinion(verdict, Confidence.LIKELY, "because")


def a_session(*oracles: Oracle, strategy: str = "optimal-dq") -> Session:
    session = Session(Tree.from_parents(SMALL, range(8)), strategy=strategy, oracles=oracles)
    session.judge(0, "wrong")
    return session


def asked(session: Session) -> Question:
    session.advance()
    step = session.step()
    assert isinstance(step, Question)
    return step
