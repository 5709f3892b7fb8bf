"""Find the expression in the source that gave a value to what is written, and what a statement may change.

Pure functions on syntax trees. Where the source has no single expression for it (a loop's variable, an augmented
assignment, an import), the result is None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from wrongcall.languages.paths import PathStep
from wrongcall.trace.read.places import Entry, Item

_STORES = {"append": 0, "appendleft": 0, "add": 0, "insert": 1, "setdefault": 1, "__setitem__": 1}
"""Methods that put an argument into their receiver, and the position of that argument."""


def bound_to_name(nodes: list[ast.AST], name: str) -> ast.expr | None:
    """Return the expression that a statement or walrus binds a name to."""
    for node in nodes:
        if isinstance(node, ast.Assign):
            found = (_unpacked(target, node.value, name) for target in node.targets)
            return next((value for value in found if value is not None), None)
        if isinstance(node, ast.AnnAssign | ast.NamedExpr):
            return node.value
        if isinstance(node, ast.Return):
            return node.value
    return None


def _unpacked(target: ast.expr, value: ast.expr, name: str) -> ast.expr | None:
    """Return the part of a value that a name in a target gets."""
    if isinstance(target, ast.Name):
        return value if target.id == name else None
    if not isinstance(target, ast.Tuple | ast.List):
        return None
    for part, given in _pairs(target, value):
        found = _unpacked(part, given, name)
        if found is not None:
            return found
    return None


def _pairs(target: ast.Tuple | ast.List, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Pair the parts of a target with those of a value that is a display as well."""
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != len(target.elts):
        return
    if not any(isinstance(e, ast.Starred) for e in (*value.elts, *target.elts)):
        yield from zip(target.elts, value.elts, strict=True)


def bound_to_target(node: ast.AST, statement: ast.AST | None) -> ast.expr | None:
    """Return the expression that an assignment stores in a subscript or attribute among its targets."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value if statement.target is node else None
    if not isinstance(statement, ast.Assign):
        return None
    for target in statement.targets:
        found = _part_for(target, statement.value, node)
        if found is not None:
            return found
    return None


def _part_for(target: ast.expr, value: ast.expr, node: ast.AST) -> ast.expr | None:
    if target is node:
        return value
    if isinstance(target, ast.Tuple | ast.List):
        found = (_part_for(part, given, node) for part, given in _pairs(target, value))
        return next((part for part in found if part is not None), None)
    return None


def stored_by(call: ast.Call) -> ast.expr | None:
    """Return the argument that a method of a container puts into it."""
    if not isinstance(call.func, ast.Attribute):
        return None
    index = _STORES.get(call.func.attr)
    if index is None or len(call.args) <= index:
        return None
    found = call.args[index]
    return None if isinstance(found, ast.Starred) else found


def element(display: ast.AST, place: PathStep) -> ast.expr | None:
    """Return the expression for a place of a list, tuple or dict display."""
    if isinstance(display, ast.List | ast.Tuple) and isinstance(place, Item):
        before = display.elts[: place.index + 1]
        if len(before) > place.index and not any(isinstance(e, ast.Starred) for e in before):
            return before[place.index]
    if isinstance(display, ast.Dict) and isinstance(place, Entry):
        for key, value in zip(display.keys[::-1], display.values[::-1], strict=True):
            if not isinstance(key, ast.Constant):
                return None  # it may evaluate to that key
            if key.value == place.key:
                return value
    return None


def operands(node: ast.AST) -> Iterator[ast.expr]:
    """Iterate over the places and calls that an expression is computed from, largest first."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        yield node
        if isinstance(node, ast.Subscript):
            yield from operands(node.slice)
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Call):
        yield node
        inner: list[ast.AST] = [*node.args, *(keyword.value for keyword in node.keywords)]
        if isinstance(node.func, ast.Attribute):
            inner.insert(0, node.func.value)
        for part in inner:
            yield from operands(part)
        return
    for part in ast.iter_child_nodes(node):
        yield from operands(part)


def changed_by(statement: ast.AST) -> Iterator[ast.expr]:
    """Iterate over what the calls in a statement's own expressions may change."""
    waiting = [n for n in ast.iter_child_nodes(statement) if not isinstance(n, ast.stmt)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr):
            yield from changed_by_call(node)
        waiting += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt)]


def changed_by_call(node: ast.expr) -> Iterator[ast.expr]:
    """Iterate over what an expression may change: the receiver and the arguments of a call."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from node.args
        yield from (keyword.value for keyword in node.keywords)
    elif isinstance(node, ast.Subscript | ast.Attribute):
        yield node.value
