"""What a statement checks: the values that an assertion compares or tests.

An assertion is an ``assert`` statement or a call of a method ``assert...`` of a test case. Of any other statement, all
its own expressions count: whatever failed there failed because of one of them.
"""

from __future__ import annotations

import ast

from wrongcall.languages.python.syntax import Source

_TESTS_ONE = frozenset({"assertTrue", "assertFalse", "assertIsNone", "assertIsNotNone"})


def checked_values(source: Source, line: int) -> list[ast.expr]:
    """Return the expressions that the statement at a line checks, in order; none if there is no such statement."""
    statement = _statement_at(source, line)
    if isinstance(statement, ast.Assert):
        return _tested(statement.test)
    if isinstance(statement, ast.Expr):
        method = _assert_method(statement.value)
        if method is not None:
            return method
    return _own_expressions(statement) if statement is not None else []


def _statement_at(source: Source, line: int) -> ast.stmt | None:
    """Return the innermost statement that a line belongs to."""
    found = None
    for node in ast.walk(source.tree) if source.tree is not None else ():
        is_around = isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
        if isinstance(node, ast.stmt) and is_around and _is_inside(node, found):
            found = node
    return found


def _is_inside(node: ast.stmt, other: ast.stmt | None) -> bool:
    if other is None:
        return True
    return (node.lineno, -(node.end_lineno or 0)) >= (other.lineno, -(other.end_lineno or 0))


def _tested(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.Compare):
        return [test.left, *test.comparators]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _tested(test.operand)
    if isinstance(test, ast.BoolOp):
        return [part for value in test.values for part in _tested(value)]
    return [test]


def _assert_method(value: ast.expr) -> list[ast.expr] | None:
    if isinstance(value, ast.Await):
        value = value.value
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return None
    name = value.func.attr
    if not name.startswith("assert"):
        return None
    if name in _TESTS_ONE:
        return [part for argument in value.args[:1] for part in _tested(argument)]
    # The object of a mock is what `mock.assert_called_with()` is about.
    receiver = [value.func.value] if "_" in name else []
    return [*receiver, *value.args[:2]]


def _own_expressions(statement: ast.stmt) -> list[ast.expr]:
    """Return the expressions of a statement itself, not of the statements inside."""
    found: list[ast.expr] = []
    for node in ast.iter_child_nodes(statement):
        if isinstance(node, ast.withitem):
            found.append(node.context_expr)
        elif isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
            found.append(node)
    return found
