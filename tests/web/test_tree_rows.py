"""Rows of the tree: those that are open, or that match."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from tests.web.snapshots import snapshot
from wrongcall.errors import UsageError
from wrongcall.web import tree_rows
from wrongcall.web.node_status import NodeStatus
from wrongcall.web.tree_rows import (
    MAX_ROWS,
    TreeRows,
    Wanted,
    Window,
    candidates,
    path_data,
    row_data,
)

#  0 ( 1 ( 2 3 ) 4 ( 5 ) )
PARENTS, FUNCTIONS = [-1, 0, 1, 1, 0, 4], [0, 1, 2, 2, 1, 2]
TREE = snapshot(PARENTS, FUNCTIONS, judged={4: "right"})
ALL = Window(0, 100)


def keys(wanted: Wanted, window: Window = ALL) -> list[str]:
    return [row["key"] for row in TreeRows().data(TREE, wanted, window)["rows"]]


@pytest.mark.parametrize(
    "wanted,shown",
    [
        (Wanted(()), "0"),
        (Wanted(("0",)), "014"),
        (Wanted(("0", "4")), "0145"),
        (Wanted(("4",)), "0"),
        (Wanted(None), "012345"),
        (Wanted(None, closed=("1",)), "0145"),
        (Wanted((), function="TOTAL"), "235"),
        (Wanted((), function="a"), "012345"),
        (Wanted((), function="nothing"), ""),
        (Wanted((), status=NodeStatus.RIGHT), "4"),
        (Wanted((), status=NodeStatus.CLEARED, function="total"), "5"),
    ],
)
def test_rows_are_those_that_are_open_or_match(wanted: Wanted, shown: str) -> None:
    assert keys(wanted) == list(shown)


def test_bodies_of_classes_are_left_out_unless_something_in_them_is_suspect() -> None:
    #  0 ( 1: body ( 2: body ) 3: body ( 4: a call ) 5: a call )
    tree = snapshot([-1, 0, 1, 0, 3, 0], [0, 1, 1, 1, 2, 2])
    quiet = replace(tree, bodies=frozenset({1}), statuses=copy(tree.statuses))
    quiet.statuses.suspect = np.array([True, False, False, False, True, True])
    found = TreeRows().data(quiet, Wanted(None, bodies=False), Window(0, 100))
    assert [row["key"] for row in found["rows"]] == ["0", "3", "4", "5"]
    assert (found["count"], found["bodies"]) == (4, 2)
    assert TreeRows().data(quiet, Wanted(None), Window(0, 100))["count"] == 6
    suspect = replace(tree, bodies=frozenset({1}))
    assert TreeRows().data(suspect, Wanted(None, bodies=False), Window(0, 100))["count"] == 6


def test_a_window_is_a_part_of_the_rows_with_their_number() -> None:
    found = TreeRows().data(TREE, Wanted(None), Window(2, 2, find="4"))
    assert [row["key"] for row in found["rows"]] == ["2", "3"]
    assert (found["count"], found["first"], found["found"]) == (6, 2, 4)
    hidden = TreeRows().data(TREE, Wanted(()), Window(0, 9, find="4"))
    assert hidden["found"] == -1


def test_an_answer_has_a_limited_number_of_rows() -> None:
    large = snapshot([-1, *[0] * (MAX_ROWS + 50)])
    found = TreeRows().data(large, Wanted(None), Window(0, 10**9))
    assert (len(found["rows"]), found["count"]) == (MAX_ROWS, MAX_ROWS + 51)


def test_finding_an_unknown_node_is_refused() -> None:
    with pytest.raises(UsageError, match="not a group"):
        TreeRows().data(TREE, Wanted(None), Window(0, 9, find="1-2"))


def test_a_row_says_what_is_known_of_its_node() -> None:
    assert row_data(TREE, 1) == {
        "key": "1",
        "node": 1,
        "end": 4,
        "depth": 1,
        "level": 1,
        "kind": "call",
        "function": "Cart.add",
        "status": NodeStatus.SUSPECT,
        "suspects": 3,
        "parent": "0",
        "grouped": False,
    }
    assert row_data(TREE, 0)["parent"] == ""
    assert row_data(TREE, 4)["suspects"] == 0


def test_groups_have_their_own_kind_and_are_not_candidates() -> None:
    grouped = snapshot([-1, *[0] * 6], [0, *[1] * 3, 2, 1, 2], chains=[-1, *[0] * 6])
    tree = grouped.tree
    kinds = {row_data(grouped, node)["kind"] for node in range(len(tree))}
    assert kinds >= {"call", "projected"}
    assert not [node for node in candidates(grouped, Wanted(None)) if tree.is_group(int(node))]


def test_scrolling_reuses_the_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = tree_rows._outline

    def counted(*args: object) -> object:
        made.append(args)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(tree_rows, "_outline", counted)
    rows = TreeRows()
    for first in range(3):
        rows.data(TREE, Wanted(None), Window(first, 1))
    assert len(made) == 1
    rows.data(TREE, Wanted(("0",)), ALL)
    assert len(made) == 2


def test_rows_by_status_are_found_anew_in_each_version() -> None:
    rows, wanted = TreeRows(), Wanted((), status=NodeStatus.RIGHT)
    before = rows.data(TREE, wanted, ALL)
    later = snapshot(PARENTS, FUNCTIONS, judged={4: "right", 1: "right"}, version=2)
    after = rows.data(later, wanted, ALL)
    assert [row["key"] for row in before["rows"]] == ["4"]
    assert [row["key"] for row in after["rows"]] == ["1", "4"]


def test_the_path_to_a_node_has_the_outermost_first() -> None:
    assert path_data(TREE, "5") == {
        "key": "5",
        "row": "5",
        "above": ["0", "4"],
        "functions": ["main", "Cart.add"],
    }
    assert path_data(TREE, "0") == {"key": "0", "row": "0", "above": [], "functions": []}
