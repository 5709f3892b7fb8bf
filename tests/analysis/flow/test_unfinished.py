"""Where calls were that had not ended when the trace did."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.analysis.flow.unfinished import Pause, Stopped
from wrongcall.events import Kind, SiteKind
from wrongcall.recording import Recording

SITES = [
    (SiteKind.ENTRY, 1, 1),
    (SiteKind.WRITE, 1, 4, "x"),
    (SiteKind.CALL, 1, 5),
    (SiteKind.ENTRY, 2, 20),
    (SiteKind.YIELD, 2, 22),
]
WRITE, CALL, GENERATOR, YIELD = 2, 3, 4, 5


@pytest.fixture
def run() -> Emitter:
    emitter = Emitter()
    generator = {"qualname": "g", "kind": "generator", "entry": GENERATOR, "line": 20}
    emitter.file([{}, generator], SITES)
    return emitter


def _stopped(run: Emitter, folder: Path, call: int = 1) -> Stopped | None:
    with run.open(folder / "t.wrongcall") as recording:
        assert isinstance(recording, Recording)
        return recording.execution.stopped(call)


def test_a_call_that_ended_was_not_stopped(run: Emitter, tmp_path: Path) -> None:
    run.leave(run.enter(1))
    assert _stopped(run, tmp_path) is None


def test_a_function_was_running_at_the_line_last_seen(run: Emitter, tmp_path: Path) -> None:
    run.local(run.enter(1), WRITE, 0)
    run.new("list")  # belongs to no call
    assert _stopped(run, tmp_path) == Stopped(Pause.RUNNING, 4, 0)


def test_a_function_waited_for_the_call_that_had_not_ended(run: Emitter, tmp_path: Path) -> None:
    outer = run.enter(1)
    run.leave(run.enter(1, outer, WRITE))
    inner = run.enter(1, outer, CALL)
    run.enter(1, outer, WRITE, thread=2)
    assert _stopped(run, tmp_path) == Stopped(Pause.RUNNING, 5, inner)


def test_a_generator_that_was_never_asked_had_not_started(run: Emitter, tmp_path: Path) -> None:
    run.enter(GENERATOR, kind=Kind.CREATE)
    found = _stopped(run, tmp_path)
    assert found is not None
    assert found.pause is Pause.NOT_STARTED


@pytest.mark.parametrize(
    "last, pause", [(Kind.YIELD, Pause.SUSPENDED), (Kind.RESUME, Pause.UNKNOWN)]
)
def test_a_generator_is_suspended_at_the_yield_that_came_last(
    run: Emitter, tmp_path: Path, last: Kind, pause: Pause
) -> None:
    call = run.enter(GENERATOR, kind=Kind.CREATE)
    run.event(Kind.START, call=call)
    run.event(last, site=YIELD, call=call)
    assert _stopped(run, tmp_path) == Stopped(pause, 22, 0)


def test_a_caller_does_not_wait_for_a_generator_that_it_made(run: Emitter, tmp_path: Path) -> None:
    outer = run.enter(1)
    run.local(outer, WRITE, 0)
    run.enter(GENERATOR, outer, CALL, kind=Kind.CREATE)
    assert _stopped(run, tmp_path) == Stopped(Pause.RUNNING, 4, 0)
