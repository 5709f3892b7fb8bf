from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.lines import text_of
from wrongcall.present.lists import call_list
from wrongcall.present.screens.reading import is_too_long, lines_to_read, shown_lines
from wrongcall.tree.reading import MOST_LINES

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


EQUAL = """
def twice(x):
    return 2 * x

def grown(xs):
    xs.append(len(xs))
    return xs

for x in (1, 2, 1, 1, 3, 2):
    twice(x)
for _ in range(12):
    grown([1, 2])
"""


def test_equal_calls_are_there_once_with_their_number(record: Record) -> None:
    run = record(EQUAL)
    calls = [call.id for call in run.calls("twice")]
    shown = call_list(run.trace, calls)
    assert [member.given[0].summary for member in shown.members] == ["1", "2", "3"]
    assert (shown.counts, shown.count) == ((3, 2, 1), 6)
    assert [member.call for member in shown.members] == [calls[0], calls[1], calls[4]]
    lines = [text_of(line) for line in shown_lines(run.trace, calls, is_list=True)]
    assert "  6 calls to f; judge each one" in lines
    assert f"  #{calls[0]} 3x twice(x=1) -> 2" in lines
    assert f"  #{calls[4]} twice(x=3) -> 6" in lines


def test_calls_with_other_effects_are_not_equal(record: Record) -> None:
    run = record(EQUAL.replace("grown([1, 2])", "grown([_])"))
    shown = call_list(run.trace, [call.id for call in run.calls("grown")])
    assert len(shown.members) == 12
    assert set(shown.counts) == {1}
    assert is_too_long(shown)


def test_a_long_list_is_asked_only_if_each_call_is_a_line(record: Record) -> None:
    run = record(EQUAL.replace("(1, 2, 1, 1, 3, 2)", "range(20)"))
    trace = run.trace
    brief = tuple(call.id for call in run.calls("twice"))
    assert lines_to_read(trace, brief, True) == len(shown_lines(trace, brief, True)) == 23
    equal = tuple(call.id for call in run.calls("grown"))
    assert lines_to_read(trace, equal, True) < 10
    run = record(EQUAL.replace("grown([1, 2])", "grown([_])"))
    different = tuple(call.id for call in run.calls("grown"))
    assert lines_to_read(run.trace, different, True) == MOST_LINES
    assert lines_to_read(run.trace, different[:8], True) < 40


def test_one_call_has_the_lines_of_its_screen(record: Record) -> None:
    run = record(EQUAL)
    call = (run.calls("twice")[0].id,)
    lines = [text_of(line) for line in shown_lines(run.trace, call, is_list=False)]
    assert lines_to_read(run.trace, call, False) == len(lines) == 4
    assert lines[1:3] == ["  twice(x=1)", "  returned  2"]
