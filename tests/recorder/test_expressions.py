"""Expressions with hooks: which are recorded, and where. (What is recorded: test_calls, test_callers.)"""

from __future__ import annotations

import ast
import builtins
from typing import Any

import pytest

from tests.recorder.rewritten import MODULES, Rewritten, span
from wrongcall.events import SiteKind


def _calls_that_may_matter(tree: ast.AST) -> list[Any]:
    """Calls of methods and of functions that are no builtins by their names."""
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
    return [
        call
        for call in calls
        if isinstance(call.func, ast.Attribute)
        or (isinstance(call.func, ast.Name) and not hasattr(builtins, call.func.id))
    ]


@pytest.mark.parametrize("module", MODULES)
def test_every_call_of_a_method_or_function_has_a_site(module: str) -> None:
    made = Rewritten.of_module(module)
    sites = made.spans(SiteKind.CALL)
    calls = _calls_that_may_matter(ast.parse(made.source))
    assert len(calls) > 5
    assert [ast.unparse(call) for call in calls if span(call) not in sites] == []


@pytest.mark.parametrize("module", MODULES)
def test_every_function_lambda_class_and_module_is_entered(module: str) -> None:
    made = Rewritten.of_module(module)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)
    defined = [n for n in ast.walk(ast.parse(made.source)) if isinstance(n, kinds)]
    assert len(made.table.functions) == len(defined)
    assert len({f.entry for f in made.table.functions}) == len(defined)


def test_qualified_names_are_those_of_the_interpreter() -> None:
    source = (
        "class C:\n    def m(self):\n        return lambda: [n for n in ()]\n    class D: pass\n"
    )
    found = {f.qualname for f in Rewritten(source).table.functions}
    assert found == {"<module>", "C", "C.m", "C.m.<locals>.<lambda>", "C.D"}


@pytest.mark.parametrize(
    "expression, hooks",
    [
        ("f(x)", {"callee"}),
        ("o.m(x)", {"receiver"}),
        ("len(x)", set()),  # a builtin that changes nothing
        ("x + 1", set()),
        ("(y := x)", {"local"}),
    ],
)
def test_an_expression_has_the_hooks_that_its_form_needs(expression: str, hooks: set[str]) -> None:
    made = Rewritten(f"def g(f, o, x):\n    {expression}\n")
    own = set(made.hooks) - {"return", "block", "reach", "raised", "globals", "locals", "namespace"}
    assert own == hooks


def test_a_builtin_that_the_module_binds_is_called_with_a_hook() -> None:
    assert "callee" in Rewritten("def len(x): pass\ndef g(x):\n    len(x)\n").hooks


def test_yields_and_what_is_sent_have_sites() -> None:
    made = Rewritten("def g():\n    x = yield 1\n    yield from h\n")
    assert [line for line, _ in made.sites(SiteKind.YIELD)] == [2, 3]
    assert (3, "from") in made.sites(SiteKind.YIELD)
    assert 2 in [line for line, _ in made.sites(SiteKind.RESUME)]


def test_variables_of_comprehensions_are_targets() -> None:
    made = Rewritten("def g(xs):\n    return [a + b for a, (b, _) in xs]\n")
    assert {name for _, name in made.sites(SiteKind.TARGET)} == {"a", "b", "_"}
    assert made.function("g").locals == ["xs"]


def test_private_names_are_mangled_as_the_compiler_does() -> None:
    class C:
        def m(self) -> None:
            self.__x = 1

    source = "class C:\n    def m(self):\n        self.__x = 1\n"
    (stored,) = vars(_run(C))
    made = Rewritten(source)
    assert stored == "_C__x"
    assert stored in {part for hook in made.statements.hooks for part in hook if part == stored}
    assert made.sites(SiteKind.ATTR) == [(3, "__x")]  # people see it as they wrote it


def _run(kind: Any) -> Any:
    made = kind()
    made.m()
    return made
