"""Expressions at every execution of a line, as a table."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.lines import text_of
from wrongcall.present.screens.answers import printed_lines
from wrongcall.present.text import columns
from wrongcall.recording import Recording

PROGRAM = """\
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total

f(3)
def unused():
    return 1
"""


def shown(
    recording: Recording, line: int, *expressions: str, width: int = 80, **options: object
) -> list[str]:
    printed = recording.print(f"prog.py:{line}", *expressions, **options)
    return [text_of(each).rstrip() for each in printed_lines(recording, printed, width)]


def test_a_table_has_call_round_time_and_values(record: Record) -> None:
    recording = record(PROGRAM).recording
    times = recording.asking.executions("prog.py:4").time.tolist()
    assert shown(recording, 4, "i", "total * 10") == [
        "prog.py:4  3 executions  total += i",
        "",
        "call  round  time  i  total * 10",
        f"  #2      1  {times[0]:>4}  0  0",
        f"  #2      2  {times[1]:>4}  1  0",
        f"  #2      3  {times[2]:>4}  2  10",
    ]


def test_without_a_loop_there_are_no_rounds(record: Record) -> None:
    assert shown(record(PROGRAM).recording, 5, "total")[2].split() == ["call", "time", "total"]


def test_reasons_are_given_once_below_the_table(record: Record) -> None:
    lines = shown(record(PROGRAM).recording, 4, "i.x", "zz")
    assert lines[-2:] == [
        "i.x: AttributeError: 'int' object has no attribute 'x' (3 times)",
        "zz: NameError: name 'zz' is not defined here (3 times)",
    ]


def test_notes_say_what_is_missing(record: Record) -> None:
    recording = record(PROGRAM).recording
    assert shown(recording, 4, "i", first=1)[-1] == "… 2 more"
    assert shown(recording, 4, "i", where="i > 0", first=1)[-1] == "… there may be more"
    assert (
        shown(recording, 4, "i", where="1 // i")[-1]
        == "left out once: the condition can't be evaluated there"
    )
    assert shown(recording, 4, "i", where="i > 9")[-1] == "the condition was never true"
    assert shown(recording, 9, "1")[-1] == "the line never ran"


def test_no_line_is_wider_than_the_screen(record: Record) -> None:
    recording = record(PROGRAM).recording
    for width in (60, 80, 120):
        lines = shown(recording, 4, "'x' * 200", "list(range(99))", "i", width=width)
        assert max(map(columns, lines)) <= width
