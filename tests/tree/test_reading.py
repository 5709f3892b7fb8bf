"""How long questions are: estimates, and the choice by lines, against slow and obvious versions."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tree.shapes import searches
from wrongcall.tree import _kernels
from wrongcall.tree.reading import Reading, Sample
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY


def bits(suspects: Suspects, node: int) -> float:
    """Return about how many bits an answer brings."""
    weighed = suspects.weigh()
    own = suspects.weights.of(node, suspects.state)
    distance = abs(2 * weighed.of(node) - own - weighed.below)
    d = distance / weighed.below if weighed.below else 0.0
    return float(max(0.0, 1 - d * d) ** 0.75)


@given(searches(largest=14), st.data())
@settings(max_examples=200)
def test_among_nearly_equal_questions_the_shortest_is_chosen(
    suspects: Suspects, data: st.DataObject
) -> None:
    count = len(suspects.tree)
    lines = data.draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))
    costs = np.array(lines, dtype=np.uint16)
    chosen = _kernels.choose_short(*suspects.weigh(), costs)
    nodes = suspects.compact().nodes.tolist()[1:]
    assert (chosen == NOBODY) == (not nodes)
    if nodes:
        best = max(bits(suspects, node) for node in nodes)
        near = [node for node in nodes if bits(suspects, node) >= 0.9 * best + 1e-9]
        assert bits(suspects, chosen) >= 0.9 * best - 1e-9
        assert lines[chosen] <= min((lines[node] for node in near), default=30)


@given(searches(largest=14), st.integers(1, 40))
@settings(max_examples=200)
def test_with_equal_costs_the_choice_is_that_of_optimal_dq(suspects: Suspects, lines: int) -> None:
    costs = np.full(len(suspects.tree), lines, dtype=np.uint16)
    weighed = suspects.weigh()
    assert _kernels.choose_short(*weighed, costs) == _kernels.choose_optimal(*weighed)


@given(searches(largest=14), st.integers(1, 40))
@settings(max_examples=200)
def test_with_equal_costs_lookahead_counts_questions(suspects: Suspects, lines: int) -> None:
    compact = suspects.compact()
    columns = (compact.parent, compact.own)
    costs = np.full(len(compact), lines, dtype=np.uint16)
    node, total, complete = _kernels.lookahead(*columns, 3, 2, 0)
    by_lines = _kernels.lookahead(*columns, 3, 2, 0, costs, 4)
    assert by_lines == (node, total, complete)


def test_measuring_one_call_scales_the_estimate_for_its_function() -> None:
    lines = np.array([4, 8, 10, 20], dtype=np.uint8)
    functions = np.array([0, 0, 1, 2], dtype=np.int32)
    reading = Reading(lines, lines, np.ones(4, np.bool_))
    scaled = reading.scaled(functions, {0: Sample(0, 8, 4), 1: Sample(2, 5, 10)})
    # The third function has no sample: it is scaled by the mean of the others.
    assert scaled.alone.tolist() == [8, 16, 5, 25]
    assert scaled.member.tolist() == [4, 8, 10, 20]
    assert scaled.brief.tolist() == [False, False, False, True]
    assert reading.scaled(functions, {}) is reading
