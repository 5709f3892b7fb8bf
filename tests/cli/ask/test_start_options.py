"""Where a search starts: at a call, at a printed line, at an exception."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import told
from tests.cli.crash import CRASH
from wrongcall.cli.ask.start_options import (
    FRAMES,
    MOST,
    inside_out,
    named_calls,
    printing_calls,
    start_of,
)
from wrongcall.errors import UsageError
from wrongcall.recording import Recording
from wrongcall.session.failures import Failure
from wrongcall.session.search import Start

REPORTED = """
class Wrong(Exception):
    def __str__(self):
        raise ValueError("cannot tell")

def fail():
    raise Wrong()

def main():
    fail()

main()
"""


def test_debug_can_start_at_a_call(tmp_path: Path, record: Record) -> None:
    trace = str(record("mergesort.py"))
    done = told("debug", trace, "--call", "merge", lines=["9", "y"])
    assert "#9 merge(left=[2], right=[8]) -> [2]" in done.stdout
    assert "Which call is wrong? # > 9" in done.stdout
    assert "The bug is in merge" in done.stdout
    assert done.status == 0
    done = told("debug", trace, "--session", "other", "--call", "#10")
    assert "  merge(left=[5], right=[2])\n" in done.stdout
    done = told("debug", trace, "--restart", "--call", "merge", lines=["77"])
    assert "'77' is not in the list." in done.stdout
    assert done.status == 2


def test_debug_can_start_at_an_exception(tmp_path: Path, record: Record) -> None:
    trace = str(record(CRASH))
    done = told("debug", trace, "--exception", lines=["i", "n", "y"])
    first, second = done.stdout.split("Question ")[1:3]
    assert "  parse(text='x')\n  raised    ValueError(" in first
    assert "  load(lines=['1', 'x'])\n" in second
    assert "  parse(text='1')\n" in done.stdout.split("Question 3")[1]


def test_debug_can_start_at_a_printed_line(tmp_path: Path, record: Record) -> None:
    program = (
        "def show(x):\n    print('value', x)\n\ndef main():\n    show(1)\n    show(2)\n\nmain()\n"
    )
    trace = str(record(program))
    done = told("debug", trace, "--printed", "value 2", lines=["i", "n", "y"])
    first, second = done.stdout.split("Question ")[1:3]
    assert "  show(x=2)\n" in first
    assert "  main()\n" in second
    assert "The bug is in main" in done.stdout
    done = told("debug", trace, "--restart", "--printed", "value", lines=["3", "n"])
    assert "Which call printed it? # > 3" in done.stdout
    assert "The bug is in show" in done.stdout


def test_a_method_called_by_the_traceback_is_not_a_starting_point(
    tmp_path: Path, record: Record
) -> None:
    trace = str(record(REPORTED))
    with wrongcall.recording.open(trace) as opened:
        assert [call.function.name for call in opened.calls.roots()][1:] == ["__str__"]
    done = told("debug", trace, "--exception", lines=["n", "y"])
    assert "  fail()\n" in done.stdout.split("Question 1")[1].split("Question 2")[0]
    assert "The bug is in fail" in done.stdout


PRINTS = """
def deep(n):
    print("found", n)

def middle(n):
    deep(n)

def outer(n):
    middle(n)

def top(n):
    outer(n)

for n in range(3):
    top(n)
