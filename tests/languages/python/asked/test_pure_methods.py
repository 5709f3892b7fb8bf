"""Methods and attributes of builtin types that an expression can use."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import Budget
from wrongcall.languages.python.asked.pure_calls import FUNCTIONS, Pure
from wrongcall.languages.python.asked.pure_methods import METHODS, attribute, call_method
from wrongcall.languages.python.asked.recorded import Nature

CHANGING = {
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "add", "discard"),
    *("update", "setdefault", "popitem", "appendleft", "extendleft", "popleft", "rotate"),
    *("difference_update", "intersection_update", "symmetric_difference_update"),
}


def call(value: Any, name: str, *args: Any) -> Any:
    return call_method(Budget(), value, name, list(args), {})


def test_no_method_that_changes_anything_is_among_them() -> None:
    for kind, names in METHODS.items():
        assert not names & CHANGING, kind
        assert all(hasattr(kind, name) for name in names)


def test_methods_take_recorded_values() -> None:
    assert call("a,b", "split", ",") == ["a", "b"]
    assert call(Held([1, 2, 1]), "count", 1) == 2
    assert call(", ", "join", Held(["a", "b"])) == "a, b"
    assert call(Held({1, 2}), "union", Held([3])) == {1, 2, 3}
    assert call("ab", "startswith", Held(("x", "a")))


@pytest.mark.parametrize(
    "value,name", [([], "append"), ({}, "update"), ("a", "maketrans"), (Held([]), "pop")]
)
def test_others_are_refused(value: Any, name: str) -> None:
    with pytest.raises(NotKnownError, match="not among the methods"):
        call(value, name, 1)


@pytest.mark.parametrize("kind,name,arg", [("bytes", "fromhex", "ff"), ("int", "upper", "a")])
def test_methods_of_types_take_an_object_of_the_type(kind: str, name: str, arg: Any) -> None:
    with pytest.raises(NotKnownError, match=f"{kind}.{name} is not among the methods"):
        call(Pure(kind, FUNCTIONS[kind], Budget()), name, arg)
    assert call(Pure("str", FUNCTIONS["str"], Budget()), "upper", "a") == "A"


def test_missing_ones_raise_as_in_python() -> None:
    with pytest.raises(AttributeError, match="'int' object has no attribute 'upper'"):
        call(5, "upper")


def test_attributes_are_those_of_numbers_and_ranges() -> None:
    assert attribute(3, "real") == 3
    assert attribute(range(2, 9), "start") == 2
    assert attribute(Held({"x": 5}, Nature.IDENTITY), "x") == 5
    with pytest.raises(NotKnownError, match="except in a call"):
        attribute([], "append")
    with pytest.raises(AttributeError):
        attribute(None, "x")
