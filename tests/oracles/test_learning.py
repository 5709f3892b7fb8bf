"""What is learned from recorded tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.learning import Learned, deciding_inputs, learn_from
from wrongcall.recording import Recording

PROGRAM = """
def half(n):
    return n // 2

def double(n):
    return 2 * n

def unused(n):
    return n
"""
TESTS = """
import pytest
from shop import half, double

def helper(n):
    return half(n)

@pytest.mark.parametrize("n", [2, 4])
def test_half(n):
    assert helper(n) == n / 2
    test_nothing()

def test_double():
    assert double(2) == 5

def test_nothing():
    pass
"""


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    (tmp_path / "shop.py").write_text(PROGRAM)
    (tmp_path / "test_shop.py").write_text(TESTS)
    return recorded_tests(tmp_path, "1 failed, 3 passed")


def recorded_tests(folder: Path, summary: str) -> Recording:
    (folder / "pyproject.toml").write_text("")
    options = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    done = run_recorded(options, folder, None)
    assert summary in done.stdout, done.stdout
    return wrongcall.recording.open(folder / "trace.wrongcall")


def test_calls_of_passing_tests_and_functions_of_all_are_kept(
    recording: Recording, tmp_path: Path
) -> None:
    store = AnswerStore(tmp_path / "answers.db")
    with recording:
        assert learn_from(recording, store) == Learned(passed=3, failed=1, calls=2)
        assert learn_from(recording, store) == Learned(passed=3, failed=1, calls=0)
    assert sorted(store.passed("shop:half").values()) == [
        "test_shop:test_half[1]",
        "test_shop:test_half[2]",
    ]
    assert store.passed("shop:double") == {}
    assert store.coverage() == (1, {"shop:half": (2, 0), "shop:double": (0, 1)})
    ran = store.block_coverage()
    assert (ran.failed_tests, sorted(ran.counts.values()), ran.elsewhere) == (
        1,
        [(0, 1), (2, 0)],
        {},
    )


def test_what_was_learned_adds_up() -> None:
    assert Learned(1, 2, 3) + Learned(4, 5, 6) == Learned(5, 7, 9)


def test_inputs_with_several_outcomes_decide_nothing() -> None:
    keys = [("m:f", b"1", b"1a"), ("m:f", b"1", b"1a"), ("m:f", b"2", b"2a"), ("m:f", b"2", b"2b")]
    # The same input of another function is another input.
    keys.append(("m:g", b"2", b"2c"))
    assert sorted(deciding_inputs(keys)) == [("m:f", b"1"), ("m:g", b"2")]


NUMBERS = """
import time

class Numbers:
    last = 0

    @classmethod
    def number(cls):
        cls.last += 1
        return cls.last

def now():
    return time.perf_counter_ns()
"""
NUMBERS_TESTS = """
from numbers_given import Numbers, now

def test_numbers():
    assert Numbers.number() < Numbers.number()

def test_now():
    assert now() < now()
"""


def test_a_clock_makes_no_call_likely_wrong_and_a_counter_is_part_of_the_input(
    tmp_path: Path,
) -> None:
    (tmp_path / "numbers_given.py").write_text(NUMBERS)
    (tmp_path / "test_numbers.py").write_text(NUMBERS_TESTS)
    store = AnswerStore(tmp_path / "answers.db")
    with recorded_tests(tmp_path, "2 passed") as recording:
        learn_from(recording, store)
        for name, inputs in (("Numbers.number", 2), ("now", 0)):
            assert len(store.passed(f"numbers_given:{name}")) == 2
            assert len(store.passed_inputs(f"numbers_given:{name}")) == inputs
