"""Recorded values fit a form exactly if Python's own checks accept them."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable
from typing import Any

import pytest

from tests.trace.conftest import Record
from wrongcall.languages.type_forms import Anything, Named, OfProgram, OneOf, TypeForm, Values
from wrongcall.oracles.fitting import Fitting

TEXTS = [
    *("None", "True", "0", "7", "1.5", "2j", "'a'", "b'a'", "bytearray(b'a')", "range(3)"),
    *("[]", "[1]", "['a']", "()", "(1,)", "(1, 'a')", "{}", "{'a': 1}", "{1: 'a'}"),
    *("set()", "{1}", "frozenset({'a'})", "[[1], ['a']]"),
]
INT = Named("int")


def listed(of: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(of, value))


def is_int(value: Any) -> bool:
    return isinstance(value, int)


WITNESSES: dict[TypeForm, Callable[[Any], bool]] = {
    Named("None"): lambda value: value is None,
    INT: is_int,
    Named("float"): lambda value: isinstance(value, int | float),
    Named("complex"): lambda value: isinstance(value, int | float | complex),
    Named("str"): lambda value: isinstance(value, str),
    Named("bytes"): lambda value: isinstance(value, bytes | bytearray),
    Named("Sequence"): lambda value: isinstance(value, collections.abc.Sequence),
    Named("Mapping"): lambda value: isinstance(value, collections.abc.Mapping),
    Named("AbstractSet"): lambda value: isinstance(value, collections.abc.Set),
    Named("MutableSet"): lambda value: isinstance(value, collections.abc.MutableSet),
    Named("Iterable"): lambda value: isinstance(value, collections.abc.Iterable),
    Named("Sized"): lambda value: isinstance(value, collections.abc.Sized),
    Named("Reversible"): lambda value: isinstance(value, collections.abc.Reversible),
    Named("Iterator"): lambda value: isinstance(value, collections.abc.Iterator),
    Named("Callable"): callable,
    Named("list", (INT,)): listed(is_int),
    Named("list", (Named("list", (INT,)),)): listed(listed(is_int)),
    Named("set", (INT,)): lambda value: isinstance(value, set) and all(map(is_int, value)),
    Named("dict", (Named("str"), INT)): lambda value: (
        isinstance(value, dict) and all(isinstance(k, str) and is_int(v) for k, v in value.items())
    ),
    Named("tuple", (INT,), is_uniform=True): lambda value: (
        isinstance(value, tuple) and all(map(is_int, value))
    ),
    Named("tuple", (INT, Named("str"))): lambda value: (
        isinstance(value, tuple)
        and len(value) == 2
        and is_int(value[0])
        and isinstance(value[1], str)
    ),
    OneOf((INT, Named("str"))): lambda value: isinstance(value, int | str),
    OfProgram("Cart"): lambda value: False,
    Anything(): lambda value: True,
}


def test_values_fit_exactly_the_forms_that_python_says(record: Record) -> None:
    run = record(
        f"def f(value):\n    return value\n\nfor value in [{', '.join(TEXTS)}]:\n    f(value)\n"
    )
    calls = run.calls("f")
    for form, accepts in WITNESSES.items():
        for text, call in zip(TEXTS, calls, strict=True):
            misfit = Fitting(run.recording, call.exit).misfit(call.value, form, "it")
            assert (misfit == "") == accepts(eval(text)), (form, text, misfit)


def test_exact_values_are_compared_with_their_types(record: Record) -> None:
    run = record(
        "def f(value):\n    return value\n\nfor value in [1, True, 'a', 'b']:\n    f(value)\n"
    )
    form = Values((1, "a"))
    misfits = [Fitting(run.recording, c.exit).misfit(c.value, form, "it") for c in run.calls("f")]
    assert misfits == ["", "it is True", "", "it is 'b'"]


@pytest.mark.parametrize(
    "value", ["Number(3)", "Items([1])", "object()", "lambda: 1", "NotImplemented", "Cart()"]
)
def test_values_of_other_types_fit_everything(record: Record, value: str) -> None:
    run = record(
        f"""
        class Number(int): pass
        class Items(list): pass
        class Cart: pass

        def f(value):
            return value

        f({value})
        """
    )
    call = run.call("f")
    for form in WITNESSES:
        assert Fitting(run.recording, call.exit).misfit(call.value, form, "it") == ""


def test_the_place_that_does_not_fit_is_named(record: Record) -> None:
    run = record("def f(value):\n    return value\n\nf({'a': [1, None]})\n")
    form = Named("dict", (Named("str"), Named("list", (INT,))))
    call = run.call("f")
    misfit = Fitting(run.recording, call.exit).misfit(call.value, form, "value")
    assert misfit == "value['a'][1] is None"
