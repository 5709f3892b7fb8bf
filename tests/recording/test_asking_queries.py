"""Expressions at a time and at lines, and where to go from a time."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record
from wrongcall.errors import UsageError

PROGRAM = """\
def add(xs, x):
    xs.append(x)
    return len(xs)

def main():
    xs = []
    for i in range(5):
        n = add(xs, i * i)
    return n

main()
"""


def test_a_time_has_a_call_a_line_and_variables(record: Record) -> None:
    recorded = record(PROGRAM)
    recording = recorded.recording
    third = recorded.calls("add")[2]
    at = recording.at(third.last)
    assert (at.call.id, at.line) == (third.id, 3)
    assert at.eval("xs").value == at.locals["xs"]
    assert at.eval("len(xs), x").value == (3, 4)
    assert recording.at(third.last, recorded.call("main").id).eval("i").value == 2
    with pytest.raises(UsageError, match="there is no time"):
        recording.at(10**9)
    with pytest.raises(UsageError, match="is not an expression"):
        at.eval("x +")


def test_a_call_sees_its_own_variables_alone(record: Record) -> None:
    recorded = record(PROGRAM)
    third = recorded.calls("add")[2]
    answer = recorded.recording.at(third.last).eval("i")
    assert answer.error == "NameError: name 'i' is not defined here"


def test_printed_rows_are_those_of_the_line(record: Record) -> None:
    recording = record(PROGRAM).recording
    printed = recording.print("prog.py:2", "x", "len(xs)")
    assert [[a.value for a in row.answers] for row in printed.rows] == [
        [0, 0], [1, 1], [4, 2], [9, 3], [16, 4],
    ]  # fmt: skip
    assert printed.to_columns()["x"] == [0, 1, 4, 9, 16]
    assert recording.print("prog.py:8", "i", below=recording.calls.count).total == 0


def test_a_line_of_nested_functions_on_one_line_has_the_rows_of_all(record: Record) -> None:
    recording = record("f = lambda x: x + 1\ng = [f(i) for i in range(3)]\n").recording
    times = [row.time for row in recording.print("prog.py:1", "x").rows]
    assert len(times) == 4
    assert times == sorted(times)


def test_the_next_and_previous_execution_of_a_line(record: Record) -> None:
    recording = record(PROGRAM).recording
    states = recording.asking.executions("prog.py:2").state.tolist()
    asking = recording.asking
    assert asking.next_execution("prog.py:2", 0) == states[0]
    assert asking.next_execution("prog.py:2", states[1]) == states[2]
    assert asking.previous_execution("prog.py:2", states[1]) == states[0]
    assert asking.previous_execution("prog.py:2", states[0]) is None
    assert asking.next_execution("prog.py:2", states[-1]) is None


def test_the_next_and_previous_time_a_condition_becomes_true(record: Record) -> None:
    recorded = record(PROGRAM)
    asking, main = recorded.recording.asking, recorded.call("main")
    found = asking.next_true("i == 3", main.entry)
    assert found is not None
    assert asking.eval("i == 3", main.id, found).value is True
    assert asking.eval("i", main.id, found - 1).value == 2
    assert asking.previous_true("i == 3", main.last) == found
    assert asking.next_true("i == 3", found) is None
    assert asking.next_true("i == 99", 0) is None


def test_the_next_and_previous_write_of_a_place(record: Record) -> None:
    recorded = record(PROGRAM)
    places, main = recorded.recording.places, recorded.call("main")
    first = places.next_write(main.id, "n", main.entry)
    assert first is not None
    assert recorded.recording.states.local(main.id, "n", first) == 1
    second = places.next_write(main.id, "n", first)
    assert second is not None
    assert recorded.recording.states.local(main.id, "n", second) == 2
    assert places.previous_write(main.id, "n", second) == first
    assert places.previous_write(main.id, "n", first) is None
    written = places.next_write(main.id, "xs[1]", main.last)
    assert written is None
    assert places.previous_write(main.id, "xs[1]", main.last) is not None


def test_truths_at_some_times(record: Record) -> None:
    recorded = record(PROGRAM)
    main = recorded.call("main")
    steps = recorded.recording.execution.steps(main.id)
    times = steps.state_times(main.entry)
    assert times.tolist() == [steps.state_time(n, main.entry) for n in range(len(steps))]
    truths = recorded.recording.asking.truths("n > 2", main.id, times)
    assert truths[0] is None
    assert truths[-1] is True
    assert False in truths
