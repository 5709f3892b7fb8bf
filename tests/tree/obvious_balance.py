"""Balancing as the paper prints it (Algorithms 1 to 4), and lists, without any cleverness.

Conventions where the paper leaves a choice: tests/data/strategies-format.md, section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from wrongcall.tree.balance import Balancing


@dataclass
class Node:
    """A node of the tree that is being transformed."""

    kind: str
    members: list[int]
    method: int
    chain: int
    completed: bool = True
    children: list[Node] = field(default_factory=list)
    brief: bool = True
    """A call takes one line in a list; of several, the first one does."""

    def weight(self, how: Balancing) -> int:
        below = sum(child.weight(how) for child in self.children)
        own = {"o": 1, "c": len(self.members), "p": 0, "l": 0}[self.kind]
        return below + (1 if how.count_nodes else own)


def build(
    parent: Sequence[int],
    method: Sequence[int],
    chain: Sequence[int],
    completed: Sequence[bool],
    brief: Sequence[bool],
) -> Node:
    nodes = [
        Node("o", [v], method[v], chain[v], completed[v], brief=brief[v])
        for v in range(len(parent))
    ]
    for v in range(1, len(parent)):
        nodes[parent[v]].children.append(nodes[v])
    return nodes[0]


def balanced(node: Node, how: Balancing) -> Node:
    """Transform a tree in place, bottom up."""
    for child in node.children:
        balanced(child, how)
    if not node.completed:
        return node
    if how.shrink:
        shrink(node, how)
    if how.project:
        project(node, chains_of(node, how), how)
    return node


def same_chain(left: Node, right: Node, how: Balancing) -> bool:
    return how.unrestricted or (left.chain >= 0 and left.chain == right.chain)


def shrink(node: Node, how: Balancing) -> None:
    done: list[Node] = []
    rest = list(node.children)
    while rest:
        run = [rest.pop(0)]
        while (
            rest
            and len(run) < how.largest
            and not run[-1].children
            and not rest[0].children
            and run[-1].method == rest[0].method
            and same_chain(run[-1], rest[0], how)
        ):
            run.append(rest.pop(0))
        if len(run) >= how.smallest:
            members = [member for each in run for member in each.members]
            first = run[0]
            made = Node("c", members, first.method, first.chain, first.completed, brief=first.brief)
            done.append(made)
        else:
            done.append(run[0])
            rest = run[1:] + rest
    node.children = done


def list_links(nodes: Sequence[Node], how: Balancing) -> set[int]:
    """Return the first members of the nodes that can be in one list with the next node."""
    between = {
        i
        for first in range(len(nodes))
        for last in range(first + 1, min(first + how.near, len(nodes) - 1) + 1)
        if how.listed > 0 and nodes[first].method == nodes[last].method
        for i in range(first, last)
    }
    found = set()
    for i in between:
        first, last = i, i + 1
        while first - 1 in between:
            first -= 1
        while last in between:
            last += 1
        is_loop = last - first + 1 >= how.loop
        if is_loop or nodes[i].method == nodes[i + 1].method:
            found.add(i)
    return {nodes[i].members[0] for i in found if nodes[i].completed and nodes[i + 1].completed}


def runs(nodes: Sequence[Node], is_linked: Callable[[Node, Node], bool]) -> list[list[Node]]:
    found: list[list[Node]] = []
    for node in nodes:
        if found and is_linked(found[-1][-1], node):
            found[-1].append(node)
        else:
            found.append([node])
    return found


def chains_of(node: Node, how: Balancing) -> list[list[Node]]:
    found = []
    listed = list_links(node.children, how)
    for run in runs(node.children, lambda x, y: same_chain(x, y, how) or x.members[0] in listed):
        states = runs(run, lambda x, y: same_chain(x, y, how))
        most = how.listed if all(each.brief for each in run) else min(how.listed_long, how.listed)
        for is_large, some in groupby(states, lambda state: calls_in(state) > most):  # noqa: B023
            together = list(some)
            found += together if is_large else shared_out(together, most)
    return [chain for chain in found if len(chain) > 1]


def calls_in(nodes: Sequence[Node]) -> int:
    return sum(len(node.members) for node in nodes)


def shared_out(states: list[list[Node]], most: int) -> list[list[Node]]:
    """Cut a run into lists of about the same size, between states only."""
    calls = sum(map(calls_in, states))
    goal = math.ceil(calls / math.ceil(calls / most))
    lists: list[list[Node]] = [[]]
    for state in states:
        now = calls_in(lists[-1])
        if lists[-1] and (now >= goal or now + calls_in(state) > most):
            lists.append([])
        lists[-1] += state
    return lists


def kind_of(nodes: Sequence[Node], how: Balancing) -> str:
    return "p" if len(runs(nodes, lambda x, y: same_chain(x, y, how))) == 1 else "l"


def project(node: Node, chains: list[list[Node]], how: Balancing) -> None:
    children = list(node.children)
    root_weight = node.weight(how)
    made: list[Node] = []
    while chains:
        half = root_weight / 2
        child = max(children, key=lambda c: c.weight(how))
        distance = abs(half - child.weight(how))
        options = [
            (abs(sum(c.weight(how) for c in chain[i : j + 1]) - half), number, i, j)
            for number, chain in enumerate(chains)
            for i in range(len(chain))
            for j in range(i + how.smallest - 1, min(len(chain), i + how.largest))
        ]
        best = min(options, default=None)
        if child.weight(how) >= half or best is None or best[0] >= distance:
            taken = [child]
            number = next((n for n, c in enumerate(chains) if any(child is x for x in c)), -1)
            i = j = -1
            if number >= 0:
                i = j = next(k for k, each in enumerate(chains[number]) if each is child)
        else:
            _, number, i, j = best
            taken = chains[number][i : j + 1]
            group = Node(kind_of(taken, how), [], -1, -1, True, taken)
            at = next(k for k, each in enumerate(node.children) if each is taken[0])
            node.children[at : at + len(taken)] = [group]
            made.append(group)
        root_weight -= sum(c.weight(how) for c in taken)
        children = [c for c in children if not any(c is t for t in taken)]
        if number >= 0:
            pieces = [chains[number][:i], chains[number][j + 1 :]]
            chains[number : number + 1] = [piece for piece in pieces if len(piece) > 1]
    if how.recursive:
        for group in made:
            project(group, [list(group.children)], how)


def listing(root: Node) -> tuple[list[int], str, list[list[int]]]:
    """Return parent, kind and members of all nodes in preorder."""
    parent: list[int] = []
    kinds = ""
    members: list[list[int]] = []
    stack = [(root, -1)]
    while stack:
        node, above = stack.pop()
        parent.append(above)
        kinds += node.kind
        members.append(node.members)
        stack += [(child, len(parent) - 1) for child in reversed(node.children)]
    return parent, kinds, members
