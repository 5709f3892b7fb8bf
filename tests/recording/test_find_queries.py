"""Searches: values, exceptions, output, conditions. `test_value_search` compares with a slow search."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record
from wrongcall.errors import UsageError

PROGRAM = """\
class Empty(LookupError):
    pass

def get(d, key):
    if not d:
        raise Empty("nothing")
    return d[key]

def main():
    print("begin", end=" ")
    print("here")
    for d in ({}, {"a": -1}, {"a": 2}):
        for key in "ab":
            try:
                x = get(d, key)
            except LookupError as e:
                print("missing", key)
    return x

main()
"""


def test_exceptions_are_found_by_name_and_by_builtin_bases(record: Record) -> None:
    recording = record(PROGRAM).recording
    line = PROGRAM.splitlines().index("    return d[key]") + 1
    keys = list(recording.find("raised KeyError"))
    assert [(m.kind, m.line) for m in keys] == [("raised", line)] * 2
    assert [m.time for m in recording.find("raised LookupError")] == [m.time for m in keys]
    assert len(list(recording.find("raised Empty"))) == 2
    every = [m.time for m in recording.find("raised")]
    assert len(every) == 4
    assert [m.time for m in recording.find("raised", newest=True)] == every[::-1]
    assert list(recording.find("raised ValueError")) == []


def test_output_is_found_line_by_line(record: Record) -> None:
    recorded = record(PROGRAM)
    main = recorded.call("main")
    (found,) = recorded.recording.find("printed /begin here/")
    assert (found.text, found.call) == ("begin here", main.id)
    missing = [m.text for m in recorded.recording.find(r"printed /missing \w$/", newest=True)]
    assert missing == ["missing b", "missing b", "missing b", "missing a"]
    with pytest.raises(UsageError, match="not a regular expression"):
        list(recorded.recording.find("printed /(/"))


def test_values_are_found_in_calls_and_writes(record: Record) -> None:
    recording = record(PROGRAM).recording
    found = list(recording.find("value == -1"))
    assert [(m.kind, m.place) for m in found] == [("returned", ""), ("wrote", "x")]
    assert [m.kind for m in recording.find("value == -1", what="calls")] == ["returned"]
    assert [m.kind for m in recording.find("value == -1", what="writes")] == ["wrote"]
    with pytest.raises(UsageError, match="stands alone"):
        list(recording.find("value == key"))


def test_conditions_are_found_where_they_become_true(record: Record) -> None:
    recording = record(PROGRAM).recording
    found = list(recording.find("key == 'b' and 'a' in d"))
    assert {m.kind for m in found} == {"became true"}
    assert all(m.time >= 0 for m in found)
