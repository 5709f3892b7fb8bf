"""Paths and keys as a person types them, in Python's notation."""

from __future__ import annotations

import ast
import re

from wrongcall.errors import UsageError
from wrongcall.languages.paths import RETURNED, Key, Path, PathStep
from wrongcall.trace.read.places import Attr

_RETURNED = re.compile(rf"^{RETURNED}(?=[.\[]|$)")


def parse_path(text: str) -> Path:
    """Parse a path that a person wrote."""
    # It is a keyword: a name takes its place.
    written = _RETURNED.sub("result", text.strip())
    try:
        node: ast.expr = ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _not_a_place(text) from None
    steps: list[PathStep] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            steps.append(Attr(node.attr))
        elif isinstance(node, ast.Subscript):
            steps.append(_key(node.slice, text))
        else:
            raise _not_a_place(text)
        node = node.value
    root = RETURNED if _RETURNED.match(text.strip()) else node.id
    return Path(root, tuple(reversed(steps)))


def _key(node: ast.expr, text: str) -> Key:
    if isinstance(node, ast.Name):
        return Key(name=node.id)
    if isinstance(node, ast.Tuple):
        return Key(parts=tuple(_key(part, text) for part in node.elts), text=ast.unparse(node))
    if isinstance(node, ast.Attribute | ast.Call):
        return Key(text=ast.unparse(node))
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise _not_a_place(text) from None
    if not isinstance(value, int | float | complex | str | bytes | None):
        raise _not_a_place(text)
    return Key(value)


def _not_a_place(text: str) -> UsageError:
    return UsageError(
        f"{text!r} is not a place: write a variable, then attributes or indexes, as in c[2], "
        'self.root.left, config["x"] or grid[1, 0]'
    )


def normal(text: str) -> str:
    """Return source in a normal form, independent of spaces and quotes."""
    try:
        return ast.unparse(ast.parse(text, mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def literal(text: str) -> object:
    """Return the value of a literal, or None if the text is not one."""
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
