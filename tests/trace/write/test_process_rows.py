"""The table of processes follows from the events that tell of them."""

from __future__ import annotations

import os
import signal

import pytest

from wrongcall.events import Kind, Start, Tag
from wrongcall.trace.format.program_tables import RecordedProcess
from wrongcall.trace.write.batch import OtherEvent
from wrongcall.trace.write.process_rows import STOPPED, ProcessRows, exit_words


def told(how: int, *, obj: int = 0, by: int = 1, call: int = 0, value: int = 0) -> OtherEvent:
    return OtherEvent(0, Kind.PROCESS, Tag.INT, call, obj, how | by << 32, value, 0, 0)


def test_a_process_is_started_begins_and_ends() -> None:
    rows = ProcessRows()
    assert rows.note(told(Start.FORKED, obj=2, call=7), 40) == 2
    assert rows.note(told(Start.BEGUN, obj=2, value=1234), 41) == 2
    assert rows.note(told(Start.ENDED, value=1234 | 9 << 32), 42) == 2
    assert rows.rows == {2: RecordedProcess(2, 1234, 1, 7, Start.FORKED, 40, "signal 9")}


def test_a_process_that_no_call_started_belongs_to_the_call_that_started_its_parent() -> None:
    rows = ProcessRows()
    rows.note(told(Start.COMMAND, obj=2, call=7), 40)
    rows.note(told(Start.FORKED, obj=3, by=2), 41)
    assert (rows.rows[3].call, rows.rows[3].parent) == (7, 2)


def test_what_it_says_itself_does_not_replace_what_waiting_told() -> None:
    rows = ProcessRows()
    rows.note(told(Start.FORKED, obj=2), 0)
    rows.began(2, 5)
    rows.note(told(Start.ENDED, value=5 | 3 << 40), 1)
    assert rows.ended(2, "gone").ended == "exit 3"
    assert rows.ended(4, "gone").ended == "gone"
    assert rows.ended(2, f"{STOPPED}: no memory").ended == f"exit 3; {STOPPED}: no memory"


def test_of_two_processes_with_the_same_number_the_later_one_has_ended() -> None:
    rows = ProcessRows()
    for number in (2, 3):
        rows.note(told(Start.FORKED, obj=number), 0)
        rows.began(number, 5)
    assert rows.note(told(Start.ENDED, value=5), 1) == 3
    assert (rows.rows[2].ended, rows.rows[3].ended) == ("", "exit 0")


@pytest.mark.parametrize("status", [signal.SIGSTOP << 8 | 0x7F, 0xFFFF])
def test_a_process_that_was_stopped_or_continued_has_not_ended(status: int) -> None:
    assert os.WIFSTOPPED(status) or os.WIFCONTINUED(status)
    rows = ProcessRows()
    rows.note(told(Start.FORKED, obj=2), 0)
    rows.began(2, 5)
    assert rows.note(told(Start.ENDED, value=5 | status << 32), 1) == 0
    assert rows.rows[2].ended == ""


def test_unrecorded_processes_have_no_row_and_are_counted() -> None:
    rows = ProcessRows()
    assert rows.note(told(Start.COMMAND), 0) == 0
    assert rows.note(told(Start.ENDED, value=99), 0) == 0
    assert (rows.rows, rows.unrecorded) == ({}, 1)


def test_a_module_of_a_forked_process_is_not_a_start() -> None:
    event = told(Start.FORKED, obj=2)._replace(ktag=Tag.NAME)
    assert ProcessRows().note(event, 0) == 0


def test_a_status_in_words() -> None:
    assert [exit_words(status) for status in (0, 3 << 8, 9, 11 | 0x80)] == [
        "exit 0", "exit 3", "signal 9", "signal 11",
    ]  # fmt: skip
