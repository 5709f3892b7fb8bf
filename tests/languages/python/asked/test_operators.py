"""Operators on Python's own values and on recorded ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import Budget
from wrongcall.languages.python.asked.operators import binary, compare, same, subscript, unary
from wrongcall.languages.python.asked.pure_calls import FUNCTIONS, Pure
from wrongcall.languages.python.asked.recorded import Nature


def test_operators_open_recorded_values() -> None:
    assert binary("+", Held([1]), [2]) == [1, 2]
    assert binary("*", 2, Held([1])) == [1, 1]
    assert binary("%", "%s", Held((1,))) == "1"
    assert unary("-", Held(3)) == -3
    assert subscript(Held([1, 2, 3]), slice(Held(1), None)) == [2, 3]


@pytest.mark.parametrize(
    "sign,left,right",
    [
        ("**", 2, 10**6),
        ("*", "ab", 10**6),
        ("<<", 1, 10**6),
        ("%", "%*d", (1, 2)),
    ],
)
def test_results_are_bounded_before_they_are_made(sign: str, left: Any, right: Any) -> None:
    with pytest.raises(NotKnownError, match="not evaluated"):
        binary(sign, left, right)


@pytest.mark.parametrize("right", [{1, 2}, Held({1, 2}), ({1, 2},), {"x": [{1, 2}]}])
def test_a_format_does_not_show_an_order_of_sets(right: Any) -> None:
    with pytest.raises(NotKnownError, match="order of a set"):
        binary("%", "%(x)s" if isinstance(right, dict) else "%s", right)


def test_unions_of_types_are_refused() -> None:
    number = Pure("int", FUNCTIONS["int"], Budget())
    for left, right in ((number, number), (number, None), (None, number)):
        with pytest.raises(NotKnownError, match="use a tuple"):
            binary("|", left, right)


def test_a_product_of_long_integers_is_refused() -> None:
    with pytest.raises(NotKnownError, match="bits"):
        binary("*", 1 << 40_000, 1 << 40_000)


def test_small_results_are_made() -> None:
    assert binary("**", 2, 100) == 2**100
    assert binary("**", 2, -1) == 0.5
    assert binary("<<", 0, 10**9) == 0


def test_identity_is_that_of_objects() -> None:
    one, again, other = (Held(None, Nature.IDENTITY, oid) for oid in (1, 1, 2))
    assert same(one, again)
    assert not same(one, other)
    assert not same(one, None)
    assert same(None, None)
    assert compare("is not", one, None)
    assert not same(1, 2)
    assert same(256, int("256"))
    assert not same(1000, 1001)


@pytest.mark.parametrize("atom", [1000, 1.5, float("nan"), 2j, "text", b"bytes"])
def test_identity_of_equal_atoms_is_not_known_even_if_it_is_one_object_here(atom: object) -> None:
    with pytest.raises(NotKnownError, match="not recorded"):
        same(atom, atom)


def test_membership_uses_what_the_container_holds() -> None:
    assert compare("in", 2, Held([1, 2]))
    assert compare("not in", 3, Held([1, 2]))
    assert compare("in", Held("a"), "abc")
