"""How many lines a question takes."""

from __future__ import annotations

from tests.present.conftest import Record
from tests.present.programs import EQUAL
from wrongcall.present.lines import text_of
from wrongcall.present.screens.reading import lines_to_read, shown_lines
from wrongcall.tree.costs import MOST_LINES


def test_a_long_list_is_asked_about_only_if_each_call_takes_one_line(record: Record) -> None:
    run = record(EQUAL.replace("(1, 2, 1, 1, 3, 2)", "range(20)"))
    trace = run.recording
    brief = tuple(call.id for call in run.calls("twice"))
    assert lines_to_read(trace, brief, True) == len(shown_lines(trace, brief, True)) == 23
    equal = tuple(call.id for call in run.calls("grown"))
    assert lines_to_read(trace, equal, True) < 10
    run = record(EQUAL.replace("grown([1, 2])", "grown([_])"))
    different = tuple(call.id for call in run.calls("grown"))
    assert lines_to_read(run.recording, different, True) == MOST_LINES
    assert lines_to_read(run.recording, different[:8], True) < 40


def test_one_call_has_the_lines_of_its_screen(record: Record) -> None:
    run = record(EQUAL)
    call = (run.calls("twice")[0].id,)
    lines = [text_of(line) for line in shown_lines(run.recording, call, is_list=False)]
    assert lines_to_read(run.recording, call, False) == len(lines) == 4
    assert lines[1:3] == ["  twice(x=1)", "  returned  2"]
