"""Snapshots of small trees, without a trace."""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.session import Session
from wrongcall.tree.tree import Tree
from wrongcall.web.node_status import NodeStatuses
from wrongcall.web.tree_snapshot import TreeSnapshot

NAMES = {0: "main", 1: "Cart.add", 2: "total"}


def snapshot(
    parents: Sequence[int],
    functions: Sequence[int] | None = None,
    *,
    chains: Sequence[int] | None = None,
    judged: dict[int, str] | None = None,
    version: int = 1,
) -> TreeSnapshot:
    """Return a snapshot of a tree; ``judged``: verdicts by call."""
    tree = Tree.from_parents(parents, functions or [0] * len(parents))
    session = Session(tree, chains=chains)
    for call, verdict in (judged or {}).items():
        session.judge(call, verdict)
    return TreeSnapshot(version, NodeStatuses(session), NAMES)
