"""Finding nodes of small sources in tests."""

from __future__ import annotations

import ast
from typing import Any

from wrongcall.events import Scope, SiteKind
from wrongcall.languages.expressions import Node
from wrongcall.trace.format.program_tables import Site


def expression(source: str) -> Any:
    """Parse one expression."""
    return ast.parse(source, mode="eval").body


def statement(source: str) -> Any:
    """Parse one statement."""
    (found,) = ast.parse(source).body
    return found


def text(node: Node | None) -> str | None:
    """Write a node out; None for none."""
    return None if node is None else ast.unparse(node)  # type: ignore[arg-type]


def texts(nodes: Any) -> list[str | None]:
    """Write nodes out."""
    return [text(node) for node in nodes]


def site(kind: SiteKind, node: ast.AST, name: str | None = None) -> Site:
    """Return a site that has the span of a node."""
    at: Any = node
    span = (at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)
    return Site(1, kind, 1, *span, name, Scope.LOCAL, 0)


def find(tree: ast.AST | None, source: str) -> Any:
    """Return the only node of a tree that is written like this."""
    assert tree is not None
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.expr | ast.stmt))
    (found,) = (n for n in nodes if not isinstance(n, ast.Expr) and ast.unparse(n) == source)
    return found
