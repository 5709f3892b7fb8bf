"""What the syntax of a statement says: its lines, what it binds, whether it branches."""

from __future__ import annotations

import _ast as ast
import sys

from wrongcall.recorder.nodes import COMPREHENSIONS, FUNCTIONS, name, own_nodes
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TELLING = (  # statements that always leave an event, or the line of an exception
    ast.Return,
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)
BORROWS: bool = sys.version_info >= (3, 14)
"""Whether the interpreter calls methods of local variables without a reference of its own."""
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
EVENTFUL = (
    *(ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.IfExp),
    *COMPREHENSIONS,
)


def imported_name(alias: ast.alias) -> str:
    """Return the name that an import binds."""
    return alias.asname or alias.name.partition(".")[0]


def imports_all(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def may_tell(node: ast.AST) -> bool:
    """Return whether this part of an expression can leave an event."""
    return isinstance(node, EVENTFUL)


def is_endless(node: ast.AST) -> bool:
    """Return whether this is ``while True``, which does not end by its test."""
    test = getattr(node, "test", None)
    return isinstance(test, ast.Constant) and bool(test.value)


def is_compound(node: ast.stmt) -> bool:
    return isinstance(
        node,
        ast.If
        | ast.For
        | ast.AsyncFor
        | ast.While
        | ast.Try
        | ast.TryStar
        | ast.Match
        | ast.With
        | ast.AsyncWith,
    )


def executed_lines(node: ast.stmt) -> list[int]:
    """Return the lines that are executed when the statement begins; those of loops belong to their tests."""
    if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
        return []
    if hasattr(node, "body") or hasattr(node, "cases"):
        return list(range(node.lineno, header_end(node) + 1))
    return list(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def header_end(node: ast.stmt) -> int:
    """Return the last line that a compound statement evaluates before executing anything inside it."""
    parts = [getattr(node, field, None) for field in ("test", "iter", "subject")]
    for item in getattr(node, "items", []):
        parts += (item.context_expr, item.optional_vars)
    return max([node.lineno, *(part.end_lineno or 0 for part in parts if part is not None)])


def function_kind(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    yields = any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in own_body(node))
    if isinstance(node, ast.AsyncFunctionDef):
        return "async generator" if yields else "coroutine"
    return "generator" if yields else "function"


def own_body(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """Return the function's own nodes; lambdas inside are functions of their own."""
    return [n for n in own_nodes(node.body) if not isinstance(n, FUNCTIONS)]


def header_place(node: ast.AST) -> ast.AST:
    """Return a position as wide as the line that begins a definition."""
    line = node.lineno  # type: ignore[attr-defined]
    column = node.col_offset  # type: ignore[attr-defined]
    return ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)


def stores_item(node: ast.Assign) -> bool:
    """Return whether this is ``a[k] = e`` alone, which a hook does."""
    target = node.targets[0]
    return (
        len(node.targets) == 1 and isinstance(target, ast.Subscript) and not has_slice(target.slice)
    )


def has_slice(node: ast.expr) -> bool:
    if isinstance(node, ast.Slice):
        return True
    return isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts)


def resized(value: ast.expr) -> ast.Name | None:
    """Return x if this is ``x.resize(...)``, on versions where its outcome depends on how it is called."""
    func = value.func if isinstance(value, ast.Call) else None
    if not BORROWS or not isinstance(func, ast.Attribute) or func.attr != "resize":
        return None
    return func.value if isinstance(func.value, ast.Name) else None


def read_again(node: ast.expr) -> ast.expr:
    """Return a second use of a name or constant."""
    if isinstance(node, ast.Name):
        return name(node.id)
    return ast.Constant(value=node.value, kind=None)  # type: ignore[attr-defined]


def continues_name(value: ast.expr, target: str) -> bool:
    """Return whether this is ``s = s + e``: the interpreter appends in place if nothing is in between."""
    return (
        isinstance(value, ast.BinOp)
        and isinstance(value.left, ast.Name)
        and value.left.id == target
    )
