"""Copies of syntax trees that belong to the program.

A program that transforms its modules may keep the tree, use a node in several places of it, and have node classes of
its own. The copy has every node once, of the interpreter's own classes.
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

CLASSES: dict[type, type[ast.AST]] = {
    kind: kind
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


def is_tree(source: object) -> bool:
    """Return whether this is the syntax tree of a module."""
    return isinstance(source, ast.Module)


def copied(node: ast.AST) -> ast.Module:
    """Copy a tree."""
    made: ast.Module = _node(node)  # type: ignore[assignment]
    return made


def _node(node: ast.AST) -> ast.AST:
    kind = next(CLASSES[k] for k in type(node).__mro__ if k in CLASSES)
    new = kind.__new__(kind)  # from 3.13 on, calling it without all its fields is deprecated
    values = node.__dict__
    for field in (*kind._fields, *kind._attributes):
        if field in values:
            setattr(new, field, _value(values[field]))
    return new


def _value(value: object) -> object:
    if isinstance(value, ast.AST):
        return _node(value)
    if isinstance(value, list):
        return [_value(item) for item in value]
    return value
