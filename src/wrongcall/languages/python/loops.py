"""Loops in the source: which of them binds a name, and what its variable is a part of.

Pure functions on syntax trees.

Vocabulary: a loop's variable holds an *element* of a container, or a part of one: ``for k, v in pairs``. Well-known
functions on containers (``enumerate``, ``zip``, ``items``) are looked through.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from wrongcall.languages.expressions import Element, Part

Loop = ast.For | ast.AsyncFor | ast.comprehension
_SCOPES = (ast.stmt, ast.Lambda)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def binding_loop(name: ast.Name, parents: Mapping[ast.AST, ast.AST]) -> ast.comprehension | None:
    """Return the clause of a comprehension that binds a name at its position, or None."""
    below: ast.AST = name
    node = parents.get(name)
    clause: ast.comprehension | None = None
    while node is not None and not isinstance(node, _SCOPES):
        if isinstance(node, ast.comprehension):
            clause = node
            # The iterable of a clause is evaluated before its own variable is bound.
            in_iter = below is node.iter
        elif isinstance(node, _COMPREHENSIONS):
            last = len(node.generators)
            if clause is not None:
                last = node.generators.index(clause) + (0 if in_iter else 1)
            for loop in node.generators[:last][::-1]:
                if name.id in names_in(loop.target):
                    return loop
            clause = None
        below, node = node, parents.get(node)
    return None


def names_in(target: ast.expr) -> list[str]:
    """Return the names that a target binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def loop_of(target: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> Loop | None:
    """Return the loop that a node is the target of."""
    node = parents.get(target)
    is_loop = isinstance(node, ast.For | ast.AsyncFor | ast.comprehension)
    return node if is_loop and node.target is target else None  # type: ignore[union-attr,return-value]


def element_of(loop: Loop, name: str, is_builtin: Callable[[ast.Name], bool]) -> Element | None:
    """Return what a variable of a loop holds; None if the source does not tell."""
    if isinstance(loop, ast.AsyncFor) or (isinstance(loop, ast.comprehension) and loop.is_async):
        return None
    target, iterable = loop.target, loop.iter
    if isinstance(iterable, ast.Call):
        return _handed_over(target, iterable, name, is_builtin)
    return _plain(target, iterable, name)


def _plain(target: ast.expr, container: ast.expr, name: str) -> Element | None:
    if isinstance(target, ast.Name):
        return Element(container) if target.id == name else None
    if not isinstance(target, ast.Tuple | ast.List):
        return None
    if any(isinstance(part, ast.Starred) for part in target.elts):
        return None
    parts = tuple(Part(n, n.id) if isinstance(n, ast.Name) else None for n in target.elts)
    found = Element(container, parts=parts)
    return found if found.names.count(name) == 1 else None


def _handed_over(
    target: ast.expr, call: ast.Call, name: str, is_builtin: Callable[[ast.Name], bool]
) -> Element | None:
    """Look through functions that pass on the elements of their arguments."""
    if call.keywords or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    pair = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    if isinstance(call.func, ast.Name) and is_builtin(call.func):
        if call.func.id == "enumerate" and len(call.args) == 1 and len(pair) == 2:
            found = _plain(pair[1], call.args[0], name)
            index = pair[0] if isinstance(pair[0], ast.Name) else None
            return None if found is None else Element(found.container, index, found.parts)
        if call.func.id == "zip" and len(call.args) == len(pair):
            found_all = (_plain(t, a, name) for t, a in zip(pair, call.args, strict=True))
            return next((found for found in found_all if found is not None), None)
        if call.func.id in ("reversed", "sorted") and len(call.args) == 1:
            return _plain(target, call.args[0], name)
    if isinstance(call.func, ast.Attribute) and not call.args:
        if call.func.attr == "items" and len(pair) == 2 and isinstance(pair[0], ast.Name):
            found = _plain(pair[1], call.func.value, name)
            return None if found is None else Element(found.container, pair[0], found.parts, True)
        if call.func.attr == "values":
            found = _plain(target, call.func.value, name)
            return None if found is None else Element(found.container, None, found.parts, True)
    return None
