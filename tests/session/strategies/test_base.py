"""Strategies are found by their names."""

from __future__ import annotations

import pytest

from wrongcall.errors import SessionError
from wrongcall.session.strategies.base import Strategy, descriptions, strategies, strategy
from wrongcall.tree.suspects import Suspects


def test_each_strategy_has_a_file_of_its_own_but_for_the_kinds_of_coverage() -> None:
    modules = [each.__module__ for each in strategies().values()]
    shared = {module for module in modules if modules.count(module) > 1}
    assert shared == {"wrongcall.session.strategies.coverage"}
    assert len(set(modules)) == 12


def test_strategies_are_listed_by_the_names_they_have() -> None:
    assert all(each.name == name for name, each in strategies().items())
    assert "top-down" in strategies()


def test_base_classes_of_strategies_are_not_listed() -> None:
    assert "CoverageStrategy" not in {each.__name__ for each in strategies().values()}


def test_a_strategy_of_another_package_is_not_listed() -> None:
    class Foreign(Strategy):
        """Asks nothing."""

        name = "foreign"

        def choose(self, suspects: Suspects) -> int:
            return -1

    strategies.cache_clear()
    assert Foreign.name not in strategies()


def test_each_has_one_line_of_description_in_the_order_of_names() -> None:
    described = descriptions()
    assert list(described) == sorted(strategies())
    for text in described.values():
        assert text.startswith(("Asks ", "Halves "))
        assert text.endswith(".")
        assert "\n" not in text


def test_each_use_gets_a_strategy_of_its_own() -> None:
    one, other = strategy("top-down"), strategy("top-down")
    one.note = "mine"
    assert other.note == ""


@pytest.mark.parametrize("name", ["guess", "", "Top-Down"])
def test_an_unknown_name_is_refused_with_a_list_of_the_known_ones(name: str) -> None:
    with pytest.raises(SessionError) as caught:
        strategy(name)
    assert str(caught.value).startswith(f"there is no strategy {name!r}; there are coverage-def")
    assert all(known in str(caught.value) for known in strategies())
