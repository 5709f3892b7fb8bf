"""The tree as it is drawn: one row for a group, whatever groups are inside it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.snapshots import snapshot
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.tree import NOBODY
from wrongcall.web.node_status import inner_groups
from wrongcall.web.outline import AllBut
from wrongcall.web.shown_tree import InWholeTree, ShownTree, shown_tree
from wrongcall.web.tree_rows import TreeRows, Wanted, Window, path_data, row_data

LOOP = snapshot([-1, *[0] * 40], [0, *[1, 2] * 20], chains=[-1, *[7] * 40])
"""A call that made 40 others in a loop: groups in groups."""


def outermost(tree: BalancedTree, node: int) -> list[int]:
    """The witness: what is above a node, without groups that are inside a group; the nearest first."""
    above = list(tree.ancestors(node))
    return [
        each
        for each in above
        if not (tree.is_group(each) and tree.parent[each] >= 0 and tree.is_group(tree.parent[each]))
    ]


@st.composite
def trees(draw: st.DrawFn) -> BalancedTree:
    """Draw trees with chains of siblings."""
    count = draw(st.integers(2, 40))
    parents = [-1, *(draw(st.integers(max(0, n - 25), n - 1)) for n in range(1, count))]
    functions = [draw(st.integers(0, 2)) for _ in parents]
    tree = snapshot(parents, functions, chains=[-1, *parents[1:]]).tree
    assert isinstance(tree, BalancedTree)
    return tree


@settings(max_examples=60, deadline=None)
@given(trees())
def test_a_node_is_below_the_same_calls_and_one_group_at_most(tree: BalancedTree) -> None:
    shown = ShownTree(tree, inner_groups(tree))
    rows = InWholeTree(shown, AllBut(shown.tree, ()))
    nodes = rows.window(0, rows.count)
    for row, node in enumerate(nodes):
        above, each = [], node
        while (each := shown.parent(each)) != NOBODY:
            above.append(each)
        assert above == outermost(tree, node)
        assert rows.position(node) == row
    assert [n for n in nodes if not tree.is_group(n)] == [
        n for n in range(len(tree)) if not tree.is_group(n)
    ]
    for inner in set(range(len(tree))) - set(nodes):
        first = next(n for n in range(inner, len(tree)) if not tree.is_group(n))
        assert rows.position(inner) == rows.position(first)


def test_calls_are_in_one_row_whatever_groups_they_are_in() -> None:
    tree = LOOP.tree
    assert inner_groups(tree).sum() > 1
    rows = TreeRows().data(LOOP, Wanted(None), Window(0, 100))["rows"]
    assert [row["kind"] == "call" for row in rows[:3]] == [True, False, True]
    groups = [row for row in rows if row["kind"] != "call"]
    assert len(rows) == 41 + len(groups)
    assert {row["parent"] for row in groups} == {"0"}
    assert len(groups) < len(LOOP.tree) - 41
    group, member = rows[1], rows[2]
    assert (group["depth"], member["depth"]) == (1, 1)
    assert (group["level"], member["level"]) == (1, 2)
    assert (member["grouped"], member["parent"]) == (True, group["key"])
    folded = TreeRows().data(LOOP, Wanted(None, closed=(group["key"],)), Window(0, 100))
    assert folded["count"] == len(rows) - 20


def test_the_first_call_stands_for_a_group_inside_a_group() -> None:
    shown = shown_tree(LOOP.tree)
    inner = next(n for n in range(3, len(LOOP.tree)) if not shown.has(n))
    path = path_data(LOOP, LOOP.key(inner))
    assert path["row"] == LOOP.key(inner).partition("-")[0]
    outer = row_data(LOOP, 1)["key"]
    assert path["above"] == ["0", outer]
    assert path_data(LOOP, outer)["row"] == outer
