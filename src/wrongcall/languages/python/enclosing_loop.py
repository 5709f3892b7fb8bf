"""The loop around a line."""

from __future__ import annotations

import ast
from typing import NamedTuple, TypeAlias

from wrongcall.languages.python.syntax import SCOPED, Source

Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class LoopLines(NamedTuple):
    """The lines of a loop: its header, and the last one of its body."""

    header: int
    last: int


def enclosing_loop(source: Source, line: int) -> LoopLines | None:
    """Return the innermost loop of the same function whose header or body has a line; None if there is none."""
    loops = _loops(source, line)
    return _lines(loops[-1]) if loops else None


def loop_variables(source: Source, line: int) -> list[str]:
    """Return the variables of the loops of the same function around a line, the outermost first."""
    targets = [loop.target for loop in _loops(source, line) if not isinstance(loop, ast.While)]
    names = [
        node.id
        for target in targets
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys(names))


def _lines(loop: Loop) -> LoopLines:
    return LoopLines(loop.lineno, loop.body[-1].end_lineno or loop.lineno)


def _loops(source: Source, line: int) -> list[Loop]:
    """Return the loops around a line, the outermost first."""
    found: list[Loop] = []
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
                    found = []
                if isinstance(child, _LOOPS) and line <= _lines(child).last:
                    found.append(child)
    return found
