"""Searches that start at a failed test, or at an exception."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import failure, names, opened, recorded
from tests.session.truth import advanced
from wrongcall.recording import Recording
from wrongcall.session import Finding, Question
from wrongcall.session.answers import BY_TEST
from wrongcall.session.failures import failures_of
from wrongcall.session.search import How, Search
from wrongcall.session.starts import BY_EXCEPTION, BY_VALUE, checked_by, start_at

SUITE = {
    "shop.py": """
        RATES = {}

        def load():
            RATES["de"] = rate("19")

        def rate(text):
            return int(text) + 1

        def tax(price, country):
            return price * look_up(country) // 100

        def look_up(country):
            return RATES[country]

        def describe(price):
            return f"{price} EUR"
    """,
    "test_shop.py": """
        import pytest
        import shop

        @pytest.fixture
        def rates():
            shop.load()

        def check(price, tax):
            assert shop.tax(price, "de") == tax

        def test_tax(rates):
            assert shop.describe(100) == "100 EUR"
            check(100, 19)

        def test_unknown(rates):
            assert shop.tax(100, "fr") == 20
    """,
}
WRONG = {"rate", "load"}
"""What is wrong, by what the functions should do: the caller of a wrong one is so by its effect."""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("suite"), SUITE)


def _search(recording: Recording, test: str, ask_tests: bool = False) -> tuple[Search, list[str]]:
    """Search for the cause of a failed test; return the names of the functions that were asked about."""
    search = Search(recording, How(fresh=True, ask_tests=ask_tests))
    search.begin(start_at(recording, failure(recording, test), ask_tests=ask_tests))
    asked: list[str] = []
    while isinstance(step := search.led() or advanced(search), Question):
        found = names(recording, list(step.calls))
        asked += found
        is_wrong = any(name in WRONG for name in found)
        for call in step.calls:
            search.session.judge(call, "wrong" if is_wrong else "right")
    return search, asked


def test_the_failed_test_is_wrong_by_the_test(suite: Path) -> None:
    with opened(suite) as recording, Search(recording, How(fresh=True)) as search:
        failed = failure(recording, "test_tax")
        search.begin(start_at(recording, failed))
        ((_, answer),) = search.session.answers()
        assert (answer.calls, answer.verdict.value, answer.by) == (
            (failed.call, failed.call),
            "wrong",
            BY_TEST,
        )
        assert not search.session.can_undo


def test_the_bug_is_found_in_what_a_fixture_did(suite: Path) -> None:
    with opened(suite) as recording:
        search, asked = _search(recording, "test_tax")
        with search:
            found = search.step()
            assert isinstance(found, Finding)
            assert names(recording, found.calls) == ["rate"]
            assert asked[0] == "tax"  # it made the value that was compared
            assert not {"test_tax", "check", "rates", "<module>"} & set(asked)


def test_tests_are_suspects_on_request(suite: Path) -> None:
    with opened(suite) as recording:
        search, asked = _search(recording, "test_tax", ask_tests=True)
        with search:
            assert "check" in asked or "rates" in asked


def test_an_exception_leads_from_the_inside_outwards(suite: Path) -> None:
    with opened(suite) as recording:
        start = start_at(recording, failure(recording, "test_unknown"))
        assert names(recording, start.way) == ["look_up", "tax"]
        assert not start.first
        assert start.note == BY_EXCEPTION
        assert start_at(recording, failure(recording, "test_tax")).note == BY_VALUE


def test_the_values_that_were_compared_are_known(suite: Path) -> None:
    with opened(suite) as recording:
        checked = checked_by(recording, failure(recording, "test_tax"))
        assert [(c.text, c.value) for c in checked] == [('shop.tax(price, "de")', 20), ("tax", 19)]
        # It was not the test that raised.
        assert not checked_by(recording, failure(recording, "test_unknown"))


def test_a_search_that_is_continued_knows_its_test(suite: Path) -> None:
    with opened(suite) as recording:
        failed = failure(recording, "test_tax")
        with Search(recording, How(name="kept", fresh=True)) as search:
            search.begin(start_at(recording, failed))
            before = [list(search.session.tree.children(n)) for n in range(5)]
        with Search(recording, How(name="kept")) as again:
            again.begin(start_at(recording, failed))
            assert [list(again.session.tree.children(n)) for n in range(5)] == before
            assert len(again.session.entries) == 1


DEEP = """
    def down(n):
        if n == 0:
            raise ValueError("bottom")
        return down(n - 1)

    down(40)
"""


def test_the_whole_way_of_an_exception_is_remembered(tmp_path: Path) -> None:
    with opened(recorded(tmp_path, {"prog.py": DEEP}, "prog.py")) as recording:
        (crashed,) = failures_of(recording)
        start = start_at(recording, crashed)
        assert names(recording, start.way) == ["down"] * 41 + ["<module>"]
        with Search(recording) as search:
            search.begin(start)
            asked = 0
            # The bug is in the call with n = 30: calls further inside got what they must refuse.
            while (step := search.led()) is not None:
                n = recording.call(step.calls[0]).args[0].value
                assert isinstance(n, int)
                search.session.judge(step.calls[0], "wrong" if n >= 30 else "right")
                asked += 1
            assert asked <= 9
            found = search.step()
            assert isinstance(found, Finding)
            assert [recording.call(c).args[0].value for c in found.calls] == [30]


THROUGH = {
    "shop.py": """
        from contextlib import contextmanager

        @contextmanager
        def indented(depth):
            yield depth

        def total(prices):
            with indented(1), indented(2):
                return sum(price(p) for p in prices)

        def price(text):
            return int(text)
    """,
    "test_shop.py": """
        import shop

        def test_total():
            f = lambda prices: shop.total(prices)
            assert f(["1", "x"]) == 3
    """,
}


def test_an_exception_is_followed_through_lambdas_and_not_into_what_a_with_left(
    tmp_path: Path,
) -> None:
    with opened(recorded(tmp_path, THROUGH)) as recording:
        start = start_at(recording, failure(recording, "test_total"))
        found = names(recording, start.way)
        assert found[0] == "price"
        assert found[-1] == "total"
        assert "indented" not in found
        assert start.note == BY_EXCEPTION
