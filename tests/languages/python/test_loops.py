"""What loop variables are, by running the loops."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tests.languages.python.nodes import expression, statement, text
from wrongcall.languages.python import loops
from wrongcall.languages.python.syntax import Source

BUILTINS = {"enumerate", "zip", "reversed", "sorted"}


def _element(source: str, name: str) -> Any:
    return loops.element_of(statement(f"for {source}: pass"), name, lambda n: n.id in BUILTINS)


@pytest.mark.parametrize(
    "source, name, container",
    [
        ("x in c", "x", "c"),
        ("i, x in enumerate(c)", "x", "c"),
        ("x, y in zip(c, d)", "y", "d"),
        ("x in reversed(c)", "x", "c"),
        ("x in sorted(c)", "x", "c"),
        ("k, x in t.items()", "x", "t"),
        ("x in t.values()", "x", "t"),
    ],
)
def test_a_variable_is_an_element_of_its_container(source: str, name: str, container: str) -> None:
    names: dict[str, Any] = {"c": [1, 2], "d": [3, 4], "t": {"a": 5, "b": 6}, "seen": []}
    exec(f"for {source}: seen.append({name})", names)
    found = _element(source, name)
    assert text(found.container) == container
    held = names[container]
    assert sorted(names["seen"]) == sorted(held.values() if found.hands_values else held)


@pytest.mark.parametrize("source", ["i, x in enumerate(c)", "i, x in t.items()"])
def test_the_index_of_an_element_is_the_other_variable(source: str) -> None:
    names: dict[str, Any] = {"c": [1, 2], "t": {"a": 5, "b": 6}, "same": []}
    found = _element(source, "x")
    container, index = text(found.container), text(found.index)
    exec(f"for {source}: same.append({container}[{index}] == x)", names)
    assert names["same"] == [True, True]


def test_unpacked_variables_are_parts_of_an_element() -> None:
    assert _element("a, b in pairs", "b").names == ["a", "b"]
    assert _element("a, o.x in pairs", "a").names == ["a", ""]
    assert _element("i, (a, b) in enumerate(pairs)", "a").names == ["a", "b"]


@pytest.mark.parametrize(
    "source, name",
    [
        ("x in f(c)", "x"),
        ("a, *b in c", "a"),
        ("x in sorted(c, key=k)", "x"),
        ("i, x in enumerate(c, 1)", "x"),
        ("i, x in enumerate(*c)", "x"),
        ("x, x in c", "x"),
        ("i, x in enumerate(c)", "i"),
        ("y in c", "x"),
        ("x in t.values(1)", "x"),
    ],
)
def test_a_variable_whose_source_is_not_certain_has_no_element(source: str, name: str) -> None:
    assert _element(source, name) is None


def test_a_function_that_hides_a_builtin_is_not_looked_through() -> None:
    loop = statement("for x in sorted(c): pass")
    assert loops.element_of(loop, "x", lambda name: False) is None


def test_asynchronous_loops_have_no_elements() -> None:
    (function,) = ast.parse("async def f():\n async for x in c: pass\n [x async for x in c]").body
    loop, comprehension = function.body  # type: ignore[attr-defined]
    assert loops.element_of(loop, "x", lambda n: True) is None
    assert loops.element_of(comprehension.value.generators[0], "x", lambda n: True) is None


@pytest.mark.parametrize(
    "source, iterable",
    [
        ("[X for x in a]", "a"),
        ("[X for x in a for x in b]", "b"),
        ("[y for x in a for y in X]", "a"),
        ("[y for x in a if X for y in b]", "a"),
        ("[x for x in X]", None),
        ("[[X for y in b] for x in a]", "a"),
        ("[lambda: X for x in a]", None),  # evaluated later, maybe in another round
        ("[y for y in a if X]", None),
        ("{k: X for k, (x, z) in a}", "a"),
    ],
)
def test_a_name_in_a_comprehension_is_bound_by_the_innermost_clause_before_it(
    source: str, iterable: str | None
) -> None:
    """The name that is asked about is written as a capital."""
    parsed = Source(source)
    assert parsed.tree is not None
    (name,) = (n for n in ast.walk(parsed.tree) if isinstance(n, ast.Name) and n.id == "X")
    name.id = "x"
    found = loops.binding_loop(name, parsed.parents)
    assert text(None if found is None else found.iter) == iterable


def test_a_target_knows_its_loop() -> None:
    source = Source("for x in y: pass")
    assert source.tree is not None
    loop: Any = source.tree.body[0]
    target, iterable = loop.target, loop.iter
    assert loops.loop_of(target, source.parents) is loop
    assert loops.loop_of(iterable, source.parents) is None


def test_names_in_a_target_are_those_it_binds() -> None:
    assert sorted(loops.names_in(expression("(a, [b, *c])"))) == ["a", "b", "c"]
