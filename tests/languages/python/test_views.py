"""How expressions look to the analyses."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.languages.python.nodes import expression, statement
from wrongcall.languages import expressions as views
from wrongcall.languages.python.views import view_of


def _view(source: str) -> Any:
    return view_of(expression(source))


@pytest.mark.parametrize("source", ["1", "-0.5e3", "'a'", "b'a'", "2j", "None", "True", "..."])
def test_a_literal_has_the_value_it_stands_for(source: str) -> None:
    view = _view(source.lstrip("-"))
    assert view == views.Literal(ast.literal_eval(source.lstrip("-")))


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%"])
def test_arithmetic_has_its_operator_and_its_operands_in_order(operator: str) -> None:
    view = _view(f"7 {operator} 2")
    assert (view.operator, view.left.value, view.right.value) == (operator, 7, 2)


def test_parts_of_a_view_are_nodes_of_the_tree() -> None:
    node = expression("a.b[c](d, *e, k=f)")
    called = view_of(node)
    assert called == views.Called(node.func, (node.args[0], node.args[1]))
    assert view_of(node.func) == views.Subscript(node.func.value, node.func.slice)
    assert view_of(node.func.value) == views.Attribute(node.func.value.value, "b")
    assert view_of(node.func.value.value) == views.Name("a")
    assert view_of(node.args[1]) == views.Starred()


@pytest.mark.parametrize("source, is_tuple", [("(a, b)", True), ("[a, b]", False)])
def test_displays_tell_tuples_from_lists(source: str, is_tuple: bool) -> None:
    node = expression(source)
    assert view_of(node) == views.Sequence(tuple(node.elts), is_tuple)


def test_choices_show_all_that_can_be_the_value() -> None:
    either, conditional = expression("a or b or c"), expression("a if b else c")
    assert view_of(either) == views.OneOf(tuple(either.values))
    parts = (conditional.body, conditional.orelse, conditional.test)
    assert view_of(conditional) == views.Conditional(*parts)
    both = expression("a and b")
    assert view_of(both) == views.OneOf(tuple(both.values), is_and=True)


def test_walrus_and_await_show_whether_they_waited() -> None:
    walrus = expression("(x := a)")
    function = statement("async def f(): await a")
    delegation = statement("def f(): yield from a")
    assert view_of(walrus) == views.Handed(walrus.value, waits=False)
    for node in (function.body[0].value, delegation.body[0].value):
        assert view_of(node) == views.Handed(node.value, waits=True)


@pytest.mark.parametrize(
    "source", ["a / b", "a << b", "not a", "+a", "~a", "a < b", "f'{a}'", "{a}", "lambda: a"]
)
def test_unsupported_expressions_are_other(source: str) -> None:
    assert _view(source) == views.Other()


def test_nodes_that_are_no_expressions_are_other() -> None:
    assert view_of(statement("x = 1")) == views.Other()
    assert view_of(None) == views.Other()
    assert view_of("text") == views.Other()


def test_negation_and_tables() -> None:
    node = expression("-a")
    assert view_of(node) == views.Negative(node.operand)
    assert _view("{a: b}") == views.Table()
