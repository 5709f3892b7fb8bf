"""What is learned from recorded tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded
from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.learning import Learned, learn_from
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
    (tmp_path / "pyproject.toml").write_text("")
    options = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    done = run_recorded(options, tmp_path, None)
    assert "1 failed, 3 passed" in done.stdout, done.stdout
    return wrongcall.recording.open(tmp_path / "trace.wrongcall")


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


def test_what_was_learned_adds_up() -> None:
    assert Learned(1, 2, 3) + Learned(4, 5, 6) == Learned(5, 7, 9)
