"""The tree of a value's origin on a screen.

A line says what was read and its value, and where it came from. A node with one part is continued on the same level:
copies do not make the tree deep. ``(+7)``: it is one of eight that are alike, as the same happened at that line in
other rounds or calls; what is below belongs to all of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.present.lines import Line, cut
from wrongcall.present.origin_tree import ShownNode, code_line, value_text
from wrongcall.present.text import safe
from wrongcall.recording import NodeKind, OriginNode, Recording, Role

_STEP = 2
_DEEPEST = 24
"""Columns of indentation, at most."""
_LEADS = {
    Role.KEY: "at ",
    Role.CONTAINER: "in ",
}
_COPIES = frozenset({Role.ASKED, Role.OPERAND, Role.ELEMENT})
_HOW = {
    NodeKind.PASSED: "passed",
    NodeKind.RETURNED: "returned",
    NodeKind.YIELDED: "yielded",
    NodeKind.RAISED: "raised",
    NodeKind.SEEN: "first seen",
    NodeKind.REMOVED: "removed",
}


def origin_tree_lines(recording: Recording, shown: ShownNode, width: int) -> list[Line]:
    """Return a line for each node below the value that was asked about, its own write first."""
    return [cut(line, width) for line in _lines(recording, shown, 2, width)]


def _lines(recording: Recording, shown: ShownNode, indent: int, width: int) -> Iterator[Line]:
    line = _line(recording, shown.node, indent, width)
    if shown.more:
        again: Line = ((f"  (+{shown.more})", "quiet"),)
        line = (*cut(line, width - len(again[0][0])), *again)
    yield line
    flat = len(shown.parts) == 1 and {shown.node.role, shown.parts[0].node.role} <= _COPIES
    inner = indent if flat else min(indent + _STEP, _DEEPEST)
    for part in shown.parts:
        yield from _lines(recording, part, inner, width)


def _line(recording: Recording, node: OriginNode, indent: int, width: int) -> Line:
    room = max(width // 3, 16)
    where = _where(recording, node)
    if node.kind is NodeKind.CALLED:
        return " " * indent, ("because it was called: ", "quiet"), (safe(node.text), "name"), where
    if node.kind is NodeKind.CONDITION:
        return " " * indent, *_condition(recording, node, room), where
    value = value_text(recording, node, room)
    what: Line = (_LEADS.get(node.role, ""), (safe(node.text), "name"))
    if value:
        what = (*what, f" = {value}")
    how = _HOW.get(node.kind, "")
    code = node.note or code_line(recording, node)
    told: Line = (where, (f" {how}" if how else "", "quiet"), (f"  {code}", "quiet"))
    return " " * indent, *what, *told


def _condition(recording: Recording, node: OriginNode, room: int) -> Line:
    lead = "not changed later, as " if node.role is Role.KEPT else "because "
    text = (safe(node.text), "name")
    if node.text.startswith("except"):
        return (lead, "quiet"), text, f" caught {value_text(recording, node, room)}"
    if node.text.startswith(("for ", "async for ")):
        came = " took another element" if node.taken else " had no more elements"
        return (lead, "quiet"), text, came
    if node.text.startswith("match "):
        return (lead, "quiet"), text, " led there"
    return (lead, "quiet"), text, f" was {'true' if node.taken else 'false'}"


def _where(recording: Recording, node: OriginNode) -> tuple[str, str]:
    if not node.call:
        return "", "quiet"
    name = safe(recording.call(node.call).function.qualname)
    return f"  line {node.line} {name} #{node.call}", "quiet"
