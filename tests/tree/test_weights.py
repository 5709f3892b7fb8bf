"""Individual weights of nodes."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from tests.tree.shapes import searches
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.weights import UNIT, IndividualWeights

STATE = np.zeros(3, np.uint8)


def test_without_weights_every_node_weighs_one() -> None:
    assert UNIT.columns(STATE) == (None, None, None)
    assert [UNIT.of(node, STATE) for node in range(3)] == [1.0, 1.0, 1.0]


def test_a_weight_for_each_node() -> None:
    weights = IndividualWeights([1, 0, 2.5])
    own, classes, by_class = weights.columns(STATE)
    assert own is not None
    assert own.tolist() == [1.0, 0.0, 2.5]
    assert own.dtype == np.float64
    assert (classes, by_class) == (None, None)
    assert [weights.of(node, STATE) for node in range(3)] == [1.0, 0.0, 2.5]


@settings(max_examples=40)
@given(searches(weighted=False))
def test_equal_weights_act_like_unit_weights(suspects: Suspects) -> None:
    ones = IndividualWeights([1] * len(suspects.tree))
    with_ones, without = suspects.weigh(ones), suspects.weigh(UNIT)
    assert (with_ones.total, with_ones.below) == (without.total, without.below)
