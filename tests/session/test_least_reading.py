"""Weighing lines to read changes the order of questions, never what is found; and it saves reading."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.truth import FakeFacts, Truth, find, play
from tests.tree.shapes import parents, searches
from wrongcall.session.cost import cost
from wrongcall.session.looking import MOST_LOOKS
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.session.strategies import strategy
from wrongcall.tree import Balancing, NodeState, Suspects, Tree
from wrongcall.tree.reading import MOST_LINES, Reading


def with_reading(tree: Tree, alone: list[int]) -> Tree:
    lines = np.array(alone, dtype=np.uint8)
    tree.reading = Reading(lines, np.maximum(lines // 4, 1), lines < 6)
    return tree


class Measuring(FakeFacts):
    """Facts that know how long questions are, and count who asks."""

    def __init__(self, lengths: dict[int, int]) -> None:
        super().__init__()
        self.lengths = lengths
        self.looks: list[tuple[int, ...]] = []

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        self.looks.append(calls)
        if is_list:
            return MOST_LINES if len(calls) > 3 else sum(self.lengths[call] for call in calls)
        return self.lengths[calls[0]]


@given(parents(largest=24), st.data())
@settings(max_examples=100)
def test_it_finds_what_is_found_without_costs(parent: list[int], data: st.DataObject) -> None:
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


def test_costs_known_by_estimate_only_help_too() -> None:
    before, after = [], []
    for seed in range(40):
        suspects, costs = random_search(seed)
        before.append(cost(suspects, strategy("lookahead"), costs).average_lines)
        noise = np.random.default_rng(seed).uniform(0.5, 2, len(costs))
        suspects.costs = np.maximum(costs * noise, 1).astype(np.uint16)
        after.append(cost(suspects, strategy("least-reading"), costs).average_lines)
    assert sum(after) < sum(before)


def test_what_is_long_is_put_off() -> None:
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


def test_looks_are_few_and_undo_asks_the_same_again() -> None:
    rng = np.random.default_rng(3)
    parent = [-1, *(int(rng.integers(0, v)) for v in range(1, 300))]
    tree = with_reading(Tree.from_parents(parent, np.arange(300)), [5] * 300)
    facts = Measuring({call: int(rng.integers(4, 40)) for call in range(300)})
    session = Session(tree, facts)
    facts.looks.clear()
    session.judge(0, "wrong")
    asked = []
    for verdict in ("right", "wrong", "right", "wrong"):
        before = len(facts.looks)
        step = session.step()
        assert isinstance(step, Question)
        assert len(facts.looks) - before <= MOST_LOOKS
        asked.append(step.calls)
        session.answer(verdict)
    looks = len(facts.looks)
    for calls in reversed(asked):
        session.undo()
        step = session.step()
        assert isinstance(step, Question)
        assert step.calls == calls
    assert len(facts.looks) == looks


def test_a_list_that_is_too_long_is_not_asked() -> None:
    # Twelve leaves of one function that seem brief, and are not.
    tree = with_reading(Tree.from_parents([-1] + [0] * 12, [1] + [0] * 12), [4] * 13)
    facts = Measuring(dict.fromkeys(range(13), 4))
    session = Session(tree, facts, chains=[-1] * 13)
    session.judge(0, "wrong")
    sizes = []

    def reply(question: Question) -> str:
        sizes.append(len(question.calls))
        return "right"

    play(session, reply)  # type: ignore[arg-type]
    assert max(sizes) <= 3
    assert max(map(len, facts.looks)) > 3
