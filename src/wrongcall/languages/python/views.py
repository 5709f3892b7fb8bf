"""Views of Python's syntax trees, for the analyses."""

from __future__ import annotations

import ast
from types import EllipsisType

from wrongcall.languages.expressions import (
    Arithmetic,
    Attribute,
    Called,
    Conditional,
    Handed,
    Literal,
    Name,
    Negative,
    Node,
    OneOf,
    Other,
    Sequence,
    Starred,
    Subscript,
    Table,
    View,
)

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_OTHER = Other()


def view_of(node: Node) -> View:
    """Return the view of an expression, or `Other` for anything else."""
    if isinstance(node, ast.Name):
        return Name(node.id)
    if isinstance(node, ast.Attribute):
        return Attribute(node.value, node.attr)
    if isinstance(node, ast.Subscript):
        return Subscript(node.value, node.slice)
    if isinstance(node, ast.Call):
        return Called(node.func, tuple(node.args))
    if isinstance(node, ast.List | ast.Tuple):
        return Sequence(tuple(node.elts), isinstance(node, ast.Tuple))
    return _computed(node) if isinstance(node, ast.expr) else _OTHER


def _computed(node: ast.expr) -> View:
    if isinstance(node, ast.Constant):
        return _literal(node)
    if isinstance(node, ast.BinOp):
        operator = _OPERATORS.get(type(node.op))
        return _OTHER if operator is None else Arithmetic(operator, node.left, node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Negative(node.operand)
    if isinstance(node, ast.BoolOp):
        return OneOf(tuple(node.values), isinstance(node.op, ast.And))
    if isinstance(node, ast.IfExp):
        return Conditional(node.body, node.orelse, node.test)
    if isinstance(node, ast.NamedExpr | ast.Await | ast.YieldFrom):
        return Handed(node.value, not isinstance(node, ast.NamedExpr))
    if isinstance(node, ast.Dict):
        return Table()
    return Starred() if isinstance(node, ast.Starred) else _OTHER


def _literal(node: ast.Constant) -> View:
    value = node.value
    plain = isinstance(value, int | float | complex | str | bytes | EllipsisType) or value is None
    return Literal(value) if plain else _OTHER
