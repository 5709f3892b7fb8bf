"""What nodes look like while a session goes on."""

from __future__ import annotations

import numpy as np

from wrongcall.session import Session
from wrongcall.tree import Tree
from wrongcall.web.shading import SHADES, Shading

#  0 ( 1 ( 2 3 ) 4 ( 5 ) )
PARENTS = [-1, 0, 1, 1, 0, 4]


def shades(session: Session) -> list[str]:
    shading = Shading(session)
    found = [shading.shade(node) for node in range(len(session.tree))]
    for shade in SHADES:
        assert [n for n, s in enumerate(found) if s == shade] == shading.nodes(shade).tolist()
    return found


def test_a_right_call_clears_what_is_below_it_and_a_wrong_one_what_is_outside() -> None:
    session = Session(Tree.from_parents(PARENTS))
    assert shades(session) == ["suspect"] * 6
    session.judge(4, "right")
    assert shades(session) == [*["suspect"] * 4, "right", "cleared"]
    session.judge(1, "wrong")
    assert shades(session) == ["cleared", "wrong", "suspect", "suspect", "right", "cleared"]


def test_depths_and_shares() -> None:
    session = Session(Tree.from_parents(PARENTS))
    session.judge(4, "right")
    shading = Shading(session)
    assert shading.depth.tolist() == [0, 1, 2, 2, 1, 2]
    assert shading.share(0, 6) == 4 / 6
    assert shading.share(4, 6) == 0


def test_calls_that_run_and_members_of_groups() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0], completed=[False, True, True, True])
    session = Session(tree, growing=True, chains=np.array([-1, 1, 1, 1]))
    assert shades(session)[0] == "running"
    tree = Tree.from_parents([-1, 0, 0, 0])
    session = Session(tree, chains=np.array([-1, 1, 1, 1]))
    assert set(shades(session)) == {"suspect"}
    session.judge((1, 3), "right")
    assert shades(session) == ["suspect", *["right"] * 4]
