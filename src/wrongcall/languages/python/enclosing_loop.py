"""The loop around a line."""

from __future__ import annotations

import ast
from typing import NamedTuple

from wrongcall.languages.python.syntax import SCOPED, Source

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class LoopLines(NamedTuple):
    """The lines of a loop: its header, and the last one of its body."""

    header: int
    last: int


def enclosing_loop(source: Source, line: int) -> LoopLines | None:
    """Return the innermost loop of the same function whose header or body has a line; None if there is none."""
    found: LoopLines | None = None
    queue: list[ast.AST] = [] if source.tree is None else [source.tree]
    while queue:
        node = queue.pop()
        for child in ast.iter_child_nodes(node):
            first, last = getattr(child, "lineno", 0), getattr(child, "end_lineno", 0)
            if not hasattr(child, "lineno"):
                queue.append(child)
                continue
            if isinstance(child, ast.stmt | ast.ExceptHandler) and first <= line <= last:
                queue.append(child)
                if isinstance(child, SCOPED) and line > first:
                    found = None
                if isinstance(child, _LOOPS):
                    end = child.body[-1].end_lineno or last
                    found = LoopLines(first, end) if line <= end else found
    return found
