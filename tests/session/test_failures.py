"""What failed in a run: tests, or the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import failure, names, opened, recorded
from wrongcall.session.failures import endings_of, failures_of, needed_by

SUITE = {
    "conftest.py": """
        import pytest
        from shop import Shop, stock

        @pytest.fixture(scope="session")
        def shop():
            return Shop()

        @pytest.fixture
        def broken():
            stock(-1)
            yield

        @pytest.fixture
        def untidy():
            yield
            stock(-2)
    """,
    "shop.py": """
        class Shop:
            def price(self, n):
                return n

        def stock(n):
            if n < 0:
                raise ValueError(n)
    """,
    "test_shop.py": """
        import unittest
        import pytest
        from shop import Shop, stock

        def helper(shop):
            assert shop.price(1) == 1
            assert shop.price(2) == 3

        def test_first(shop):
            assert shop.price(1) == 1

        def test_helped(shop):
            helper(shop)

        def test_set_up(broken): pass

        def test_teardown(untidy): pass

        def test_subtests(subtests):
            for n in (1, 2, 3):
                with subtests.test(n=n):
                    assert Shop().price(n) != 2

        @pytest.mark.xfail
        def test_expected(): assert 0

        def test_skipped(): pytest.skip()

        class TestIt(unittest.TestCase):
            def setUp(self):
                stock(1)

            def test_method(self):
                self.assertEqual(Shop().price(1), 2)
    """,
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("suite"), SUITE)


def test_the_runner_says_which_tests_failed(suite: Path) -> None:
    with opened(suite) as recording:
        found = [(f.test.partition("::")[2], f.phase) for f in failures_of(recording)]
        assert found == [
            ("test_helped", "call"),
            ("test_set_up", "setup"),
            ("test_teardown", "teardown"),
            ("test_subtests", "call"),
            ("TestIt::test_method", "call"),
        ]


@pytest.mark.parametrize(
    "test, call",
    [
        ("test_helped", "test_helped"),
        ("test_set_up", "broken"),
        ("test_teardown", "untidy"),
        ("test_method", "TestIt.test_method"),
    ],
)
def test_the_failed_call_is_the_outermost_that_raised(suite: Path, test: str, call: str) -> None:
    with opened(suite) as recording:
        assert names(recording, [failure(recording, test).call]) == [call]


def test_a_subtest_fails_inside_its_test(suite: Path) -> None:
    with opened(suite) as recording:
        first, *_ = [f for f in failures_of(recording) if f.test.endswith("test_subtests")]
        assert names(recording, [first.call]) == ["test_subtests"]


def test_a_test_needs_its_fixtures_and_modules_but_no_other_test(suite: Path) -> None:
    with opened(suite) as recording:
        needed = names(recording, needed_by(recording, failure(recording, "test_helped")))
        assert "shop" in needed  # a fixture of the session, which an earlier test set up
        assert "<module>" in needed
        assert not [name for name in needed if name.startswith("test")]
        method = names(recording, needed_by(recording, failure(recording, "test_method")))
        assert "TestIt.setUp" in method


UNITTEST = {
    "test_it.py": """
        import unittest

        class Case(unittest.TestCase):
            def test_right(self): pass
            def test_wrong(self): self.assertEqual(1, 2)
            def test_skipped(self): self.skipTest("not today")
            @unittest.expectedFailure
            def test_expected(self): self.fail()

        class Broken(unittest.TestCase):
            def setUp(self): raise ValueError
            def test_it(self): pass

        if __name__ == "__main__":
            unittest.main()
    """
}


@pytest.mark.parametrize("words", [("-m", "unittest"), ("test_it.py",)], ids=["module", "script"])
def test_without_a_word_from_the_runner_the_calls_tell(tmp_path: Path, words: tuple[str]) -> None:
    with opened(recorded(tmp_path, UNITTEST, *words)) as recording:
        found = {f.test.partition(".")[2]: f for f in failures_of(recording)}
        assert set(found) == {"Case.test_wrong", "Broken.setUp"}


CRASH = """
    import threading

    def fail(): raise KeyError("thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()

    class Odd:
        def __repr__(self): raise ValueError("reporter")

    def inner(x): return 1 / x

    def outer(x):
        odd = Odd()
        return inner(x)
"""


def test_an_exit_is_no_failure_but_can_be_followed(tmp_path: Path) -> None:
    program = "import sys\ndef leave(): sys.exit(3)\nleave()\n"
    with opened(recorded(tmp_path, {"prog.py": program}, "prog.py")) as recording:
        assert not failures_of(recording)
        assert names(recording, [f.call for f in endings_of(recording)]) == ["<module>"]


@pytest.mark.parametrize(
    "ending, crashed",
    [
        ("outer(0)", ["<module>"]),
        ("outer(1)", []),
        ("import sys; sys.exit(3)", []),
        ("import sys; sys.excepthook = lambda *a: repr(Odd()); outer(0)", ["<module>"]),
    ],
)
def test_a_crash_is_the_exception_that_ended_the_program(
    tmp_path: Path, ending: str, crashed: list[str]
) -> None:
    program = f"{CRASH}\n    {ending}\n"
    with opened(recorded(tmp_path, {"prog.py": program}, "prog.py")) as recording:
        found = failures_of(recording)
        assert names(recording, [f.call for f in found]) == crashed
        assert not any(f.is_test for f in found)
