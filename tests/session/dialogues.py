"""Small trees, and dialogues about them."""

from __future__ import annotations

from tests.session.truth import Truth, play
from wrongcall.session.answers import Verdict
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding, Question
from wrongcall.tree.tree import Tree

#        0
#    1       4
#  2   3   5 6 7
SMALL = [-1, 0, 1, 1, 0, 4, 4, 4]

CASTLING = Tree.from_parents([-1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 2, 2])
CASTLING_CHAINS = [-1, 0, 0, 0, 1, 1]

MERGE_SORT = Tree.from_parents(
    [-1, 0, 1, 1, 1, 4, 4, 0, 0, 8, 8, 8], [0, 0, 0, 0, 1, 2, 2, 0, 1, 2, 2, 2]
)
MERGE_SORT_CHAINS = [-1, 0, 1, 1, -1, 2, 2, 0, -1, 3, 3, 3]

A_LOOP = Tree.from_parents([-1] + [0] * 6, [0] + [1] * 6)
NO_CHAINS = [-1] * 7


def a_session(**others: object) -> Session:
    return Session(Tree.from_parents(SMALL), strategy="top-down", **others)  # type: ignore[arg-type]


def asked(session: Session) -> tuple[int, ...]:
    session.advance()
    step = session.step()
    assert isinstance(step, Question), step
    return step.calls


def dialogue(session: Session, truth: Truth) -> list[tuple[int, ...]]:
    """Return the questions of a session up to its finding."""
    questions = []

    def reply(question: Question) -> Verdict:
        questions.append(question.calls)
        return truth.verdict(question.calls)

    assert isinstance(play(session, reply), Finding)
    return questions
