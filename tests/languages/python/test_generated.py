"""Generated initialisers, against those that dataclasses and attrs write."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest

from wrongcall.languages.python import generated
from wrongcall.languages.python.syntax import Source

IMPORTS = """
import abc, dataclasses, typing
from dataclasses import dataclass, field, InitVar, KW_ONLY
from typing import ClassVar, Generic, TypeVar
T = TypeVar("T")
"""

CERTAIN = {
    "plain": "@dataclass\nclass C:\n a: int\n b: int = 2\n c = 3\n",
    "options": "@dataclass(frozen=True, kw_only=True)\nclass C:\n a: int = 1\n b: int\n",
    "fields": "@dataclass\nclass C:\n a: int = field(default=1)\n b: list = field(default_factory=list)\n",
    "left out": "@dataclass\nclass C:\n a: int = field(init=False, default=1)\n b: int = 2\n",
    "by name": "@dataclass\nclass C:\n a: int\n b: int = field(kw_only=True)\n c: int = 3\n",
    "inherited": "@dataclass\nclass B:\n a: int\n b: int\n@dataclass\nclass C(B):\n b: int = 3\n c: int = 4\n",
    "generic": "@dataclass\nclass C(Generic[T], abc.ABC):\n a: T\n",
    "class variable": "@dataclass\nclass C:\n a: int\n b: ClassVar[int] = 2\n",
    "by module": "@dataclasses.dataclass\nclass C:\n a: int\n b: int = dataclasses.field(default=2)\n",
}


def _fields(source: str) -> tuple[generated.Field, ...] | None:
    parsed = Source(IMPORTS + source)
    assert parsed.tree is not None
    definition = parsed.tree.body[-1]
    assert isinstance(definition, ast.ClassDef)
    return generated.generated_init(parsed, definition)


@pytest.mark.parametrize("name", CERTAIN)
def test_parameters_are_those_of_the_class(name: str) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(compile(IMPORTS + CERTAIN[name], "made", "exec", dont_inherit=True), names)
    written = inspect.signature(names["C"]).parameters.values()
    fields = _fields(CERTAIN[name])
    assert fields is not None
    found = {f.parameter: (f.keyword_only, f.default is not None) for f in fields if not f.changed}
    named = inspect.Parameter.KEYWORD_ONLY
    assert found == {p.name: (p.kind == named, p.default is not p.empty) for p in written}


@pytest.mark.parametrize(
    "source",
    [
        "class C:\n a: int\n",
        "@dataclass\nclass C:\n a: int\n def __init__(self): pass\n",
        "@dataclass(init=False)\nclass C:\n a: int\n",
        "@dataclass(**options)\nclass C:\n a: int\n",
        "@other\n@dataclass\nclass C:\n a: int\n",
        "@dataclass\nclass C(Elsewhere):\n a: int\n",
        "@other\nclass C:\n a: int\n",
    ],
)
def test_a_class_that_may_have_another_initialiser_has_no_answer(source: str) -> None:
    assert _fields(source) is None


def test_fields_that_are_converted_or_dropped_are_marked() -> None:
    fields = _fields("@dataclass\nclass C:\n a: InitVar[int]\n b: int\n")
    assert fields is not None
    assert {f.attribute: f.changed for f in fields} == {"a": True, "b": False}


def test_private_attributes_of_attrs_have_public_parameters() -> None:
    attr = pytest.importorskip("attr", reason="attrs is not installed")
    source = "import attr\n@attr.s\nclass C:\n _a = attr.ib()\n b = attr.ib(default=2)\n"
    names: dict[str, Any] = {"attr": attr}
    exec(source, names)
    fields = _fields(source)
    assert fields is not None
    assert [f.parameter for f in fields] == list(inspect.signature(names["C"]).parameters)
    assert [f.attribute for f in fields] == ["_a", "b"]


def test_the_signature_takes_the_parameters_after_self() -> None:
    fields = _fields(CERTAIN["by name"])
    assert fields is not None
    code = ast.unparse(generated.signature(fields))
    assert code == "lambda self, a, c=3, *, b: None"
