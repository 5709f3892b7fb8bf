"""Weighing lines to read changes the order of questions, never what is found; and it saves reading."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.measured import Measuring, with_reading
from tests.session.truth import Truth, find
from tests.tree.shapes import parents, searches
from wrongcall.session.cost import cost
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.session.strategies import strategy
from wrongcall.tree.balance import Balancing
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(parents(largest=24), st.data())
@settings(max_examples=100)
def test_weighing_lines_does_not_change_the_finding(parent: list[int], data: st.DataObject) -> None:
    count = len(parent)
    column = st.lists(st.integers(1, 60), min_size=count, max_size=count)
    tree = with_reading(Tree.from_parents(parent, [0] * count), data.draw(column))
    truth = Truth(tree, [data.draw(st.integers(0, count - 1))])
    expected = find(Session(Tree.from_parents(parent, [0] * count)), truth)
    lengths = dict(enumerate(data.draw(column)))
    facts = data.draw(st.sampled_from([None, Measuring(lengths)]))
    assert find(Session(tree, facts), truth).calls == expected.calls
    chains = data.draw(st.lists(st.integers(-1, 0), min_size=count, max_size=count))
    how = Balancing(listed=8, listed_long=4, shrink=False)
    balanced = Session(tree, facts, chains=chains, balancing=how)
    assert find(balanced, truth).calls == expected.calls


@given(searches(largest=14), st.integers(1, 50))
@settings(max_examples=100)
def test_with_equal_costs_it_is_lookahead(suspects: Suspects, lines: int) -> None:
    expected = strategy("lookahead").choose(suspects)
    assert strategy("least-reading").choose(suspects) == expected
    suspects.costs = np.full(len(suspects.tree), lines, dtype=np.uint16)
    assert strategy("least-reading").choose(suspects) == expected
    assert strategy("lookahead").choose(suspects) == expected


def random_search(seed: int) -> tuple[Suspects, np.ndarray[tuple[int], np.dtype[np.uint16]]]:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(20, 200))
    reach = int(rng.choice([3, 12, size]))
    parent = [-1, *(int(rng.integers(max(0, v - reach), v)) for v in range(1, size))]
    suspects = Suspects(Tree.from_parents(parent), root=0)
    suspects.mark(0, NodeState.WRONG)
    lines = np.where(rng.random(size) < 0.3, rng.integers(10, 40, size), rng.integers(3, 8, size))
    return suspects, lines.astype(np.uint16)


def test_there_is_less_to_read_on_average() -> None:
    before, after, questions = [], [], []
    for seed in range(40):
        suspects, costs = random_search(seed)
        unweighted = cost(suspects, strategy("lookahead"), costs)
        suspects.costs = costs
        weighted = cost(suspects, strategy("least-reading"))
        before.append(unweighted.average_lines)
        after.append(weighted.average_lines)
        questions.append(weighted.average / unweighted.average)
    # Three in ten questions are four times as long as the others.
    assert sum(after) <= 0.95 * sum(before)
    assert max(questions) < 1.05


def test_estimated_costs_help_too() -> None:
    before, after = [], []
    for seed in range(40):
        suspects, costs = random_search(seed)
        before.append(cost(suspects, strategy("lookahead"), costs).average_lines)
        noise = np.random.default_rng(seed).uniform(0.5, 2, len(costs))
        suspects.costs = np.maximum(costs * noise, 1).astype(np.uint16)
        after.append(cost(suspects, strategy("least-reading"), costs).average_lines)
    assert sum(after) < sum(before)


def test_long_questions_are_postponed() -> None:
    # A chain of 64 calls: the middle one is 50 lines long, the others 4.
    tree = with_reading(Tree.from_parents(range(-1, 63), range(64)), [4] * 64)
    lengths = dict.fromkeys(range(64), 4) | {32: 50}
    session = Session(tree, Measuring(lengths))
    session.judge(0, "wrong")
    asked = session.step()
    assert isinstance(asked, Question)
    assert 0 < abs(asked.calls[0] - 32) < 4
    plain = Session(Tree.from_parents(range(-1, 63)))
    plain.judge(0, "wrong")
    middle = plain.step()
    assert isinstance(middle, Question)
    assert middle.calls == (32,)
