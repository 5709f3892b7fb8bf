"""Queries that a question needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recording.conftest import Record
from tests.recording.small_run import SmallRun
from wrongcall.analysis.effects.effects import Effect, Effects
from wrongcall.events import Start
from wrongcall.recording import Call


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


def test_what_a_call_was_given_and_did_is_found_out_once(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = record(
        """
        def fill(items, n):
            items.append(n)
            return n

        items = []
        for n in range(20):
            fill(items, n)
        """
    )
    fills = [call.id for call in run.calls("fill")]
    expected = {}
    for call in fills:
        with wrongcall.recording.open(run.recording.path) as alone:
            expected[call] = alone.questions.input(call), alone.questions.effect(call)
    compared: list[int] = []
    compare = Effects.of
    with wrongcall.recording.open(run.recording.path) as opened:

        def counted(effects: Effects, call: Call, *more: Any) -> Effect:
            compared.append(call.id)
            return compare(effects, call, *more)

        monkeypatch.setattr(Effects, "of", counted)
        questions = opened.questions
        for call in fills:
            for _ in range(3):
                given = questions.input(call)
                assert (given, questions.effect(call, given)) == expected[call]
                assert questions.effect(call) == expected[call][1]
        assert compared == fills
        # Only the last few are kept.
        assert questions.effect(fills[0]) == expected[fills[0]][1]
        assert compared == [*fills, fills[0]]
        # Another input than the call's own counts.
        other = replace(questions.input(fills[1]), time=expected[fills[0]][0].time)
        assert questions.effect(fills[1], other) != expected[fills[1]][1]
