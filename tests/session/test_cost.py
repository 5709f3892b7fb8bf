"""The cost of a strategy is what a person would count, bug by bug."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tree.shapes import facts, searches
from wrongcall.session.cost import Cost, cost
from wrongcall.session.strategies import strategy
from wrongcall.tree.balance import balance
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import IndividualWeights

NAMES = ("top-down", "optimal-dq", "single-stepping")


def counted(suspects: Suspects, name: str, bug: int) -> list[int]:
    """Play one session against a truthful oracle; return the nodes that were asked about."""
    searched = Suspects(suspects.tree, weights=suspects.weights, trusted=suspects.trusted)
    searched.state[:] = suspects.state
    searched.root = suspects.root
    asked = []
    while (node := strategy(name).choose(searched)) != NOBODY:
        asked.append(node)
        wrong = bug != NOBODY and searched.tree.contains(node, bug)
        searched.mark(node, NodeState.WRONG if wrong else NodeState.RIGHT)
        if wrong:
            searched.root = node
    return asked


@pytest.mark.parametrize("name", NAMES)
@given(searches(largest=10), st.data())
@settings(max_examples=40)
def test_the_questions_are_those_of_a_session_for_each_bug(
    name: str, suspects: Suspects, data: st.DataObject
) -> None:
    sizes = st.integers(1, 30)
    lines = data.draw(
        st.lists(sizes, min_size=len(suspects.tree), max_size=len(suspects.tree)), label="lines"
    )
    before = facts(suspects)
    found = cost(suspects, strategy(name), lines)
    assert facts(suspects) == before
    sessions = {bug: counted(suspects, name, bug) for bug in found.positions.tolist()}
    assert found.questions.tolist() == [len(asked) for asked in sessions.values()]
    assert found.lines.tolist() == [sum(lines[n] for n in asked) for asked in sessions.values()]
    if suspects.root == NOBODY:
        assert found.no_bug == len(counted(suspects, name, NOBODY))
    else:
        assert found.no_bug is None


def test_without_lengths_each_question_is_a_line_and_known_ones_count() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0, 1]), root=0)
    found = cost(suspects, strategy("top-down"))
    assert found.lines.tolist() == found.questions.tolist()
    suspects.costs = np.array([1, 10, 100], dtype=np.uint16)
    # 1 is asked first; if it is right, the bug is in 0; if not, 2 is asked.
    assert cost(suspects, strategy("top-down")).lines.tolist() == [10, 110, 110]
    assert cost(suspects, strategy("top-down"), [1, 2, 3]).lines.tolist() == [2, 5, 5]


def test_a_function_can_choose_instead_of_a_strategy() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 2]), root=0)
    chosen = cost(suspects, lambda asked: strategy("top-down").choose(asked))
    assert chosen.questions.tolist() == cost(suspects, strategy("top-down")).questions.tolist()


def test_sums_and_means_are_by_weight() -> None:
    found = Cost(
        np.arange(3, dtype=np.int32),
        np.array([1.0, 1.0, 2.0]),
        np.array([1, 2, 4]),
        np.array([10, 20, 30]),
        None,
    )
    assert (found.total, found.worst) == (7, 4)
    assert (found.average, found.average_lines) == (11 / 4, 90 / 4)


def test_without_any_place_for_a_bug_nothing_is_asked() -> None:
    found = cost(Suspects(Tree.from_parents([])), strategy("top-down"))
    assert (found.total, found.worst, found.average, found.no_bug) == (0, 0, 0.0, 0)


def test_places_that_weigh_nothing_have_no_mean() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0]), weights=IndividualWeights([0, 0]), root=0)
    assert cost(suspects, strategy("top-down")).average == 0.0


def test_a_projected_group_is_not_a_possible_bug() -> None:
    tree = balance(Tree.from_parents([-1, *[0] * 6], range(7)), [-1] + [0] * 6)
    assert any(tree.is_projected(node) for node in range(len(tree)))
    found = cost(Suspects(tree, root=0), strategy("top-down"))
    assert [tree.call(int(n)) for n in found.positions] == list(range(7))


def test_the_suspects_are_restored_after_an_error() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0, 0]), root=0)
    before = facts(suspects)

    def fails_later(asked: Suspects) -> int:
        if asked.root != 0:
            raise ValueError("no more")
        return 1

    with pytest.raises(ValueError, match="no more"):
        cost(suspects, fails_later)
    assert facts(suspects) == before
