"""Scopes against the interpreter's own symbol tables."""

from __future__ import annotations

import ast
import symtable
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder.scopes import GLOBAL, LOCAL, NONLOCAL, Scope, analyse

LIBRARY = Path(sysconfig.get_paths()["stdlib"])
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}

CLOSURES = """
import os.path as where
total = 0
def outer(a, *rest, key=None, **named):
    first, [second, *others] = rest
    for index in rest:
        pass
    with a as manager:
        pass
    try:
        pass
    except OSError as error:
        pass
    match a:
        case {"k": value, **more}: pass
        case [head, *tail] as whole: pass
    def inner():
        nonlocal first
        global total
        first = second
        total = key
        del second_hand
        return lambda unused: a + index
    class Local:
        attribute = others
        def method(self):
            return manager, __class__
    if (walrus := inner()):
        import json.decoder
    return [named + n for n in rest if (inside := n)], Local, sum(x for x in others)
def second_hand():
    def deep():
        def deeper():
            return deep, level
        return deeper
    level = 1
    return deep
def shadowed(x):
    def middle():
        x = 2
        def innermost():
            return x
        return innermost
    return middle
"""


class _Lazy(ast.NodeTransformer):
    """Make generator expressions of all comprehensions: symbol tables keep only their variables apart."""

    def _lazy(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load()) if hasattr(node, "key") else node.elt
        return ast.copy_location(ast.GeneratorExp(pair, node.generators), node)

    visit_ListComp = visit_SetComp = visit_DictComp = _lazy


def _expected_of(source: str) -> list[tuple[object, ...]]:
    lazy = ast.unparse(ast.fix_missing_locations(_Lazy().visit(ast.parse(source))))
    return sorted(_expected(symtable.symtable(lazy, "lazy", "exec")))


def _found_in(source: str) -> list[tuple[object, ...]]:
    """Return the scopes of a source, by the lines that it has when it is written anew."""
    return _found(ast.unparse(ast.parse(source)))


def _is_comprehension(table: symtable.SymbolTable) -> bool:
    return table.get_name().strip("<>") in COMPREHENSIONS


def _scopes_inside(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The functions and classes directly inside, also those inside comprehensions."""
    for child in table.get_children():
        if _is_comprehension(child):
            yield from _scopes_inside(child)
        elif str(child.get_type()) in ("function", "class"):
            yield child


def _names(names: Iterator[str]) -> tuple[str, ...]:
    """Leave out what symbol tables spell otherwise (private names) or have besides (``__class__``)."""
    return tuple(sorted(n for n in names if "__" not in n and not n.startswith(".")))


def _free(table: symtable.SymbolTable) -> set[str]:
    return {s.get_name() for s in table.get_symbols() if s.is_free()}


def _expected(table: symtable.SymbolTable) -> Iterator[tuple[object, ...]]:
    for inner in _scopes_inside(table):
        local = {s.get_name() for s in inner.get_symbols() if s.is_local()}
        below = set().union(*(_free(scope) for scope in _scopes_inside(inner)))
        function = str(inner.get_type()) == "function"
        cells = local & below if function else set()
        yield (
            inner.get_lineno(),
            str(inner.get_type()),
            _names(iter(local)),
            _names(iter(_free(inner))),
            _names(iter(cells)),
        )
        yield from _expected(inner)


def _found(source: str) -> list[tuple[object, ...]]:
    scopes = [s for s in analyse(ast.parse(source)).values() if s.kind != "module"]
    return sorted(
        (
            s.node.lineno,  # type: ignore[attr-defined]
            s.kind,
            _names(iter(s.bound)),
            _names(iter(s.free)),
            _names(iter(s.cells)),
        )
        for s in scopes
    )


def _scope(source: str, name: str) -> Scope:
    scopes = analyse(ast.parse(source))
    (found,) = (s for node, s in scopes.items() if getattr(node, "name", None) == name)
    return found


def test_names_are_bound_free_and_cells_as_in_the_symbol_table() -> None:
    expected = _expected_of(CLOSURES)
    assert _found_in(CLOSURES) == expected
    assert any(cells for *_, cells in expected)


@pytest.mark.parametrize(
    "module",
    ["contextlib", "functools", "dataclasses", "enum", "inspect", "textwrap", "unittest/mock"],
)
def test_modules_of_the_standard_library_have_the_scopes_of_their_symbol_tables(
    module: str,
) -> None:
    source = (LIBRARY / f"{module}.py").read_text()
    assert _found_in(source) == _expected_of(source)


def test_a_bound_name_lives_where_its_declaration_says() -> None:
    inner = _scope(CLOSURES, "inner")
    assert (inner.place("total"), inner.place("first")) == (GLOBAL, NONLOCAL)
    assert _scope(CLOSURES, "outer").place("first") == LOCAL
    assert inner.module().place("outer") == GLOBAL


def test_only_names_that_no_inner_function_rebinds_stay() -> None:
    outer = _scope(CLOSURES, "outer")
    assert outer.stays("second")
    assert not outer.stays("first")  # inner() declares it nonlocal
    assert not outer.stays("total")  # a global
    assert not _scope(CLOSURES, "Local").stays("attribute")  # a class body's namespace may be any


def test_a_nonlocal_declaration_reaches_through_functions_that_do_not_bind_the_name() -> None:
    source = "def f():\n x = 1\n def g():\n  def h():\n   nonlocal x\n   x = 2\n"
    assert _scope(source, "f").rebound == {"x"}
    assert _scope(source, "g").rebound == set()
    assert _scope(source, "g").free == ["x"]


@pytest.mark.parametrize(
    "source, expected",
    [
        ("def f(): return len", True),
        ("def f(len): return len", False),
        ("def len(): pass\ndef f(): return len", False),
        ("def f():\n def g():\n  global len\n  len = 1\n return len", False),
        ("from os import *\ndef f(): return len", False),
        ("def g(): len = 1\ndef f(): return len", True),
        ("def f(): return [len for len in ()], len", True),
    ],
)
def test_a_builtin_is_seen_unless_the_source_binds_its_name(source: str, expected: bool) -> None:
    assert _scope(source, "f").sees_builtin("len") is expected


def test_forgetting_leaves_no_scope_reachable_from_another() -> None:
    scopes = analyse(ast.parse(CLOSURES))
    for scope in scopes.values():
        scope.forget()
    assert all(scope.outer is None and not scope.inner for scope in scopes.values())
