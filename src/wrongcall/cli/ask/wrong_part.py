"""Picking the part of a question that is wrong."""

from __future__ import annotations

from wrongcall.errors import UsageError
from wrongcall.present import QuestionView, ValueNode
from wrongcall.present.inside_questions import InsideView
from wrongcall.present.lines import Line
from wrongcall.present.text import fit
from wrongcall.recording import parse_path
from wrongcall.session import Part, Where

LISTED = 15
RESULT = "result"


def places(asked: QuestionView) -> list[tuple[str, str]]:
    """Return the places that can be picked with what is there: outcome, effect, then input."""
    found: list[tuple[str, str]] = []
    if asked.produced is not None:
        found += _inside(asked.produced, asked.result_name)
    found += [(line.place, line.new) for line in asked.changed if line.new and _is_path(line.place)]
    for node in asked.given:
        found += _inside(node, node.label)
    return list(dict(found).items())[:LISTED]


def state_places(asked: InsideView) -> list[tuple[str, str]]:
    """Return the places of a state that can be picked: what changed, then the variables."""
    found = [(line.place, line.new) for line in asked.changed if line.new and _is_path(line.place)]
    for node in asked.variables:
        found += _inside(node, node.label)
    return list(dict(found).items())[:LISTED]


def _inside(node: ValueNode, path: str) -> list[tuple[str, str]]:
    parts = [
        (path + part.label, part.summary)
        for part in node.parts[:LISTED]
        if part.label.startswith((".", "["))
    ]
    return [(path, node.summary), *parts]


def _is_path(place: str) -> bool:
    try:
        parse_path(place)
    except UsageError:
        return False
    return "#" not in place


def place_lines(found: list[tuple[str, str]], width: int) -> list[Line]:
    """Return places with their numbers."""
    widest = min(max((len(path) for path, _ in found), default=0), width // 2)
    return [
        ((f"{i:4} ", "key"), (f"{fit(path, widest):{widest}}", "name"), "  ", value)
        for i, (path, value) in enumerate(found, 1)
    ]


def chosen(found: list[tuple[str, str]], text: str) -> str:
    """Return the path that the user chose by number, or typed."""
    at = int(text) if text.isdecimal() else 0
    return found[at - 1][0] if 0 < at <= len(found) else text


def part_of(asked: QuestionView, path: str) -> Part:
    """Return which side of the question a path belongs to."""
    root = path.replace("[", ".").partition(".")[0]
    named = any(node.label == root for node in asked.given)
    if root == asked.result_name or (root == RESULT and not named):
        return Part(Where.OUTCOME, path)
    for line in asked.changed:
        if path.startswith(line.place) or line.place.startswith(path):
            return Part(Where.EFFECT, path)
    return Part(Where.INPUT, path)
