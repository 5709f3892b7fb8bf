"""Queries that a question needs."""

from __future__ import annotations

from pathlib import Path

from tests.recording.small_run import SmallRun
from wrongcall.events import Start


def test_a_call_was_given_its_arguments(small_run: SmallRun) -> None:
    given = small_run.recording.questions.input(small_run.work)
    assert [(a.name, a.value) for a in given.args] == [("items", small_run.items)]


def test_a_call_that_wrote_to_nothing_older_has_no_effect(small_run: SmallRun) -> None:
    effect = small_run.recording.questions.effect(small_run.work)
    assert not effect
    until = small_run.recording.questions.effect_until(small_run.work, small_run.work)
    assert (until.objects, until.variables) == ((), ())


def test_what_was_printed_below_a_call_is_its_output(small_run: SmallRun) -> None:
    for call in (small_run.work, small_run.module):
        (printed,) = small_run.recording.questions.printed(call)
        assert printed.text == "3\n"


def test_processes_belong_to_the_calls_around_their_start(small_run: SmallRun) -> None:
    questions = small_run.recording.questions
    (process,) = questions.processes(small_run.module)
    assert (process.call, process.line, process.how) == (small_run.work, 5, Start.COMMAND)
    assert questions.processes() == [process]


def test_calls_that_did_the_same_have_the_same_key(small_run: SmallRun, tmp_path: Path) -> None:
    again = SmallRun(tmp_path)
    key = small_run.recording.questions.key
    assert again.recording.questions.key(again.work) == key(small_run.work)
    assert key(small_run.work) != key(small_run.module)
    again.recording.close()
