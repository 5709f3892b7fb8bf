"""Annotations as forms: never stricter than the source."""

from __future__ import annotations

import ast
import sys

import pytest

from wrongcall.languages.python.annotations import checks_parameters_only, promises_of
from wrongcall.languages.python.syntax import Source
from wrongcall.languages.type_forms import (
    Anything,
    Named,
    OfProgram,
    OneOf,
    Promises,
    TypeForm,
    Values,
)

HEAD = """
import typing as t
import collections.abc
from abc import ABC
from collections.abc import Sequence, Set as ASet
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional, Protocol, Set, TypedDict, TypeVar, Union
from elsewhere import Foreign

T = TypeVar("T")
Alias = list[int]

@dataclass
class Plain: pass
class Derived(Plain): pass
class Duck(Protocol): pass
class Abstract(ABC): pass
class Keyed(TypedDict): pass
class Strange(Foreign): pass
class Meta(metaclass=Foreign): pass
@Foreign
class Decorated: pass
"""
INT, STR, NONE = Named("int"), Named("str"), Named("None")


def promises(source: str, name: str = "f") -> Promises:
    made = Source(source)
    assert made.tree is not None
    nodes = [
        n for n in ast.walk(made.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    return promises_of(made, next(node for node in nodes if node.name == name))


@pytest.mark.parametrize(
    "annotation, form",
    [
        ("int", INT),
        ("'int'", INT),
        ("None", NONE),
        ("int | None", OneOf((INT, NONE))),
        ("Optional[int]", OneOf((INT, NONE))),
        ("t.Union[int, str]", OneOf((INT, STR))),
        ("Annotated[int, 'positive']", INT),
        ("Literal[1, 'a']", Values((1, "a"))),
        ("list[int]", Named("list", (INT,))),
        ("t.List[int]", Named("list", (INT,))),
        ("dict[str, list[int]]", Named("dict", (STR, Named("list", (INT,))))),
        ("tuple[int, str]", Named("tuple", (INT, STR))),
        ("tuple[int, ...]", Named("tuple", (INT,), is_uniform=True)),
        ("Sequence[int]", Named("Sequence", (INT,))),
        ("collections.abc.Mapping[str, int]", Named("Mapping", (STR, INT))),
        ("ASet[int]", Named("AbstractSet")),
        ("Set[int]", Named("set", (INT,))),
        ("Plain", OfProgram("Plain")),
        ("'Derived'", OfProgram("Derived")),
    ],
)
def test_what_can_be_checked_has_a_form(annotation: str, form: TypeForm) -> None:
    found = promises(f"{HEAD}\ndef f() -> {annotation}: ...").result
    assert found is not None
    assert found.form == form


@pytest.mark.parametrize(
    "annotation",
    [
        *("Any", "object", "T", "Alias", "Foreign", "Duck", "Abstract", "Keyed", "Strange", "Meta"),
        *("Decorated", "int | T", "'not valid ('", "unknown.Name", "Optional[Foreign]", "3"),
    ],
)
def test_what_cannot_be_checked_promises_nothing(annotation: str) -> None:
    assert promises(f"{HEAD}\ndef f(a: {annotation}) -> {annotation}: ...").is_empty


def test_names_that_the_file_binds_mean_something_else() -> None:
    assert promises("class C:\n    def list(self): ...\n    def f(self) -> list[int]: ...").is_empty
    assert promises(
        "from typing import Sequence\nSequence = 3\ndef f() -> Sequence[int]: ..."
    ).is_empty
    if sys.version_info >= (3, 12):
        assert promises("def f[int](a: int) -> int: ...").is_empty


def test_parameters_of_all_kinds_have_promises() -> None:
    found = promises("def f(a: int, /, b: int = None, *c: int, d: str = 'x', **e: int): ...")
    assert {name: promise.form for name, promise in found.parameters.items()} == {
        "a": INT,
        "b": OneOf((INT, NONE)),
        "c": Named("tuple", (INT,), is_uniform=True),
        "d": STR,
        "e": Named("dict", (Anything(), INT)),
    }
    assert found.result is None


def test_what_a_generator_yields_is_not_what_it_returns() -> None:
    assert promises("def f() -> list[int]:\n    yield 1").is_empty
    assert not promises("def f() -> int:\n    def g():\n        yield 1\n    return g").is_empty


@pytest.mark.parametrize(
    "body, expected",
    [
        ("assert a > 0", True),
        ("assert isinstance(a, int) and len(b)", True),
        ("assert a > LIMIT", False),
        ("a = 3; assert a > 4", False),
        ("assert True", False),
        ("a > 0", None),
    ],
)
def test_asserts_are_about_parameters_or_not(body: str, expected: bool | None) -> None:
    source = Source(f"def f(a, b):\n    {body}\n")
    assert source.tree is not None
    definition = next(n for n in ast.walk(source.tree) if isinstance(n, ast.FunctionDef))
    assert checks_parameters_only(definition, 2) is expected
