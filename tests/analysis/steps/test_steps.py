"""Steps made from columns, window by window, are those that are told one by one."""

from __future__ import annotations

import pytest

from tests.analysis.steps.checks import ALL, check
from tests.analysis.steps.slow_steps import is_rising
from tests.trace.conftest import Record
from wrongcall.analysis.steps.steps import StepColumns, Steps
from wrongcall.recording import CallStep


@pytest.mark.parametrize("name", ALL)
def test_windows_are_parts_of_the_whole(record: Record, name: str) -> None:
    recording = record(ALL[name]).recording
    for number in range(1, recording.calls.count + 1):
        check(recording, recording.call(number))


def test_steps_are_told_in_the_order_of_their_times_where_a_test_led_to_a_line_that_raised(
    record: Record,
) -> None:
    run = record(
        """\
        def f(x):
            try:
                if x:
                    y = int(x)
            except ValueError:
                return 1
        f("x")
        """
    )
    steps = run.recording.execution.steps(run.call("f").id)
    assert is_rising([step.time for step in steps])
    assert is_rising([step.time for step in steps.by_time()])
    assert sorted(map(repr, steps)) == sorted(map(repr, steps.by_time()))


def test_a_window_is_made_without_the_rest(record: Record) -> None:
    run = record(
        """\
        def f(n):
            total = 0
            for i in range(n):
                total += g(i)
            return total
        def g(i):
            return i
        f(3000)
        """
    )
    call = run.call("f")
    steps = run.recording.execution.steps(call.id)
    made: list[int] = []

    def make(some: StepColumns) -> list[CallStep]:
        made.append(len(some.time))
        return steps._make(some)

    watched = Steps(steps.columns, make, steps._latest)
    assert len(watched) > 10_000
    assert [step.kind for step in watched[5000:5004]] == [step.kind for step in steps[5000:5004]]
    assert made == [4]
    children = call.children
    assert len(children) == 3000
    assert [child.id for child in children[-2:]] == [children[2998].id, children[2999].id]
