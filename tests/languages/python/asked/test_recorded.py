"""Objects of the program behave as Python's own, as far as that is known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, cast

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.recorded import Nature, Unread, plain


def test_a_value_is_what_it_opens_into() -> None:
    one: Any = Held([1, 2])
    other, pair = Held([1, 3]), Held((1, 2))
    assert one == [1, 2]
    assert one == [1, 2]
    assert one < other
    assert one + other == [1, 2, 1, 3]
    assert operator.add([0], one) == [0, 1, 2]
    assert len(one) == 2
    assert 2 in one
    assert list(one) == [1, 2]
    assert f"{one}" == "[1, 2]"
    assert not Held([])
    assert hash(Held((1, 2))) == hash((1, 2))
    assert {(1, 2): 3}.get(cast(Any, pair)) == 3
    with pytest.raises(TypeError):
        hash(one)


def test_an_object_with_identity_equals_itself_alone_and_is_true() -> None:
    one, other = (Held(None, Nature.IDENTITY, oid) for oid in (1, 2))
    assert one == one
    assert one != other
    assert one != 5
    assert bool(one)
    assert {one: 1}[one] == 1
    with pytest.raises(NotKnownError):
        one < other  # noqa: B015


@pytest.mark.parametrize(
    "does",
    [
        lambda thing: thing == 1,
        lambda thing: operator.eq(1, thing),
        lambda thing: thing + 1,
        lambda thing: 1 + thing,
        lambda thing: -thing,
        bool,
        len,
        hash,
        repr,
        list,
        int,
        lambda thing: thing(),
        lambda thing: thing == Held(None, Nature.IDENTITY),
        lambda thing: Held(None, Nature.IDENTITY) == thing,
        lambda thing: [thing] == [1],
    ],
)
def test_what_may_run_the_program_is_not_known(does: Callable[[Any], Any]) -> None:
    with pytest.raises(NotKnownError):
        does(Held(None, Nature.UNKNOWN))
    with pytest.raises(NotKnownError):
        does(Unread("it is not recorded"))


def test_an_unread_text_may_have_a_known_length() -> None:
    text = Unread("only its beginning", "abc", 5000)
    assert len(text) == 5000
    assert bool(text)


def test_plain_opens_values_and_leaves_identities() -> None:
    identity = Held(None, Nature.IDENTITY)
    assert plain(Held([1]), "x") == [1]
    assert plain(identity, "x") is identity
    assert plain(5, "x") == 5
