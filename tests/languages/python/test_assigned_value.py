"""Which expression gave a value: by the values themselves, where a statement can be run."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.languages.python.nodes import expression, statement, text, texts
from wrongcall.languages.python import assigned_value
from wrongcall.recording import Attr, Entry, Item


@pytest.mark.parametrize(
    "source",
    [
        "x = 1 + 1",
        "x = y = [5]",
        "y = x = [6]",
        "x, y = 1, 2",
        "y, (z, [x, w]) = 1, (2, [3, 4])",
        "y, x = z = 1, 2",
        "x: int = 7",
    ],
)
def test_a_name_is_bound_to_the_expression_that_has_its_value(source: str) -> None:
    names: dict[str, Any] = {}
    exec(source, names)
    found = assigned_value.bound_to_name([statement(source)], "x")
    assert found is not None
    assert eval(ast.unparse(found)) == names["x"]


@pytest.mark.parametrize(
    "source",
    [
        "x, y = pair",
        "x, *y = 1, 2",
        "x, y = 1, *rest",
        "x += 1",
        "for x in y: pass",
        "y = 1",
        "x: int",
    ],
)
def test_a_name_has_no_expression_where_the_source_does_not_write_it_out(source: str) -> None:
    assert assigned_value.bound_to_name([statement(source)], "x") is None


def test_a_walrus_binds_its_value() -> None:
    assert text(assigned_value.bound_to_name([expression("(x := y + 1)")], "x")) == "y + 1"


@pytest.mark.parametrize(
    "source, target, expected",
    [
        ("o.a = 1", "o.a", "1"),
        ("o.a = o.b = 1", "o.b", "1"),
        ("x, (o.a, d[k]) = 1, (2, 3)", "d[k]", "3"),
        ("o.a, d[k] = pair", "o.a", None),
        ("o.a: int = 4", "o.a", "4"),
        ("o.a += 1", "o.a", None),
        ("o.a = 1", "o.b", None),
    ],
)
def test_a_store_gets_the_part_of_the_value_at_its_place(
    source: str, target: str, expected: str | None
) -> None:
    node = statement(source)
    targets = (n for n in ast.walk(node) if isinstance(n, ast.expr) and ast.unparse(n) == target)
    found = assigned_value.bound_to_target(next(targets, ast.Pass()), node)
    assert text(found) == expected


@pytest.mark.parametrize("call", ["[].append(7)", "[1].insert(0, 7)", "{}.setdefault(1, 7)"])
def test_the_argument_that_a_method_stores_is_found_in_the_container(call: str) -> None:
    names: dict[str, Any] = {}
    receiver, _, rest = call.partition(".")
    exec(f"c = {receiver}; c.{rest}", names)
    stored = text(assigned_value.stored_by(expression(call)))
    held = names["c"].values() if isinstance(names["c"], dict) else names["c"]
    assert stored == "7"
    assert 7 in held


@pytest.mark.parametrize(
    "call", ["a.append()", "a.append(*b)", "a.pop(0)", "append(1)", "d.setdefault(1)"]
)
def test_other_calls_store_no_argument_that_is_known(call: str) -> None:
    assert assigned_value.stored_by(expression(call)) is None


@pytest.mark.parametrize(
    "display, place, expected",
    [
        ("[a, b]", Item(1), "b"),
        ("(a, b)", Item(0), "a"),
        ("[a, *b, c]", Item(0), "a"),
        ("[a, *b, c]", Item(2), None),
        ("[a]", Item(1), None),
        ("{'k': a, 'k': b}", Entry("k"), "b"),  # the last one wins
        ("{'k': a, x: b}", Entry("k"), None),  # x may be 'k'
        ("{x: a, 'k': b}", Entry("k"), "b"),
        ("{'k': a, **b}", Entry("k"), None),
        ("{'k': a}", Attr("k"), None),
    ],
)
def test_the_element_of_a_display_is_found_where_it_is_certain(
    display: str, place: Any, expected: str | None
) -> None:
    assert text(assigned_value.element(expression(display), place)) == expected


@pytest.mark.parametrize(
    "source, expected",
    [
        ("a + b.c", ["a", "b.c"]),
        ("a[i] * -b", ["a[i]", "i", "b"]),
        ("f(x, key=y)", ["f(x, key=y)", "x", "y"]),
        ("o.m(g(x))", ["o.m(g(x))", "o", "g(x)", "x"]),
        ("lambda: a", []),
        ("1", []),
    ],
)
def test_operands_are_the_places_and_calls_of_an_expression(
    source: str, expected: list[str]
) -> None:
    assert texts(assigned_value.operands(expression(source))) == expected


def test_a_statement_may_change_receivers_and_arguments_of_its_own_calls_only() -> None:
    node = statement("for x in a.m(b, k=c):\n    d.n(e)")
    assert set(texts(assigned_value.changed_by(node))) == {"a", "b", "c"}
