"""Conditions of contract libraries, as the source states them: decorators of functions and classes."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum

from wrongcall.languages.python.syntax import Source


class Checked(Enum):
    """When a condition is checked."""

    BEFORE = "precondition"
    AFTER = "postcondition"
    ALWAYS = "invariant"


@dataclass(frozen=True)
class Condition:
    """A condition of a function or a class."""

    name: str
    """Of the function or class."""
    checked: Checked


_CHECKED = {
    "require": Checked.BEFORE,
    "pre": Checked.BEFORE,
    "ensure": Checked.AFTER,
    "post": Checked.AFTER,
    "invariant": Checked.ALWAYS,
    "inv": Checked.ALWAYS,
}
_OF_THE_OUTCOME = frozenset({"result", "OLD"})
"""Parameters that only postconditions of icontract have."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def condition_at(source: Source, line: int) -> Condition | None:
    """Return the condition that a decorator at a line states; None: there is none, or it is not clear which."""
    nodes = ast.walk(source.tree) if source.tree is not None else ()
    for node in (node for node in nodes if isinstance(node, _DEFINITIONS)):
        for decorator in node.decorator_list:
            if decorator.lineno <= line <= (decorator.end_lineno or 0):
                checked = _checked(source, decorator)
                return Condition(node.name, checked) if checked else None
    return None


def is_decorated(definition: object) -> bool:
    """Return whether a function has decorators."""
    return isinstance(definition, _DEFINITIONS) and bool(definition.decorator_list)


def _checked(source: Source, decorator: ast.expr) -> Checked | None:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else ""
    if isinstance(called, ast.Name):
        name = source.imported.get(called.id, called.id).rpartition(".")[2]
    if name in _CHECKED:
        return _CHECKED[name]
    for argument in decorator.args if isinstance(decorator, ast.Call) else ():
        if isinstance(argument, ast.Lambda):
            params = {each.arg for each in ast.walk(argument.args) if isinstance(each, ast.arg)}
            return Checked.AFTER if params & _OF_THE_OUTCOME else None
    return None
