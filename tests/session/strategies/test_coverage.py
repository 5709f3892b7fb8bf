"""Strategies by coverage halve what was covered and not yet found to work."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.strategies.obvious import best
from tests.tree.shapes import preorder_parents
from wrongcall.errors import SessionError, TreeError
from wrongcall.session.strategies.coverage import CoverageStrategy, DefUseCoverage, EdgeCoverage
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree

BOTH = (EdgeCoverage, DefUseCoverage)


def searched(parent: list[int], entities: list[set[int]]) -> Suspects:
    """Return a search of a tree whose root is wrong; ``entities``: what each call covered."""
    coverage = Coverage.of_calls(entities)
    both = dict.fromkeys((each.kind for each in BOTH), coverage)
    suspects = Suspects(Tree.from_parents(parent), root=0, coverage=both)
    suspects.mark(0, NodeState.WRONG)
    return suspects


def obvious(parent: list[int], entities: list[set[int]], right: int, p: Fraction) -> int:
    """Return the call to ask, by the definition; ``right``: the one that was found right."""
    tree = Tree.from_parents(parent)
    cleared = {n for n in range(len(tree)) if right and tree.contains(right, n)}
    left = [n for n in range(len(tree)) if n not in cleared]

    def own(node: int) -> Fraction:
        seen = (sum(entity in entities[n] for n in cleared) for entity in entities[node])
        return sum((p**times for times in seen), Fraction())

    def inside(node: int) -> Fraction:
        return sum((own(n) for n in left if tree.contains(node, n)), Fraction())

    total = inside(0)
    return best(left[1:], lambda node: abs(float(2 * inside(node) - total)))


@pytest.mark.parametrize("kind", BOTH)
@given(preorder_parents(smallest=2, largest=10), st.data())
@settings(max_examples=60)
def test_the_call_that_covers_nearest_to_half_is_chosen(
    kind: type[CoverageStrategy], parent: list[int], data: st.DataObject
) -> None:
    count = len(parent)
    one = st.sets(st.integers(0, 5), min_size=1, max_size=4)
    entities = data.draw(st.lists(one, min_size=count, max_size=count))
    suspects = searched(parent, entities)
    right = data.draw(st.integers(0, count - 1))
    if right:
        suspects.mark(right, NodeState.RIGHT)
    # A power of two: sums of such weights are exact in floating point.
    expected = obvious(parent, entities, right, Fraction(1, 2))
    assert kind(p=0.5).choose(suspects) == expected


def test_what_a_right_call_covered_weighs_less() -> None:
    # 1 covers what 2 covers, 3 covers something else: once 1 is right, 3 is the one to ask.
    suspects = searched([-1, 0, 0, 0], [{9}, {1, 2}, {1, 2}, {3}])
    assert EdgeCoverage().choose(suspects) == 1
    suspects.mark(1, NodeState.RIGHT)
    assert EdgeCoverage(p=0).choose(suspects) == 3
    assert EdgeCoverage(p=1).choose(suspects) == 2


def test_calls_below_a_right_call_count_as_cleared_unless_turned_off() -> None:
    suspects = searched([-1, 0, 1, 0, 0], [{9}, {1}, {2}, {2}, {3}])
    suspects.mark(1, NodeState.RIGHT)
    assert EdgeCoverage(p=0).choose(suspects) == 4
    assert EdgeCoverage(p=0, whole_subtree=False).choose(suspects) == 3


@pytest.mark.parametrize("kind", BOTH)
def test_each_strategy_needs_its_own_kind_of_coverage(kind: type[CoverageStrategy]) -> None:
    suspects = searched([-1, 0], [{1}, {2}])
    suspects.coverage = {k: v for k, v in suspects.coverage.items() if k != kind.needs_coverage}
    with pytest.raises(SessionError, match=f"there is no {kind.kind} coverage for these calls"):
        kind().choose(suspects)


@pytest.mark.parametrize("p", [-0.1, 1.5])
def test_a_factor_outside_0_to_1_is_refused(p: float) -> None:
    with pytest.raises(TreeError, match="must be from 0 to 1"):
        EdgeCoverage(p=p).choose(searched([-1, 0], [{1}, {2}]))
