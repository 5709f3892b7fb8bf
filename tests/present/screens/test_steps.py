"""Steps of a call, each on one line."""

from __future__ import annotations

from tests.recorder.conftest import Record
from wrongcall.present.lines import text_of
from wrongcall.present.screens.steps import step_line
from wrongcall.recording import StepKind

PROGRAM = """
def half(number):
    if number is None:
        raise ValueError("no number")
    return number // 2

def work(things):
    first = things[0]
    if first > 3:
        del things[0]
    try:
        half(None)
    except ValueError:
        pass
    return half(first)

work([8, 5])
"""


def test_each_kind_of_step_says_what_happened(record: Record) -> None:
    run = record(PROGRAM)
    (call,) = run.calls("work")
    wrong, right = run.calls("half")
    steps = run.recording.execution.steps(call.id)
    lines = [
        text_of(step_line(run.recording, step, 80))
        for step in steps
        if step.kind is not StepKind.LINE
    ]
    error = "ValueError('no number')"
    assert lines == [
        "things = [8, 5]",
        "first = 8",
        "line 9 is true",
        "del things[0]",
        f"#{wrong.id} half(number=None) raised {error}",
        f"caught {error}",
        f"#{right.id} half(number=8) -> 4",
        "return 4",
    ]


def test_a_step_fits_the_line(record: Record) -> None:
    run = record("def f(text):\n    long = text * 50\nf('abc ')\n")
    (call,) = run.calls("f")
    write = next(
        step for step in run.recording.execution.steps(call.id) if step.kind is StepKind.WRITE
    )
    shown = text_of(step_line(run.recording, write, 50))
    assert shown.startswith("long = 'abc abc ")
    assert len(shown) <= 50
