"""What a walk pauses at, compared with going through all lines one by one."""

from __future__ import annotations

import pytest

from tests.analysis.asking.random_programs import random_program
from tests.recorder.conftest import Record
from wrongcall.analysis.walking.stops import Stop
from wrongcall.errors import UsageError
from wrongcall.recording import Pauses, Recording, pause_queries
from wrongcall.recording.pause_queries import parse_count


def walked(recording: Recording) -> list[Stop]:
    found, stop = [], recording.walk.first()
    while stop is not None:
        found.append(stop)
        stop = recording.walk.step_in(stop)
    return found


def forward(recording: Recording, pauses: Pauses) -> list[Stop]:
    found, stop = [], pauses.next(Stop(0, -1, 0, -1, -1))
    while stop is not None:
        found.append(stop)
        stop = pauses.next(stop)
    return found


def backward(recording: Recording, pauses: Pauses) -> list[Stop]:
    last = recording.walk.last()
    assert last is not None
    found, stop = [], pauses.previous(last)
    while stop is not None:
        found.append(stop)
        stop = pauses.previous(stop)
    return found[::-1]


@pytest.mark.parametrize("sorted_calls", [2000, 0])
@pytest.mark.parametrize("seed", [3, 4])
def test_pauses_at_a_line_are_its_stops_in_both_directions(
    record: Record, monkeypatch: pytest.MonkeyPatch, seed: int, sorted_calls: int
) -> None:
    """Also where stops are made on demand, for lines that resume nothing."""
    monkeypatch.setattr(pause_queries, "MAX_SORTED_CALLS", sorted_calls)
    program = random_program(seed)
    recording = record(program.text).recording
    stops = walked(recording)
    wanted = [n for n in program.asked if sorted_calls or "each(" not in program.lines[n - 1]]
    compared = 0
    for line in wanted:
        expected = [stop for stop in stops if stop.line == line]
        pauses = recording.pauses.at_line(f"prog.py:{line}")
        assert forward(recording, pauses) == expected
        assert backward(recording, pauses) == expected
        compared += len(expected)
    assert compared > 30


RECURSIVE = """\
def walk(depth):
    if depth:
        for one in walk(depth - 1):
            yield one
        yield depth

def main():
    table = {}
    for n in walk(4):
        table[n] = n
    table[1] = "x"
    try:
        int("y")
    except ValueError:
        pass
    return table

main()
"""


def test_lines_that_resume_generators_pause_in_order(record: Record) -> None:
    recording = record(RECURSIVE).recording
    stops = walked(recording)
    for line in (2, 3, 4, 5, 9, 10):
        expected = [stop for stop in stops if stop.line == line]
        pauses = recording.pauses.at_line(f"prog.py:{line}")
        assert forward(recording, pauses) == expected
        assert backward(recording, pauses) == expected


def test_pauses_at_a_function_are_the_first_lines_of_its_calls(record: Record) -> None:
    recording = record(RECURSIVE).recording
    expected = [stop for stop in walked(recording) if stop.line == 2]
    pauses = recording.pauses.at_function("walk")
    assert forward(recording, pauses) == expected
    with pytest.raises(UsageError, match="no recorded function is called 'fly'"):
        recording.pauses.at_function("fly")


def test_pauses_at_writes_have_each_new_value(record: Record) -> None:
    recorded = record(RECURSIVE)
    recording, main = recorded.recording, recorded.call("main")
    pauses = recording.pauses.at_writes(main.id, "table[1]", main.last)
    stops = forward(recording, pauses)
    assert [stop.line for stop in stops] == [10, 11]
    values = [recording.asking.eval("table[1]", main.id, stop.state).value for stop in stops]
    assert values == [1, "x"]
    assert backward(recording, pauses) == stops


def test_pauses_at_exceptions_are_where_they_were_raised(record: Record) -> None:
    recording = record(f"{RECURSIVE}[][1]\n", status=1).recording
    every = forward(recording, recording.pauses.at_exceptions(uncaught=False))
    assert [stop.line for stop in every] == [13, 19]
    uncaught = forward(recording, recording.pauses.at_exceptions(uncaught=True))
    assert [stop.line for stop in uncaught] == [19]
    named = recording.pauses.at_exceptions(uncaught=False, names=["ValueError"])
    assert [stop.line for stop in forward(recording, named)] == [13]


def test_conditions_and_counts_select(record: Record) -> None:
    recording = record(RECURSIVE).recording

    def depths(condition: str, count: str) -> list[object]:
        pauses = recording.pauses.at_line("prog.py:2", condition, count)
        assert forward(recording, pauses) == backward(recording, pauses)
        found = forward(recording, pauses)
        return [recording.asking.eval("depth", stop.call, stop.state).value for stop in found]

    assert depths("", "") == [4, 3, 2, 1, 0]
    assert depths("depth % 2", "") == [3, 1]
    assert depths("depth < 3", "2") == [1]
    pauses = recording.pauses.at_line("prog.py:2", "nothing > 1")
    assert forward(recording, pauses) == []
    assert pauses.undecided == 5


def test_a_search_can_be_ended(record: Record) -> None:
    recording = record(RECURSIVE).recording
    pauses = recording.pauses.at_line("prog.py:2", "depth == 9")

    def refuse() -> None:
        raise UsageError("enough")

    pauses.check = refuse
    with pytest.raises(UsageError, match="enough"):
        forward(recording, pauses)


@pytest.mark.parametrize("text", ["", "x", "% 0", "1.5", "=> 3"])
def test_what_is_no_count_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="is not a hit count"):
        parse_count(text)
