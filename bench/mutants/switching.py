"""Programs that switch from the mutated code to the original at the entry of a chosen call.

Up to the switch the program does what the mutant does, so the call finds exactly the state that the recorded call
found; from then on it does what the original would. What the call then does is what it should have done. What happens
after it has ended does not matter.

Both bodies of the mutated function stand in the switching program; `inside/sitecustomize.py` counts and decides.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mutants.mutations import FUNCTIONS

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class NoSwitchError(Exception):
    """The function can't be found, or has no body to switch in."""


@dataclass(frozen=True)
class Place:
    """A function: its qualified name and a line inside it."""

    qualname: str
    line: int


def with_both_bodies(original: bytes, mutated: bytes, place: Place) -> ast.Module:
    """Return a module whose function has both bodies."""
    module, other = ast.parse(original), ast.parse(mutated)
    function, changed = _find(module, place), _find(other, place)
    asked = ast.Call(ast.Name("__mutant_is_on__", ast.Load()), [], [])
    if isinstance(function, ast.Lambda) or isinstance(changed, ast.Lambda):
        assert isinstance(function, ast.Lambda)
        assert isinstance(changed, ast.Lambda)
        function.body = ast.IfExp(asked, changed.body, function.body)
    else:
        begin, declared, body = _split(function)
        _, _, mutant = _split(changed)
        both: ast.stmt = ast.If(asked, mutant or [ast.Pass()], body or [ast.Pass()])
        function.body = [*begin, *declared, both]
    return module


def with_entry(module: ast.Module, place: Place) -> ast.Module:
    """Count the entries of a function of a module."""
    function = _find(module, place)
    entered = ast.Call(ast.Name("__mutant_enter__", ast.Load()), [], [])
    if isinstance(function, ast.Lambda):
        both = ast.Tuple([entered, function.body], ast.Load())
        function.body = ast.Subscript(both, ast.Constant(1), ast.Load())
    else:
        begin, declared, body = _split(function)
        function.body = [*begin, *declared, ast.Expr(entered), *body]
    return module


def text_of(module: ast.Module) -> bytes:
    """Return the text of a module."""
    return ast.unparse(ast.fix_missing_locations(module)).encode()


def _split(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> tuple[list[ast.stmt], list[ast.stmt], list[ast.stmt]]:
    """Return the docstring, the declarations of outer names, and the rest of a body."""
    has_text = ast.get_docstring(function, clean=False) is not None
    begin, rest = function.body[:has_text], function.body[has_text:]
    declared: list[ast.stmt] = [
        each for each in rest if isinstance(each, ast.Global | ast.Nonlocal)
    ]
    return begin, declared, [each for each in rest if each not in declared]


def _find(module: ast.Module, place: Place) -> _Function:
    found = [
        node
        for name, node in _functions(module, "")
        if name == place.qualname and node.lineno <= place.line <= (node.end_lineno or 0)
    ]
    if len(found) != 1:
        raise NoSwitchError(f"{len(found)} functions {place.qualname} at line {place.line}")
    return found[0]


def _functions(node: ast.AST, prefix: str) -> list[tuple[str, _Function]]:
    found: list[tuple[str, _Function]] = []
    for child in ast.iter_child_nodes(node):
        inner = prefix
        if isinstance(child, ast.ClassDef):
            inner = f"{prefix}{child.name}."
        elif isinstance(child, (*FUNCTIONS, ast.Lambda)):
            name = "<lambda>" if isinstance(child, ast.Lambda) else child.name
            found.append((f"{prefix}{name}", child))
            inner = f"{prefix}{name}.<locals>."
        found += _functions(child, inner)
    return found
