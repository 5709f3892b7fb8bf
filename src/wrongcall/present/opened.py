"""A question with all parts of its values, as far as anybody could read them."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.present.questions import QuestionView
from wrongcall.present.values import ValueNode, Viewer
from wrongcall.recording import Recording

PARTS = 1000
"""Parts of an object that are shown; the rest is counted."""
_COLUMNS = 2000


def opened(recording: Recording, asked: QuestionView) -> QuestionView:
    """Return a question whose values have all the parts that a tree leaves out at first."""
    before = Viewer(recording, asked.time)
    after = Viewer(recording, asked.exit if asked.exit >= 0 else None)
    return replace(
        asked,
        given=tuple(_filled(before, node) for node in asked.given),
        read=tuple(_filled(before, node) for node in asked.read),
        produced=None if asked.produced is None else _filled(after, asked.produced),
    )


def _filled(viewer: Viewer, node: ValueNode) -> ValueNode:
    """Return a value with the parts that follow those it has; what has none is folded on purpose."""
    if not node.parts:
        return node
    parts = tuple(_filled(viewer, part) for part in node.parts)
    if node.object and node.size > len(parts) and node.parts[0].label:
        more = viewer.parts(node.object, len(parts), PARTS - len(parts), _COLUMNS)
        parts = (*parts, *more)
    return replace(node, parts=parts)
