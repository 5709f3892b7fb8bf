"""Which calls made the value that a check found wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import failure, names, opened, recorded
from wrongcall.session import Part, Where
from wrongcall.session.starts import start_at

SUITE = {
    "shop.py": """
        class Basket:
            def __init__(self):
                self.lines = []
                self.name = named("basket")

            def add(self, price):
                self.lines.append(price)

            def clear(self):
                pass

            def total(self):
                return summed(self.lines)

        def named(text):
            return text.upper()

        def summed(numbers):
            result = 0
            for n in numbers:
                result = plus(result, n)
            return result

        def plus(a, b):
            return a + b

        def expected():
            return 7

        def rate():
            return 2

        def discounted(total):
            result = expected()
            if result == total:
                return result
            return total - 1
    """,
    "test_shop.py": """
        import pytest
        from shop import Basket, discounted, expected, rate, named

        def filled(*prices):
            basket = Basket()
            for price in prices:
                basket.add(price)
            return basket

        def test_call():
            assert filled(1, 2).total() == 4

        def test_variable():
            total = filled(1, 2).total()
            wanted = 4
            assert wanted == total

        def test_computed():
            total = filled(1, 2).total()
            with_tax = total * rate()
            assert with_tax == pytest.approx(7.5)

        def test_object():
            basket = filled(1, 2)
            basket.clear()
            assert basket.lines == []

        def test_attribute():
            basket = filled()
            basket.add(1)
            assert basket.name == "basket"

        def test_both():
            assert filled(1).total() == expected()

        def test_comprehension():
            names = [named(n) for n in ("a",)]
            assert names == ["a"]

        def test_nothing():
            basket = filled(1)
            basket.clear()
            pytest.fail("it should be empty")

        def test_named_result():
            assert discounted(5) == 5

        def test_raises():
            with pytest.raises(ValueError):
                filled(1).total()
    """,
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("suite"), SUITE)


@pytest.mark.parametrize(
    "test, first",
    [
        ("test_call", "plus"),
        ("test_variable", "plus"),
        ("test_object", "Basket.add"),
        ("test_attribute", "named"),
        ("test_nothing", "Basket.clear"),
        ("test_named_result", "discounted"),
        ("test_raises", "Basket.total"),
    ],
)
def test_the_first_question_is_about_the_call_that_made_it(
    suite: Path, test: str, first: str
) -> None:
    with opened(suite) as recording:
        start = start_at(recording, failure(recording, test))
        assert names(recording, start.first)[:1] == [first]


@pytest.mark.parametrize(
    "test, asked",
    [
        ("test_call", ["plus", "summed", "Basket.total"]),
        ("test_computed", ["plus", "rate"]),
        ("test_both", ["plus", "expected", "summed"]),
        ("test_comprehension", ["named"]),
    ],
)
def test_questions_follow_the_value_outwards(suite: Path, test: str, asked: list[str]) -> None:
    with opened(suite) as recording:
        start = start_at(recording, failure(recording, test))
        shown = list(dict.fromkeys(names(recording, start.first)))
        assert [name for name in shown if name in asked] == asked
        assert not [name for name in shown if name.startswith(("test", "filled"))]


def test_the_outcome_is_not_a_variable_that_is_called_result(suite: Path) -> None:
    with opened(suite) as recording:
        (made,) = start_at(recording, failure(recording, "test_named_result")).first
        assert recording.places.result_name(made) == "return"
        assert recording.places.find(made, "result")[1] == 7
        assert recording.places.find(made, "return")[1] == 4
        part = Part(Where.OUTCOME, "result")
        assert recording.places.find(made, part.place)[1] == 4
