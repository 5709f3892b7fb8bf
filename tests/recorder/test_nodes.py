"""Small syntax trees: building them, and walking within one scope."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder import nodes

SOURCE = Path(nodes.__file__).read_text()


def _expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _function(source: str) -> Any:
    (node,) = ast.parse(source).body
    return node


def _evaluate(expression: ast.expr, **names: Any) -> Any:
    tree = ast.Expression(body=nodes.at(expression, _expression("x")))  # type: ignore[arg-type]
    return eval(compile(tree, "made", "eval"), names)


def test_children_are_those_of_the_standard_library_but_for_operators_and_contexts() -> None:
    plain = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    for node in ast.walk(ast.parse(SOURCE)):
        expected = [n for n in ast.iter_child_nodes(node) if not isinstance(n, plain)]
        assert nodes.children(node) == expected


def test_new_nodes_get_the_place_of_the_one_they_stand_for() -> None:
    like = _function("\n\n  \n(a +\n   b)").value
    made = nodes.call(nodes.name("f"), nodes.none())
    assert nodes.at(made, like) is made
    for node in (made, made.func, made.args[0]):
        place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        assert place == (4, 1, 5, 4)


def test_nodes_that_have_a_place_keep_it() -> None:
    kept = _expression("\n\nold")
    made = nodes.call(kept, nodes.none())
    nodes.at(made, _expression("x"))
    assert (made.lineno, kept.lineno) == (1, 3)


def test_a_call_that_was_built_calls() -> None:
    built = nodes.call(nodes.name("f"), nodes.name("x"), nodes.none())
    assert _evaluate(built, f=lambda *args: args, x=3) == (3, None)


def test_a_placeholder_is_a_constant_that_names_its_hook() -> None:
    assert _evaluate(nodes.placeholder(17)) == f"{nodes.MARK}17"


def test_a_thunk_closes_over_its_variables() -> None:
    function = _function("def f(a, b):\n return None")
    function.body[0].value = nodes.at(nodes.thunk(["b", "a"]), function.body[0])
    names: dict[str, Any] = {}
    exec(compile(ast.Module([function], []), "made", "exec"), names)
    made = names["f"](1, 2)
    assert dict(
        zip(made.__code__.co_freevars, (c.cell_contents for c in made.__closure__), strict=True)
    ) == {
        "a": 1,
        "b": 2,
    }
    assert made() == (2, 1)


@pytest.mark.parametrize(
    "source",
    ["def f(): pass", "def f(a, /, b, c=1, *d, e, f=2, **g): pass", "def f(*, a, **b): pass"],
)
def test_parameters_come_in_the_order_of_the_signature(source: str) -> None:
    names: dict[str, Any] = {}
    exec(source, names)
    expected = list(inspect.signature(names["f"]).parameters)
    assert nodes.parameters(_function(source).args) == expected


def test_target_names_are_those_that_an_assignment_binds() -> None:
    target = "a, [b, *c], (d, o.x, o[b])"
    statement = _function(f"{target} = value")
    names: dict[str, Any] = {}
    code = f"def f(o, value):\n {target} = value"
    exec(code, names)
    bound = [n for n in names["f"].__code__.co_varnames if n not in ("o", "value")]
    assert nodes.target_names(statement.targets[0]) == bound


@pytest.mark.parametrize(
    "pattern",
    ["x", "_", "[a, *b]", "{'k': v, **rest}", "C(a, k=b) as c", "[a] | [_, a]", "{1: [*_]}", "1"],
)
def test_pattern_names_are_those_that_a_case_binds(pattern: str) -> None:
    source = f"def f(subject, C):\n match subject:\n  case {pattern}: pass"
    names: dict[str, Any] = {}
    exec(source, names)
    expected = set(names["f"].__code__.co_varnames) - {"subject", "C"}
    found = nodes.pattern_names(_function(source).body[0].cases[0].pattern)
    assert set(found) == expected
    assert len(found) == len(expected)


def test_own_nodes_stop_at_functions_and_classes_but_not_at_comprehensions() -> None:
    source = """
@decorator
def f(a=default, *, b=keyword): inside_function
class C(base, metaclass=meta): inside_class
lambda c=lambda_default: inside_lambda
[element for element in iterable]
"""
    names = [n.id for n in nodes.own_nodes(ast.parse(source).body) if isinstance(n, ast.Name)]
    assert sorted(names) == sorted(
        [
            "decorator",
            "default",
            "keyword",
            "base",
            "meta",
            "lambda_default",
            "element",
            "element",
            "iterable",
        ]
    )


@pytest.mark.parametrize(
    "source, expected",
    [("'text'", True), ("b'bytes'", False), ("f'{x}'", False), ("1", False), ("x = 'text'", False)],
)
def test_a_docstring_is_what_the_compiler_takes_for_one(source: str, expected: bool) -> None:
    assert nodes.is_docstring(_function(source)) is expected
    assert (ast.get_docstring(ast.parse(source)) is not None) is expected


def test_future_imports_are_recognised() -> None:
    assert nodes.is_future(_function("from __future__ import annotations"))
    assert not nodes.is_future(_function("from future import annotations"))
    assert not nodes.is_future(_function("import __future__"))
