from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.lists import call_list

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


def test_every_call_stands_by_itself(record: Record) -> None:
    run = record(PROGRAM)
    calls = [call.id for call in run.calls("value")]
    shown = call_list(run.trace, calls)
    assert [member.call for member in shown.members] == calls
    assert [member.given[0].summary for member in shown.members] == ["1", "2", "3"]
    produced = [member.produced.summary for member in shown.members if member.produced]
    assert produced == ["2", "14", "26"]
    # What their caller did between them is the effect of none.
    assert all(not member.changed for member in shown.members)
    assert shown.where.function == "value"


def test_what_all_of_them_read_is_said_once(record: Record) -> None:
    run = record(PROGRAM)
    shown = call_list(run.trace, [call.id for call in run.calls("value")])
    assert [(node.label, node.summary) for node in shown.read] == [("RATE", "2")]
    assert [[(n.label, n.summary) for n in member.read] for member in shown.members] == [
        [("turn", "0")],
        [("turn", "10")],
        [("turn", "20")],
    ]


def test_what_some_do_not_read_is_said_once_as_well(record: Record) -> None:
    run = record(PROGRAM.replace("return x * RATE + turn", "return x if x == 2 else x * RATE"))
    shown = call_list(run.trace, [call.id for call in run.calls("value")])
    assert [node.label for node in shown.read] == ["RATE"]
    assert [member.read for member in shown.members] == [(), (), ()]
