"""Limits of the work that an expression may cause."""

from __future__ import annotations

import pytest

from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import (
    MAX_BITS,
    MAX_SIZE,
    Budget,
    check_bits,
    check_size,
)


def test_steps_are_counted() -> None:
    budget = Budget(3)
    budget.spend(3)
    with pytest.raises(NotKnownError, match="steps"):
        budget.spend()


def test_elements_of_a_sequence_are_counted_before_those_of_an_iterator_on_the_way() -> None:
    with pytest.raises(NotKnownError):
        Budget(3).elements([1, 2, 3, 4])
    found = iter(Budget(2).elements(iter("abc")))
    assert [next(found), next(found)] == ["a", "b"]
    with pytest.raises(NotKnownError):
        next(found)


def test_what_cannot_be_iterated_raises_at_once() -> None:
    with pytest.raises(TypeError):
        Budget().elements(5)  # type: ignore[arg-type]


def test_sizes_and_digits_have_limits() -> None:
    check_size(MAX_SIZE)
    check_bits(MAX_BITS)
    with pytest.raises(NotKnownError, match="1,000,001 elements"):
        check_size(MAX_SIZE + 1)
    with pytest.raises(NotKnownError, match="bits"):
        check_bits(MAX_BITS + 1)
