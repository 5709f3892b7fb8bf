"""A truthful oracle for random trees, and sessions played against it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable

import numpy as np

from wrongcall.session.answers import Part, Verdict
from wrongcall.session.facts import NoFacts
from wrongcall.session.search import Search
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding, Next, Question
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree


class Truth:
    """Knows where the bugs are: a call is wrong if there is a bug in it or in what it called."""

    def __init__(self, tree: Tree, bugs: Collection[int]) -> None:
        self.tree = tree
        self.bugs = sorted(bugs)

    def is_wrong(self, call: int) -> bool:
        node = self.tree.node(call)
        return any(self.tree.contains(node, self.tree.node(bug)) for bug in self.bugs)

    def verdict(self, calls: tuple[int, ...]) -> Verdict:
        return Verdict.WRONG if any(map(self.is_wrong, calls)) else Verdict.RIGHT

    @property
    def findable(self) -> set[int]:
        """The bugs with no other bug below them."""
        nodes = {bug: self.tree.node(bug) for bug in self.bugs}
        return {
            bug
            for bug, node in nodes.items()
            if not any(self.tree.contains(node, n) and n != node for n in nodes.values())
        }


class FakeFacts(NoFacts):
    """Facts that a test sets."""

    def __init__(self) -> None:
        self.keys: dict[int, Hashable] = {}
        self.modules: dict[int, str] = {}
        self.origins: dict[tuple[int, str], int | None] = {}
        self.coverages: dict[str, Coverage] = {}

    def question_key(self, call: int) -> Hashable | None:
        return self.keys.get(call)

    def module(self, function: int) -> str:
        return self.modules.get(function, "main")

    def functions_of(self, module: str) -> Collection[int]:
        return [function for function in range(100) if self.module(function) == module]

    def origin(self, call: int, part: Part) -> int | None:
        return self.origins[call, part.path]

    def coverage(self, kind: str) -> Coverage | None:
        return self.coverages.get(kind)


def covered(tree: Tree) -> FakeFacts:
    """Return facts with some coverage: that of a call's function and of its number modulo 3."""
    facts = FakeFacts()
    entities = [
        [int(tree.function[node]), 50 + node % 3, 60 + node % 2] for node in range(len(tree))
    ]
    facts.coverages = dict.fromkeys(("edges", "def-use"), Coverage.of_calls(entities))
    return facts


def advanced(search: Session | Search) -> Next:
    """Add the answers that need no user; return the next question, or the result."""
    search.advance()
    return search.step()


def play(session: Session, reply: Callable[[Question], Verdict], most: int = 10_000) -> Next:
    """Answer all questions; return the result."""
    for _ in range(most):
        step = advanced(session)
        if not isinstance(step, Question):
            return step
        session.answer(reply(step), question=step)
    raise AssertionError("the session does not end")


def find(session: Session, truth: Truth) -> Finding:
    """Play with a truthful oracle to a finding."""
    step = play(session, lambda question: truth.verdict(question.calls))
    assert isinstance(step, Finding), step
    return step


def snapshot(session: Session) -> object:
    """Return everything that makes the state of a session.

    Split lists are left out: `advance` splits them again, as what is trusted tells.
    """
    suspects = session.suspects
    state = np.array(suspects.state)
    state[state == NodeState.SPLIT] = NodeState.UNDEFINED
    return (
        session.entries,
        state.tobytes(),
        suspects.root,
        session._knowledge.position,
    )
