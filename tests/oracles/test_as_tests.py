"""Answers as tests: pytest itself is the witness."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from wrongcall.oracles.answer_store import KeptAnswer
from wrongcall.oracles.as_tests import HEADER, written_tests

SHOP = """
def half(n, up=False):
    return n // 2

class Cart:
    @staticmethod
    def empty():
        return {"items": []}
"""
HALF = KeptAnswer(
    "shop:half", b"1", "right", "ann", 1e9, arguments="n=4, up=False", result="2", title="half(4)"
)
WRONG = replace(
    HALF, key=b"2", verdict="wrong", arguments="n=5, up=True", result="2", expected=" 3 "
)
EMPTY = KeptAnswer(
    "shop:Cart.empty", b"3", "right", "b\nb", 2e9, arguments="()", result="{'items': []}"
)


def pytest_says(folder: Path, text: str, source: str = SHOP) -> str:
    (folder / "shop.py").write_text(source)
    (folder / "test_answers.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout.splitlines()[-1]


def test_right_calls_pass_and_wrong_ones_are_expected_to_fail(tmp_path: Path) -> None:
    made = written_tests([HALF, WRONG, EMPTY], {})
    assert (made.count, made.left_out) == (3, 0)
    assert made.text.startswith(HEADER)
    assert pytest_says(tmp_path, made.text).startswith("2 passed, 1 xfailed")
    mended = SHOP.replace("n // 2", "(n + up) // 2")
    (tmp_path / "mended").mkdir()
    assert pytest_says(tmp_path / "mended", made.text, mended).startswith("1 failed, 2 passed")
    broken = SHOP.replace("n // 2", "n")
    (tmp_path / "broken").mkdir()
    assert pytest_says(tmp_path / "broken", made.text, broken).startswith(
        "1 failed, 1 passed, 1 xfailed"
    )


@pytest.mark.parametrize(
    "answer",
    [
        replace(HALF, arguments=""),
        replace(HALF, result=""),
        replace(HALF, result="float('nan')"),
        replace(HALF, verdict="inadmissible"),
        replace(HALF, revoked=3.0),
        replace(WRONG, expected=""),
        replace(WRONG, expected="about 3"),
        replace(WRONG, expected="__import__('os').system('true')"),
        replace(HALF, function="shop:f.<locals>.g"),
        replace(HALF, function="not a module:f"),
        replace(HALF, arguments="n=4); import os; (0"),
        replace(HALF, arguments="n=print(1)"),
        replace(HALF, result="__import__('os').system('true')"),
        replace(HALF, result="2\nimport os"),
        replace(HALF, function="os:system", arguments="command='true'"),
        replace(HALF, function="os.path:exists", arguments="path='/'"),
    ],
)
def test_what_cannot_be_repeated_becomes_no_test(answer: KeptAnswer) -> None:
    made = written_tests([answer], {})
    assert made.count == 0
    assert "def test" not in made.text


def test_the_newest_answer_about_a_call_counts_under_its_present_name() -> None:
    older = replace(HALF, result="99", at=5.0)
    made = written_tests([older, HALF], {"shop:half": "store:half"})
    assert made.count == 1
    assert "assert store.half(n=4, up=False) == 2" in made.text
    assert "import store\n" in made.text
