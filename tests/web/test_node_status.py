"""The status of nodes while a session goes on."""

from __future__ import annotations

import numpy as np

from wrongcall.session import Session
from wrongcall.tree.tree import Tree
from wrongcall.web.node_status import NodeStatus, NodeStatuses

#  0 ( 1 ( 2 3 ) 4 ( 5 ) )
PARENTS = [-1, 0, 1, 1, 0, 4]


def statuses(session: Session) -> list[str]:
    statuses = NodeStatuses(session)
    found = [statuses.status(node) for node in range(len(session.tree))]
    for status in NodeStatus:
        assert [n for n, s in enumerate(found) if s is status] == statuses.nodes(status).tolist()
    return [status.value for status in found]


def test_a_right_call_clears_what_is_below_it_and_a_wrong_one_what_is_outside() -> None:
    session = Session(Tree.from_parents(PARENTS))
    assert statuses(session) == ["suspect"] * 6
    session.judge(4, "right")
    assert statuses(session) == [*["suspect"] * 4, "right", "cleared"]
    session.judge(1, "wrong")
    assert statuses(session) == ["cleared", "wrong", "suspect", "suspect", "right", "cleared"]


def test_nodes_have_depths_and_shares_of_suspects() -> None:
    session = Session(Tree.from_parents(PARENTS))
    session.judge(4, "right")
    statuses = NodeStatuses(session)
    assert statuses.depth.tolist() == [0, 1, 2, 2, 1, 2]
    assert statuses.share(0, 6) == 4 / 6
    assert statuses.share(4, 6) == 0


def test_groups_inside_groups_are_not_indented_further() -> None:
    calls = 9
    tree = Tree.from_parents([-1, *([0] * calls)], range(calls + 1))
    statuses = NodeStatuses(Session(tree, chains=np.array([-1, *([1] * calls)])))
    tree = statuses.tree
    assert any(tree.is_group(int(tree.parent[n])) for n in range(1, len(tree)) if tree.is_group(n))
    for node in range(len(tree)):
        above = list(tree.ancestors(node))
        inner = [a for a in above if tree.is_group(a) and tree.is_group(int(tree.parent[a]))]
        assert statuses.level[node] == len(above) - len(inner)


def test_running_calls_and_members_of_groups_have_their_status() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0], completed=[False, True, True, True])
    session = Session(tree, growing=True, chains=np.array([-1, 1, 1, 1]))
    assert statuses(session)[0] == "running"
    tree = Tree.from_parents([-1, 0, 0, 0])
    session = Session(tree, chains=np.array([-1, 1, 1, 1]))
    assert set(statuses(session)) == {"suspect"}
    session.judge((1, 3), "right")
    assert statuses(session) == ["suspect", *["right"] * 4]
