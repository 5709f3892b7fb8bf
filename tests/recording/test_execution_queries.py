"""Queries about what calls executed."""

from __future__ import annotations

from tests.recording.small_run import SmallRun
from wrongcall.recording import StepKind


def test_a_call_ran_the_lines_of_its_blocks(small_run: SmallRun) -> None:
    assert small_run.recording.execution.lines(small_run.work) == [2, 3, 4, 5, 6]


def test_steps_come_in_the_order_of_the_program(small_run: SmallRun) -> None:
    steps = small_run.recording.execution.steps(small_run.work)
    ran = [step.line for step in steps if step.kind is StepKind.LINE]
    assert ran == [2, 3, 4, 3, 4, 3, 5, 6]
    written = [(step.place, step.value) for step in steps if step.kind is StepKind.WRITE]
    assert written == [("total", 0), ("x", 1), ("total", 1), ("x", 2), ("total", 3)]


def test_lines_tell_how_often_they_ran_and_what_they_wrote_last(small_run: SmallRun) -> None:
    told = small_run.recording.execution.line_activity(small_run.work, 1, 1, 6)
    assert told.counts[4] == 2
    assert [(step.place, step.value) for step in told.latest[4]] == [("total", 3)]


def test_blocks_are_those_that_steps_passed_through(small_run: SmallRun) -> None:
    blocks = [entry.block for entry in small_run.recording.execution.blocks(small_run.work)]
    lines = small_run.recording.call(small_run.work).function.blocks
    assert [lines[block][0] for block in blocks] == [2, 4, 4, 5]


def test_coverage_of_all_calls_is_that_of_each(small_run: SmallRun) -> None:
    execution = small_run.recording.execution
    covered = execution.covered()
    for call, number in zip(covered.call.tolist(), covered.class_of.tolist(), strict=True):
        assert covered.classes[number] == execution.coverage(call)
    chains = {(d.name, d.defined, d.used) for d in execution.coverage(small_run.work).def_uses}
    assert {("total", 2, 4), ("total", 4, 4), ("total", 4, 6), ("x", 3, 4)} <= chains


def test_calls_that_ended_were_not_stopped(small_run: SmallRun) -> None:
    assert small_run.recording.execution.stopped(small_run.work) is None
