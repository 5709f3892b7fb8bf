"""The bodies of classes and modules that are folded, and where the other nodes are then."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import parents
from tests.web.snapshots import snapshot
from wrongcall.tree.tree import Tree
from wrongcall.web import tree_snapshot
from wrongcall.web.quiet_bodies import Folding, quiet_bodies


@given(parents(), st.data())
def test_quiet_bodies_have_nothing_but_such_bodies_below_them(
    parent: list[int], data: st.DataObject
) -> None:
    count = len(parent)
    functions = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    suspect = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    tree = Tree.from_parents(Tree.from_parents(parent).parent.tolist(), functions)
    is_body = [functions[node] == 1 and not suspect[node] for node in range(count)]
    assert quiet_bodies(tree, frozenset({1}), np.array(suspect, np.bool_)).tolist() == [
        node for node in range(count) if all(is_body[node : int(tree.end[node])])
    ]


@given(st.lists(st.booleans(), max_size=30))
def test_positions_count_what_is_not_folded(folded: list[bool]) -> None:
    folding = Folding(np.flatnonzero(folded))
    for node, is_folded in enumerate(folded):
        assert folding.has(node) == is_folded
        assert folding.position(node) == folded[:node].count(False)
        if not is_folded:
            assert folding.node(folding.position(node)) == node
    assert not folding.has(len(folded))
    assert folding.node(folded.count(False)) == len(folded)
    nodes = range(len(folded) + 1)
    assert folding.positions(nodes).tolist() == [folding.position(node) for node in nodes]


def test_too_many_bodies_are_not_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = replace(snapshot([-1, 0, 0, 0], [0, 1, 1, 2]), bodies=frozenset({1}))
    shown.statuses.suspect = np.array([True, False, False, True])
    assert shown.folding(False).nodes.tolist() == [1, 2]
    assert shown.folding(True).nodes.tolist() == []
    monkeypatch.setattr(tree_snapshot, "MAX_FOLDED", 1)
    assert shown.folding(False).nodes.tolist() == []
