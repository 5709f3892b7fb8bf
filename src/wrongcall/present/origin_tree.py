"""The tree of a value's origin: which nodes to show, and their JSON (docs/reference/json.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TypedDict

from wrongcall.present.pairs import value_line
from wrongcall.present.text import safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import (
    UNKNOWN,
    UNSET,
    Explored,
    NodeKind,
    Opened,
    OriginNode,
    Recording,
    Role,
)

NODES_SHOWN = 30
"""Nodes of an origin to show at first."""
EXPLORED_PER_NODE = 4
"""Explore at most this many nodes for each one that is shown: those that are alike are shown once."""
_WIDTH = 200
"""Columns of a value."""


@dataclass(frozen=True)
class ShownNode:
    """A node that is shown, with those shown below it."""

    node: OriginNode
    parts: tuple[ShownNode, ...]
    """What it and those like it came from."""
    more: int = 0
    """How many more were explored that are like it: the same happened at the same line."""


def shown_nodes(
    recording: Recording, root: OriginNode, most: int = NODES_SHOWN, depth: int | None = None
) -> list[Explored]:
    """Return the nodes of an origin up to the one that is the last to be shown, in the order of distance.

    Of those that are alike, only the first is shown.
    """
    found: list[Explored] = []
    shown = 0
    for each in islice(
        recording.places.origin_slice(root, depth), max(most, 1) * EXPLORED_PER_NODE
    ):
        shown += each.like == len(found)
        if shown > max(most, 1):
            break
        found.append(each)
    return found


def shown_tree(
    recording: Recording, root: OriginNode, most: int = NODES_SHOWN, depth: int | None = None
) -> ShownNode:
    """Return the nodes of an origin that are nearest to the value, at most ``most``, as a tree."""
    found = shown_nodes(recording, root, most, depth)
    below: dict[int, list[int]] = {}
    more = Counter(each.like for each in found)
    for number, each in enumerate(found):
        if each.like == number and each.parent >= 0:
            below.setdefault(found[each.parent].like, []).append(number)
    built: dict[int, ShownNode] = {}
    for number in reversed(range(len(found))):
        parts = tuple(built[child] for child in below.get(number, ()))
        built[number] = ShownNode(found[number].node, parts, more[number] - 1)
    return built[0]


class OriginNodeData(TypedDict):
    """Something that a value came from."""

    kind: NodeKind
    role: Role
    text: str
    """The place, expression or test, as the function that read it has it."""
    value: str
    """As of ``read``; empty if it is not known."""
    time: int
    """When it happened."""
    read: int
    """When the value was read."""
    call: int
    """The call in which it happened; 0 if that is not known."""
    function: str
    line: int
    source: str
    """The expression that gave the value."""
    code: str
    """The line of source."""
    taken: bool | None
    """The outcome of a test."""
    note: str
    """What is not known, in words."""


class OriginTreeData(OriginNodeData):
    """A node with those below it."""

    more: int
    """How many more nodes were explored that are like it."""
    parts: list[OriginTreeData]


class OriginPartsData(TypedDict):
    """What a node came from."""

    operands: list[OriginNodeData]
    conditions: list[OriginNodeData]
    kept: list[OriginNodeData]
    left_out: int
    """Operands that are not listed."""
    note: str


def value_text(recording: Recording, node: OriginNode, width: int) -> str:
    """Return the value of a node as it was read; empty if it is not known."""
    if node.value is UNKNOWN or node.value is UNSET or node.kind is NodeKind.CALLED:
        return ""
    return value_line(Viewer(recording, node.read), node.value, width)


def code_line(recording: Recording, node: OriginNode) -> str:
    """Return the line of source of a node, empty if it is not known."""
    if not node.call:
        return ""
    source = recording.sources.of_function(recording.call(node.call).function)
    return source_line(source.line(node.line)).strip()


def node_data(recording: Recording, node: OriginNode) -> OriginNodeData:
    """Return a node for JSON."""
    return {
        "kind": node.kind,
        "role": node.role,
        "text": safe(node.text),
        "value": value_text(recording, node, _WIDTH),
        "time": node.time,
        "read": node.read,
        "call": node.call,
        "function": safe(recording.call(node.call).function.qualname) if node.call else "",
        "line": node.line,
        "source": safe(node.source),
        "code": code_line(recording, node),
        "taken": node.taken,
        "note": node.note,
    }


def parts_data(recording: Recording, opened: Opened) -> OriginPartsData:
    """Return what a node came from for JSON; nodes are numbered over all three lists."""
    return {
        "operands": [node_data(recording, node) for node in opened.operands],
        "conditions": [node_data(recording, node) for node in opened.conditions],
        "kept": [node_data(recording, node) for node in opened.kept],
        "left_out": opened.left_out,
        "note": opened.note,
    }


def tree_data(recording: Recording, shown: ShownNode) -> OriginTreeData:
    """Return a node with those below it for JSON."""
    parts = [tree_data(recording, part) for part in shown.parts]
    return {**node_data(recording, shown.node), "more": shown.more, "parts": parts}
