from __future__ import annotations

import pytest

from tests.present.conftest import Record
from tests.present.programs import EQUAL
from wrongcall.present.lines import text_of
from wrongcall.present.lists import call_list
from wrongcall.present.screens.reading import is_too_long, shown_lines

PROGRAM = """
RATE = 2
turn = 0

def value(x):
    return x * RATE + turn

def all_of(xs):
    global turn
    found = []
    for x in xs:
        found.append(value(x))
        turn += 10
    return found

all_of([1, 2, 3])
"""


def test_every_call_of_a_list_is_shown_separately(record: Record) -> None:
    run = record(PROGRAM)
    calls = [call.id for call in run.calls("value")]
    shown = call_list(run.recording, calls)
    assert [member.call for member in shown.members] == calls
    assert [member.given[0].summary for member in shown.members] == ["1", "2", "3"]
    produced = [member.produced.summary for member in shown.members if member.produced]
    assert produced == ["2", "14", "26"]
    # What their caller did between them is the effect of none.
    assert all(not member.changed for member in shown.members)
    assert shown.where.function == "value"


def test_globals_read_by_all_calls_are_shown_once(record: Record) -> None:
    run = record(PROGRAM)
    shown = call_list(run.recording, [call.id for call in run.calls("value")])
    assert [(node.label, node.summary) for node in shown.read] == [("RATE", "2")]
    assert [[(n.label, n.summary) for n in member.read] for member in shown.members] == [
        [("turn", "0")],
        [("turn", "10")],
        [("turn", "20")],
    ]


def test_globals_read_by_some_calls_are_shown_once_too(record: Record) -> None:
    run = record(PROGRAM.replace("return x * RATE + turn", "return x if x == 2 else x * RATE"))
    shown = call_list(run.recording, [call.id for call in run.calls("value")])
    assert [node.label for node in shown.read] == ["RATE"]
    assert [member.read for member in shown.members] == [(), (), ()]


def test_equal_calls_are_shown_once_with_their_count(record: Record) -> None:
    run = record(EQUAL)
    calls = [call.id for call in run.calls("twice")]
    shown = call_list(run.recording, calls)
    assert [member.given[0].summary for member in shown.members] == ["1", "2", "3"]
    assert (shown.counts, shown.count) == ((3, 2, 1), 6)
    assert [member.call for member in shown.members] == [calls[0], calls[1], calls[4]]
    lines = [text_of(line) for line in shown_lines(run.recording, calls, is_list=True)]
    assert "  6 calls to f; judge each one" in lines
    assert f"  #{calls[0]} 3x twice(x=1) -> 2" in lines
    assert f"  #{calls[4]} twice(x=3) -> 6" in lines


def test_calls_with_other_effects_are_not_equal(record: Record) -> None:
    run = record(EQUAL.replace("grown([1, 2])", "grown([_])"))
    shown = call_list(run.recording, [call.id for call in run.calls("grown")])
    assert len(shown.members) == 12
    assert set(shown.counts) == {1}
    assert is_too_long(shown)


def test_keys_are_made_only_of_calls_that_look_alike(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = record(EQUAL)
    calls = [call.id for call in run.calls("twice")]
    made, key = [], run.recording.questions.key

    def noted(call: int) -> bytes:
        made.append(call)
        return key(call)

    monkeypatch.setattr(run.recording.questions, "key", noted)
    shown = call_list(run.recording, calls)
    assert shown.counts == (3, 2, 1)
    assert calls[4] not in made
    assert set(made) == set(calls) - {calls[4]}
