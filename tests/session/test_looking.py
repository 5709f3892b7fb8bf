"""Questions are measured before one is asked: a few, and each once."""

from __future__ import annotations

import numpy as np
import pytest

from tests.session.measured import Measuring, with_reading
from tests.session.truth import play
from wrongcall.session.looking import (
    FEW_LOOKS,
    MANY_SUSPECTS,
    MOST_LOOKS,
    MOST_SAMPLES,
    choose_looking,
    note,
    sampled,
)
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.session.strategies import strategy
from wrongcall.session.strategies.base import Strategy
from wrongcall.tree.costs import HEADING, MOST_LINES
from wrongcall.tree.reading import Sample
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree


class Shortest(Strategy):
    """Asks the question with the fewest lines."""

    needs_costs = True

    def choose(self, suspects: Suspects) -> int:
        assert suspects.costs is not None
        asked = [node for node in range(len(suspects.tree)) if suspects.can_ask(node)]
        return min(asked, key=lambda node: suspects.costs[node], default=NOBODY)  # type: ignore[index]


def a_star(count: int, lines: int = 5) -> Suspects:
    """Return a search among many calls of one caller, each estimated to take as many lines."""
    costs = np.full(count + 1, lines, dtype=np.uint16)
    return Suspects(Tree.from_parents([-1] + [0] * count), root=0, costs=costs)


def test_looking_ends_at_a_question_that_is_as_short_as_estimated() -> None:
    real, looks = {1: 9, 2: 8, 3: 5, 4: 1}, []

    def look(node: int) -> int:
        looks.append(node)
        return real[node]

    suspects = a_star(4)
    choice = choose_looking(Shortest(), suspects, look, set())
    assert choice.node == 3
    assert looks == [1, 2, 3]  # 4 was not looked at, so that its one line is not known
    assert choice.lengths == {1: 9, 2: 8, 3: 5}


def test_looking_changes_nothing_until_the_lengths_are_noted() -> None:
    suspects = a_star(3)
    assert suspects.costs is not None
    state = suspects.state.tobytes()
    choice = choose_looking(Shortest(), suspects, lambda node: 9, set())
    assert suspects.costs.tolist() == [5, 5, 5, 5]
    assert suspects.state.tobytes() == state
    note(suspects, choice.lengths)
    assert suspects.costs.tolist() == [5, 9, 9, 9]


def test_a_measured_question_is_not_measured_again() -> None:
    def look(node: int) -> int:
        raise AssertionError(f"looked at {node}")

    assert choose_looking(Shortest(), a_star(3), look, {1}) == (1, {})


@pytest.mark.parametrize("count,most", [(100, MOST_LOOKS), (MANY_SUSPECTS + 1, FEW_LOOKS)])
def test_looks_are_limited_and_fewer_among_many_suspects(count: int, most: int) -> None:
    looks: list[int] = []

    def look(node: int) -> int:
        looks.append(node)
        return 50

    choice = choose_looking(Shortest(), a_star(count), look, set())
    assert len(looks) == most
    assert choice.node == most + 1  # the first that was not looked at
    assert set(choice.lengths) == set(looks)


def test_a_look_that_would_take_too_long_ends_looking() -> None:
    suspects = a_star(3)
    choice = choose_looking(Shortest(), suspects, lambda node: None, set())
    assert choice.node == 1
    assert choice.lengths == {1: None}
    note(suspects, choice.lengths)
    assert suspects.costs is not None
    assert suspects.costs.tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize("lines,noted", [(0, 1), (7, 7), (70_000, MOST_LINES)])
def test_lengths_are_noted_within_bounds(lines: int, noted: int) -> None:
    suspects = a_star(1)
    note(suspects, {1: lines})
    assert suspects.costs is not None
    assert suspects.costs.tolist() == [5, noted]
    suspects.costs = None
    note(suspects, {1: lines})  # nothing to note them in


def test_questions_that_are_too_long_are_skipped_without_a_state_change() -> None:
    suspects = a_star(2)
    choice = choose_looking(Shortest(), suspects, lambda n: MOST_LINES if n == 1 else 3, set())
    assert choice.node == 2
    assert suspects.state_of(1) is NodeState.UNDEFINED
    alone = choose_looking(Shortest(), a_star(1), lambda node: MOST_LINES, set())
    assert alone.node == NOBODY


def test_strategies_that_ignore_lines_measure_nothing() -> None:
    def look(node: int) -> int:
        raise AssertionError(f"looked at {node}")

    suspects = a_star(3)
    assert choose_looking(strategy("top-down"), suspects, look, set()) == (1, {})
    suspects.costs = None
    assert choose_looking(strategy("least-reading"), suspects, look, set()) == (1, {})


# -- samples ---------------------------------------------------------------------------------------


def test_one_call_of_each_function_is_measured_the_middle_one() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0], [0, 1, 1, 1])

    def measured(calls: tuple[int, ...], is_list: bool) -> int:
        return HEADING + 2 if is_list else 10 + calls[0]

    assert sampled(tree, measured, {}) == {0: Sample(0, 10, 2), 1: Sample(2, 12, 2)}


def test_known_samples_are_kept_and_those_that_cannot_be_measured_are_left_out() -> None:
    tree = Tree.from_parents([-1, 0, 0], [0, 1, 2])
    asked = []

    def measured(calls: tuple[int, ...], is_list: bool) -> int | None:
        asked.append(calls)
        return None if calls == (2,) else 1

    kept = Sample(0, 99, 9)
    assert sampled(tree, measured, {0: kept}) == {0: kept, 1: Sample(1, 1, 1)}
    assert (0,) not in asked


def test_functions_with_the_most_completed_calls_come_first() -> None:
    count = MOST_SAMPLES + 5
    # Function f has f calls; the one with the most never completed any.
    functions = [0, *(f for f in range(1, count + 1) for _ in range(f))]
    completed = [f != count for f in functions]
    tree = Tree.from_parents([-1] + [0] * (len(functions) - 1), functions, completed)
    found = sampled(tree, lambda calls, is_list: 4, {})
    assert sorted(found) == list(range(count - MOST_SAMPLES, count))


# -- in a session ----------------------------------------------------------------------------------


def test_undo_asks_the_same_again_without_another_look() -> None:
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


def test_a_list_that_is_too_long_is_not_asked_about() -> None:
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
