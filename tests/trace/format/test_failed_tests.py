"""What a trace keeps of failed tests."""

from __future__ import annotations

from typing import Any

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.format.failed_tests import FailedTest, MarksOfTests, failed_tests


def _failed(test: str, phase: str = "call") -> dict[str, str]:
    return {"failed": test, "phase": phase, "message": "assert 0", "example": ""}


def test_a_failure_has_the_times_of_its_test_and_phase() -> None:
    marks = MarksOfTests()
    meta: dict[str, Any] = {"program": ["pytest"]}
    for time, mark in [
        (3, {"phase": "setup"}),
        (5, {"phase": "call"}),
        (9, {"phase": "teardown"}),
        (10, {"phase": "setup"}),
        (12, {"phase": "call"}),
        (20, _failed("one")),
        (21, {"phase": "teardown"}),
        (25, _failed("one", "teardown")),
    ]:
        meta |= marks.take(time, mark)
    assert failed_tests(meta) == [
        FailedTest("one", "call", "assert 0", "", 10, 12, 20),
        FailedTest("one", "teardown", "assert 0", "", 10, 21, 25),
    ]


def test_a_failure_that_the_process_without_tests_repeats_counts_once() -> None:
    marks = MarksOfTests()
    meta: dict[str, Any] = {}
    for time, mark in [
        (1, {"phase": "setup", "process": "worker"}),
        (2, {"phase": "call", "process": "worker"}),
        (3, {**_failed("one"), "process": "worker"}),
        (4, {**_failed("one"), "process": "controller"}),
        (5, {**_failed("two"), "process": "controller"}),
    ]:
        meta |= marks.take(time, mark)
    assert [(each.id, each.began) for each in failed_tests(meta)] == [("one", 2), ("two", 0)]


def test_failures_keep_their_order() -> None:
    marks = MarksOfTests()
    meta: dict[str, Any] = {}
    for number in range(12):
        meta |= marks.take(number, _failed(f"test {number}"))
    assert [each.id for each in failed_tests(meta)] == [f"test {n}" for n in range(12)]


@pytest.mark.parametrize(
    "entry",
    [
        {},
        None,
        {"unexpected": 1},
        {"id": 1, "phase": "call", "message": ""},
        {"id": "", "phase": "", "message": "", "ended": True},
    ],
)
def test_a_damaged_entry_is_an_error(entry: object) -> None:
    with pytest.raises(TraceError, match="failed test"):
        failed_tests({"failed test 1": entry})
