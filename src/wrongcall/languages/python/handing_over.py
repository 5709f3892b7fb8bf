"""Statements that may run a suspended generator or coroutine without making a call that is recorded.

``next(g)``, the header of a `for`, an `await` and the like leave no event before what they resume runs. Statements that
can't do that are told apart by their syntax.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from wrongcall.languages.python.syntax import SCOPED, Source

_RESUMING = (
    ast.Call, ast.Await, ast.YieldFrom, ast.Starred, ast.Compare, ast.ListComp, ast.SetComp, ast.DictComp,
)  # fmt: skip
_HEADERS = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)
_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)


def resuming_lines(source: Source) -> frozenset[int]:
    """Return the first lines of all statements that may resume a generator or coroutine."""
    if source.tree is None:
        return frozenset()
    statements = (node for node in ast.walk(source.tree) if isinstance(node, ast.stmt))
    return frozenset(node.lineno for node in statements if _may_resume(node))


def _may_resume(statement: ast.stmt) -> bool:
    if isinstance(statement, _HEADERS):
        return True
    if isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Tuple | ast.List) for target in statement.targets
    ):
        return True
    return any(isinstance(node, _RESUMING) for node in _header(statement))


def _header(node: ast.AST) -> Iterator[ast.AST]:
    """Iterate over what a statement evaluates itself, without the statements and functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_BLOCKS, *SCOPED)):
            yield child
            yield from _header(child)
