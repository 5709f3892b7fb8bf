"""What an expression reads: the places, calls and choices that its value is computed from.

Pure functions on syntax trees. `reads` finds the largest such parts and does not look inside them; `inner` looks one
level deeper, where the larger part itself is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_PLACES = (ast.Name, ast.Attribute, ast.Subscript)
_CHOICES = (ast.IfExp, ast.BoolOp, ast.NamedExpr, ast.Await, ast.YieldFrom, ast.Yield)
_HANDING = ast.NamedExpr | ast.Await | ast.YieldFrom | ast.Yield
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WHOLE = (*_PLACES, *_CHOICES, *_COMPREHENSIONS, ast.Call)


def reads(node: ast.AST) -> Iterator[ast.expr]:
    """Iterate over the largest parts of an expression or a statement that are read, in order of evaluation."""
    if isinstance(node, _WHOLE):
        yield node
    elif isinstance(node, ast.stmt):
        for each in _evaluated(node):
            yield from reads(each)
        for target in node.targets if isinstance(node, ast.Delete) else ():
            yield from inner(target)
    elif isinstance(node, ast.expr | ast.keyword) and not isinstance(node, ast.Lambda):
        for part in ast.iter_child_nodes(node):
            yield from reads(part)


def _evaluated(node: ast.stmt) -> list[ast.expr]:
    """Return the expressions that a statement itself evaluates for what it gives, without its targets."""
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.context_expr for item in node.items]
    names = ("exc", "value", "subject", "iter")
    found = (getattr(node, name, None) for name in names)
    return [part for part in found if isinstance(part, ast.expr)]


def inner(node: ast.AST) -> Iterator[ast.expr]:
    """Iterate over what a part is read by: containers and keys of places, receivers and arguments of calls."""
    if isinstance(node, ast.Attribute | ast.Starred):
        yield from reads(node.value)
    elif isinstance(node, ast.Subscript):
        yield from reads(node.value)
        yield from _within(node.slice)
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield from reads(node.func.value)
        for part in (*node.args, *node.keywords):
            yield from reads(part)
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from reads(value)
    elif isinstance(node, ast.IfExp):
        yield from (*reads(node.test), *reads(node.body), *reads(node.orelse))
    elif isinstance(node, _HANDING) and node.value is not None:
        yield from reads(node.value)


def keys(node: ast.AST) -> Iterator[ast.expr]:
    """Iterate over what the keys of a place are computed from, the last one first."""
    if isinstance(node, ast.Subscript):
        yield from _within(node.slice)
    if isinstance(node, ast.Attribute | ast.Subscript):
        yield from keys(node.value)


def containers(node: ast.AST) -> Iterator[ast.expr]:
    """Iterate over the places that a place is in, from the inside out."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        if isinstance(node, _PLACES):
            yield node


def callee(node: ast.AST) -> str:
    """Return the name of what a call calls, as it is written."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def calls_in(node: ast.AST) -> bool:
    """Return whether evaluating an expression may call something or take turns."""
    waiting: list[ast.AST] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Call | ast.Await | ast.YieldFrom | ast.Yield | _COMPREHENSION):
            return True
        if not isinstance(part, ast.Lambda):
            waiting += ast.iter_child_nodes(part)
    return False


_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _within(key: ast.expr) -> Iterator[ast.expr]:
    if isinstance(key, ast.Slice):
        for part in (key.lower, key.upper, key.step):
            if part is not None:
                yield from reads(part)
    else:
        yield from reads(key)


def elements(node: ast.AST) -> tuple[ast.expr, ...]:
    """Return what a comprehension evaluates for each element; empty for anything else."""
    if isinstance(node, ast.DictComp):
        return (node.key, node.value)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return (node.elt,)
    return ()