"""


@pytest.fixture
def prints(record: Record) -> Iterator[Recording]:
    with wrongcall.recording.open(record(PRINTS)) as recording:
        yield recording


def options(**given: object) -> argparse.Namespace:
    starts = {"call": None, "inside": False, "printed": None, "exception": False, "test": None}
    others = {"ask_tests": False, "restart": False, "session": "main"}
    return argparse.Namespace(**{**starts, **others, **given})


def names(recording: Recording, calls: tuple[int, ...] | list[int]) -> list[str]:
    return [recording.call(call).function.name for call in calls]


def no_pick(calls: list[int], why: str) -> int:
    raise AssertionError(f"asked: {why}")


def no_choice(failures: list[Failure]) -> Failure:
    raise AssertionError(f"asked: {failures}")


def test_without_options_the_strategy_starts(prints: Recording) -> None:
    assert start_of(prints, options(), no_pick, no_choice) == Start()


@pytest.mark.parametrize(
    "given,text",
    [
        ({"call": "f", "printed": "x"}, "--call and --printed can't be combined"),
        ({"printed": "x", "exception": True}, "--printed and --exception can't be combined"),
    ],
)
def test_only_one_start_can_be_named(
    prints: Recording, given: dict[str, object], text: str
) -> None:
    with pytest.raises(UsageError, match=text):
        start_of(prints, options(**given), no_pick, no_choice)


def test_the_call_option_marks_the_call_as_wrong(prints: Recording) -> None:
    offered: list[int] = []

    def pick(calls: list[int], why: str) -> int:
        offered.extend(calls)
        assert why == "Which call is wrong?"
        return calls[1]

    start = start_of(prints, options(call="deep"), pick, no_choice)
    assert names(prints, offered) == ["deep"] * 3
    assert start == Start(wrong=offered[1])


@pytest.mark.parametrize("name", ["#2", "2"])
def test_a_call_is_named_by_its_number(prints: Recording, name: str) -> None:
    assert named_calls(prints, name) == [2]


@pytest.mark.parametrize(
    "name,text", [("#99", "there is no call 99"), ("dep", "no function named 'dep'")]
)
def test_an_unknown_call_is_refused(prints: Recording, name: str, text: str) -> None:
    with pytest.raises(UsageError, match=text):
        named_calls(prints, name)


def test_calls_that_printed_a_text_are_listed_latest_first(prints: Recording) -> None:
    found = printing_calls(prints, "found")
    assert names(prints, found) == ["deep"] * 3
    assert found == sorted(found, reverse=True)
    assert len(printing_calls(prints, "found 1")) == 1
    with pytest.raises(UsageError, match="no printed line contains 'lost'"):
        printing_calls(prints, "lost")


def test_a_printing_call_is_asked_about_before_its_callers_but_not_the_program(
    prints: Recording,
) -> None:
    (call,) = printing_calls(prints, "found 1")
    assert names(prints, inside_out(prints, call)) == ["deep", "middle", "outer"][:FRAMES]
    start = start_of(prints, options(printed="found 1"), lambda calls, why: calls[0], no_choice)
    assert names(prints, start.first) == ["deep", "middle", "outer"][:FRAMES]


def test_a_run_that_did_not_crash_has_no_exception_to_start_at(prints: Recording) -> None:
    with pytest.raises(UsageError, match="didn't end with an uncaught exception"):
        start_of(prints, options(exception=True), no_pick, no_choice)


@pytest.mark.parametrize("asked", [True, False], ids=["asked for", "by default"])
def test_an_exception_is_followed_to_where_it_was_raised(record: Record, asked: bool) -> None:
    with wrongcall.recording.open(record(CRASH)) as recording:
        start = start_of(recording, options(exception=asked), no_pick, no_choice)
        assert names(recording, start.way) == ["parse", "load", "main", "<module>"]


def test_an_exception_raised_anew_is_not_followed_into_the_calls_before(record: Record) -> None:
    program = """
def inner():
    raise KeyError("x")

def outer():
    try:
        inner()
    except KeyError:
        raise ValueError("y") from None

outer()
"""
    with wrongcall.recording.open(record(program)) as recording:
        start = start_of(recording, options(), no_pick, no_choice)
        assert names(recording, start.way) == ["outer", "<module>"]


def test_a_test_that_did_not_fail_is_refused(prints: Recording) -> None:
    with pytest.raises(UsageError, match="no failed test has 'test_x' in its name"):
        start_of(prints, options(test="test_x"), no_pick, no_choice)


def test_very_many_calls_are_cut(record: Record) -> None:
    program = f"def f():\n    pass\nfor _ in range({MOST + 10}):\n    f()\n"
    with wrongcall.recording.open(record(program)) as recording:
        assert len(named_calls(recording, "f")) == MOST
