"""The rounds of comprehensions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.languages.python.asked.standing_in import Held
from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import Budget
from wrongcall.languages.python.asked.comprehensions import Clause, bind, loop
from wrongcall.languages.python.asked.expression import Env


class Nothing:
    def lookup(self, name: str) -> object:
        raise KeyError(name)


def rounds(order: list[bool] | None, *clauses: Clause) -> list[Any]:
    env = Env(Nothing(), Budget(), {})
    found = list(loop(clauses, lambda inner: dict(inner.bound), env, order))
    assert env.bound == {}
    return found


def test_inner_clauses_see_the_variables_of_outer_ones() -> None:
    outer = Clause("x", lambda env: Held([1, 2]), [])
    inner = Clause("y", lambda env: range(env.bound["x"]), [lambda env: env.bound["y"] != 1])
    assert rounds([], outer, inner) == [{"x": 1, "y": 0}, {"x": 2, "y": 0}]


def test_sets_are_noted_or_refused() -> None:
    clause = Clause("x", lambda env: {1, 2}, [])
    order: list[bool] = []
    rounds(order, clause)
    assert order
    with pytest.raises(NotKnownError):
        rounds(None, clause)


def test_targets_are_unpacked() -> None:
    bound: dict[str, object] = {}
    bind(("a", ("b", "c")), Held((1, Held((2, 3)))), bound)
    assert bound == {"a": 1, "b": 2, "c": 3}
    with pytest.raises(NotKnownError, match="order of a set"):
        bind(("a", "b"), Held({1, 2}), bound)
    with pytest.raises(ValueError, match="not enough values"):
        bind(("a", "b"), [1], bound)
    with pytest.raises(ValueError, match="too many values"):
        bind(("a", "b"), "abc", bound)
