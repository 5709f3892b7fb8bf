"""The search for values: it finds what looking at every event one by one finds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.recorder.conftest import Record
from wrongcall.events import Kind
from wrongcall.recording import Recording, Ref

PROGRAM = """\
import enum

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

class Node:
    def __init__(self, value):
        self.value = value

def f(n):
    xs = []
    for i in range(n):
        xs.append(i % 4 - 1)
        node = Node(i / 2)
        text = "a" * i
    return xs[-1]

def g(level):
    flag = level == 1
    big = 10 ** 30
    return level

for k in range(6):
    f(k + 1)
g(Level.LOW)
g(Level.HIGH)
"""

WRITES = {Kind.LOCAL, Kind.ATTR, Kind.ITEM, Kind.INSERT, Kind.ENTRY}


def slowly(recording: Recording, holds: Any) -> list[int]:
    """Return when a value that satisfies something was written or returned, event by event."""
    found = []
    events = recording.events.between()
    for time, event in enumerate(events):
        kind, values = int(event["kind"]), recording.states.values
        if kind not in WRITES and kind != Kind.RETURN:
            continue
        value: Any = values.read(int(event["vtag"]), int(event["value"]))
        if isinstance(value, Ref):
            value = recording.states.state(value.oid, time).attrs.get("__value__", value)
        try:
            if holds(value):
                found.append(time)
        except TypeError:
            continue
    return found


@pytest.mark.parametrize(
    "text,holds",
    [
        ("value == -1", lambda v: v == -1),
        ("value == 1", lambda v: v == 1),
        ("1 == value", lambda v: v == 1),
        ("value == 1.0", lambda v: v == 1),
        ("value == 0", lambda v: v == 0),
        ("value == 'aaa'", lambda v: v == "aaa"),
        ("value == None", lambda v: v is None),
        ("value == True", lambda v: v == 1),
        ("value == 10 ** 30", lambda v: v == 10**30),
        ("value == 1.5", lambda v: v == 1.5),
        ("value > 1", lambda v: v > 1),
        ("value == ''", lambda v: v == ""),
    ],
)
@pytest.mark.parametrize("newest", [False, True])
def test_the_same_events_are_found_as_one_by_one(
    record: Record, text: str, holds: Any, newest: bool
) -> None:
    recording = record(PROGRAM).recording
    expected = slowly(recording, holds)
    found = [match.time for match in recording.find(text, newest=newest)]
    assert found == (expected[::-1] if newest else expected)
    assert expected


def test_objects_are_looked_at_as_they_were(record: Record) -> None:
    recording = record(
        "def f():\n    xs = [1, 2, 3]\n    xs.clear()\n    ys = xs\n    return [0] * 9\nf()\n"
    ).recording
    found = list(recording.find("len(value) > 2"))
    assert [(m.kind, m.place, m.line) for m in found] == [("wrote", "xs", 2), ("returned", "", 5)]
