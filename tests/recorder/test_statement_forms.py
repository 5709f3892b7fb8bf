"""What the syntax of a statement says, against what the interpreter makes of it."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest

from wrongcall.recorder import statement_forms as forms


def _statement(source: str) -> Any:
    (node,) = ast.parse(source).body
    return node


@pytest.mark.parametrize(
    "source", ["import a", "import a.b.c", "import a.b as c", "from a import b"]
)
def test_an_import_binds_the_name_that_the_compiler_stores(source: str) -> None:
    (stored,) = _statement(source).names
    names = compile(f"def f():\n {source}", "", "exec").co_consts[0].co_varnames
    assert (forms.imported_name(stored),) == names


def test_only_a_star_imports_all() -> None:
    assert forms.imports_all(_statement("from a import *"))
    assert not forms.imports_all(_statement("from a import b"))
    assert not forms.imports_all(_statement("import a"))


@pytest.mark.parametrize(
    "body, kind",
    [
        ("pass", "function"),
        ("x = yield", "generator"),
        ("yield from ()", "generator"),
        ("[(yield_) for yield_ in ()]", "function"),
        ("def g(): yield", "function"),
        ("lambda: (yield)", "function"),
    ],
)
def test_a_function_is_a_generator_where_the_compiler_makes_one(body: str, kind: str) -> None:
    source = f"def f():\n {body}"
    assert forms.function_kind(_statement(source)) == kind
    names: dict[str, Any] = {}
    exec(source, names)
    assert inspect.isgeneratorfunction(names["f"]) is (kind == "generator")


def test_async_functions_are_coroutines_or_async_generators() -> None:
    for body, kind, check in (
        ("await x", "coroutine", inspect.iscoroutinefunction),
        ("yield", "async generator", inspect.isasyncgenfunction),
    ):
        source = f"async def f(x):\n {body}"
        names: dict[str, Any] = {}
        exec(source, names)
        assert forms.function_kind(_statement(source)) == kind
        assert check(names["f"])


@pytest.mark.parametrize(
    "source, lines",
    [
        ("x = 1", [1]),
        ("f(1,\n  2,\n  3)", [1, 2, 3]),
        ("if (a and\n    b):\n  pass", [1, 2]),
        ("with (a as b,\n      c as\n      d):\n  pass", [1, 2, 3]),
        ("match (a,\n       b):\n  case _: pass", [1, 2]),
        ("try:\n  pass\nfinally:\n  pass", [1]),
        ("for x in y:\n  pass", []),
        ("while x:\n  pass", []),
        ("def f(\n  a,\n): pass", [1]),
    ],
)
def test_the_lines_of_a_statement_are_those_before_anything_inside_it(
    source: str, lines: list[int]
) -> None:
    assert forms.executed_lines(_statement(source)) == lines


def test_the_header_of_a_loop_ends_with_its_iterable() -> None:
    assert forms.header_end(_statement("for x in (1,\n 2,\n 3):\n  pass")) == 3
    assert forms.header_end(_statement("while (a\n or b):\n  pass")) == 2


@pytest.mark.parametrize(
    "test, endless", [("True", True), ("1", True), ("0", False), ("x", False), ("not 0", False)]
)
def test_a_loop_is_endless_if_its_test_is_a_true_constant(test: str, endless: bool) -> None:
    assert forms.is_endless(_statement(f"while {test}: pass")) is endless


def test_every_statement_with_blocks_inside_is_compound_except_definitions() -> None:
    kinds = [k for k in vars(ast).values() if isinstance(k, type) and issubclass(k, ast.stmt)]
    inside = {k for k in kinds if {"body", "cases"} & set(k._fields)}
    definitions = {ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef}
    compound = {k for k in kinds if k is not ast.stmt and forms.is_compound(k.__new__(k))}
    assert compound == inside - definitions


@pytest.mark.parametrize(
    "source, stores",
    [
        ("a[k] = e", True),
        ("a[k, l] = e", True),
        ("a[1:2] = e", False),
        ("a[k, 1:2] = e", False),
        ("a[k] = b[k] = e", False),
        ("a.k = e", False),
    ],
)
def test_a_hook_stores_single_items_without_slices(source: str, stores: bool) -> None:
    assert forms.stores_item(_statement(source)) is stores


def test_appending_to_the_same_name_is_recognised() -> None:
    assert forms.continues_name(_statement("s = s + e").value, "s")
    assert not forms.continues_name(_statement("s = e + s").value, "s")
    assert not forms.continues_name(_statement("s = t + e").value, "s")


@pytest.mark.parametrize("source", ["x", "3", "'text'"])
def test_a_name_or_constant_can_be_read_again_by_a_node_of_its_own(source: str) -> None:
    node = _statement(source).value
    again = forms.read_again(node)
    assert again is not node
    assert ast.dump(again) == ast.dump(node)


def test_a_definition_has_the_place_of_its_first_line() -> None:
    (outer,) = ast.parse("class C:\n    def f(\n        a,\n    ): pass").body
    place = forms.header_place(outer.body[0])  # type: ignore[attr-defined]
    assert (place.lineno, place.col_offset, place.end_lineno) == (2, 4, 2)  # type: ignore[attr-defined]
