"""Source with what happened in it."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present import columns, excerpt
from wrongcall.present.excerpts import VALUES


def test_source_with_executed_lines_and_values(record: Record) -> None:
    run = record(
        """
        def f(n):
            if n > 5:
                return "big\\t"
            total = 0
            for i in range(n):
                total += i
            return total

        f(3)
        """
    )
    shown = excerpt(run.recording, run.call("f").id, marked=7)
    assert [line.number for line in shown.lines] == [2, 3, 4, 5, 6, 7, 8]
    executed = {line.number: line.executed for line in shown.lines}
    assert (executed[3], executed[4], executed[7], executed[8]) == (1, 0, 3, 1)
    values = {line.number: line.values for line in shown.lines}
    assert values[2] == ("n = 3",)
    assert values[7] == ("total = 3",)
    assert [line.number for line in shown.lines if line.marked] == [7]
    near = excerpt(run.recording, run.call("f").id, marked=7, around=1)
    assert [line.number for line in near.lines] == [6, 7, 8]


LONG = """
class Box:
    def fill(self, n):
        for i in range(n):
            self.x = i
        name = "\\x1b[2J"
        return self

Box().fill(9)
"""


def test_the_last_values_of_a_line_are_shown_and_are_safe(record: Record) -> None:
    run = record(LONG)
    lines = {line.number: line for line in excerpt(run.recording, run.call("Box.fill").id).lines}
    assert lines[5].values[-1] == "self.x = 8"
    assert len(lines[5].values) <= VALUES
    assert lines[5].executed == 9
    (value,) = lines[6].values
    assert value == r"name = '\x1b[2J'"


def test_with_steps_only_what_has_happened_so_far_is_shown(record: Record) -> None:
    run = record(LONG)
    call = run.call("Box.fill").id
    steps = run.recording.execution.steps(call)
    first = next(step.time for step in steps if step.line == 5)
    shown = excerpt(run.recording, call, steps=steps.until(first))
    executed = {line.number: line.executed for line in shown.lines}
    assert executed[5] <= 1
    assert executed[6] == 0


def test_more_lines_can_be_marked_and_those_around_end_with_the_function(record: Record) -> None:
    run = record(LONG)
    shown = excerpt(run.recording, run.call("Box.fill").id, marked=7, also=(4,), around=100)
    assert [line.number for line in shown.lines] == [3, 4, 5, 6, 7]
    assert [line.number for line in shown.lines if line.marked] == [4, 7]
    assert shown.file == "prog.py"


def test_values_are_cut_to_a_width(record: Record) -> None:
    run = record("def f(text):\n    again = text\n    return again\nf('x' * 500)\n")
    shown = excerpt(run.recording, run.call("f").id, width=20)
    for line in shown.lines:
        for value in line.values:
            assert columns(value) <= 20 + len("again = ")


def test_a_module_body_is_shown_to_the_end_of_its_file(record: Record) -> None:
    run = record("x = 1\n\ny = 2\n")
    shown = [line.text for line in excerpt(run.recording, 1).lines]
    assert shown[:3] == ["x = 1", "", "y = 2"]
    assert not any(shown[3:])
