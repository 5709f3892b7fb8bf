"""Builtin functions that an expression can use."""

from __future__ import annotations

import builtins

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import Budget
from wrongcall.languages.python.asked.pure_calls import FUNCTIONS, Pure, TypeOf, math_function
from wrongcall.languages.python.asked.recorded import Nature


def call(name: str, *args: object) -> object:
    return FUNCTIONS[name](Budget(), *args)


def test_all_of_them_are_builtins_and_none_acts() -> None:
    assert all(hasattr(builtins, name) for name in FUNCTIONS)
    acting = {
        "open",
        "print",
        "input",
        "exec",
        "eval",
        "compile",
        "__import__",
        "setattr",
        "delattr",
        "getattr",
    }
    looking = {
        "globals",
        "locals",
        "vars",
        "dir",
        "id",
        "hash",
        "object",
        "super",
        "memoryview",
        "breakpoint",
    }
    assert not (acting | looking) & FUNCTIONS.keys()


def test_they_take_recorded_values() -> None:
    assert call("sum", Held([1, 2])) == 3
    assert call("sorted", Held([2, 1])) == [1, 2]
    assert call("list", Held((1, 2))) == [1, 2]
    assert call("dict", Held([Held((1, 2))])) == {1: 2}
    assert call("len", Held([1])) == 1
    assert call("max", 1, Held(3)) == 3
    assert math_function("sqrt")(Budget(), Held(9)) == 3


def test_a_long_product_is_refused() -> None:
    with pytest.raises(NotKnownError, match="bits"):
        math_function("prod")(Budget(), range(1, 100_000))
    assert math_function("prod")(Budget(), [1] * 100_000, start=Held(3)) == 3


def test_types_have_names() -> None:
    assert call("type", 5) == Pure("int", FUNCTIONS["int"], Budget())
    assert call("type", Held([])) == TypeOf("prog", "Thing")
    assert call("type", 5) != call("type", "a")


def test_an_instance_of_a_builtin_type_is_known_by_its_layout() -> None:
    kind = {name: Pure(name, FUNCTIONS[name], Budget()) for name in ("list", "int", "dict")}
    assert call("isinstance", Held([]), kind["list"])
    assert not call("isinstance", Held([]), (kind["int"], kind["dict"]))
    assert call("isinstance", True, kind["int"])


def test_functions_of_the_program_are_not_called_back() -> None:
    function = Held(None, Nature.IDENTITY)
    with pytest.raises(NotKnownError, match="do not run"):
        call("map", function, [1])
    with pytest.raises(NotKnownError, match="do not run"):
        FUNCTIONS["sorted"](Budget(), [2, 1], key=function)
