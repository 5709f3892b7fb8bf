"""The order of sets is never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.set_order import (
    Unordered,
    check_ranking,
    check_sum,
    check_text,
    is_unordered,
    ordered,
)


def test_only_sets_of_several_elements_have_no_order() -> None:
    assert is_unordered({1, 2})
    assert is_unordered(Unordered(iter([1])))
    assert not is_unordered({1})
    assert not is_unordered([1, 2])
    assert list(ordered(Held([2, 1]))) == [2, 1]
    with pytest.raises(NotKnownError, match="sorted"):
        ordered(Held({1, 2}))


@pytest.mark.parametrize("value", [{1, 2}, [{1, 2}], {"a": frozenset("ab")}, (1, [{1, 2}])])
def test_texts_with_sets_are_refused(value: Any) -> None:
    with pytest.raises(NotKnownError):
        check_text(value)


def test_sums_and_ranks_that_do_not_depend_on_the_order_are_fine() -> None:
    check_sum({1, 2}, [1, 2])
    check_sum([0.1, 0.2], [0.1, 0.2])
    check_ranking({1, 2}, [1, 2], has_key=False)
    with pytest.raises(NotKnownError):
        check_sum({0.1, 0.2}, [0.1, 0.2])
    with pytest.raises(NotKnownError):
        check_sum({(1,), (2,)}, [(1,), (2,)])
    with pytest.raises(NotKnownError):
        check_ranking({1, 2}, [1, 2], has_key=True)
    partly = {frozenset("b"), frozenset("a")}
    with pytest.raises(NotKnownError):
        check_ranking(partly, list(partly), has_key=False)
