"""Processes that calls started."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects.processes import Process
from wrongcall.events import SITE_LINE, Kind, SiteKind, Start, Tag

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.CALL, 1, 7)]
CALL = 2
HELPER = "python -c from multiprocessing.resource_tracker import main;main(5)"


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file([{}], SITES)
    return emitter


def _start(emitter: Emitter, call: int, command: str, site: int = CALL) -> int:
    value = emitter.value(command)
    return emitter.event(
        Kind.PROCESS, call=call, site=site, key=(Tag.INT, Start.COMMAND), value=value
    )


def test_processes_count_for_every_call_around_them(emitter: Emitter, tmp_path: Path) -> None:
    outer = emitter.enter(1)
    first = emitter.enter(1, outer, CALL)
    inner = emitter.enter(1, first, CALL)
    started = _start(emitter, inner, "ls -l")
    emitter.leave(inner)
    emitter.leave(first)
    second = emitter.enter(1, outer, CALL)
    other = _start(emitter, second, "a command of more than eight bytes", SITE_LINE | 30)
    emitter.leave(second)
    emitter.leave(outer)
    ls = Process(started, inner, 7, Start.COMMAND, "ls -l")
    long = Process(other, second, 30, Start.COMMAND, "a command of more than eight bytes")
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.questions.processes() == [ls, long]
        assert recording.questions.processes(first) == [ls]
        assert recording.questions.processes(second) == [long]
        assert recording.questions.processes(outer) == [ls, long]
        assert recording.questions.processes(first, until=second) == [ls, long]


def test_processes_that_no_call_started_belong_to_none(emitter: Emitter, tmp_path: Path) -> None:
    call = emitter.enter(1)
    _start(emitter, 0, "daemon", site=0)
    emitter.leave(call)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        (found,) = recording.questions.processes()
        assert (found.call, found.line, found.command) == (0, 0, "daemon")


def test_helper_processes_of_multiprocessing_are_left_out(emitter: Emitter, tmp_path: Path) -> None:
    call = emitter.enter(1)
    _start(emitter, call, HELPER)
    emitter.leave(call)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.questions.processes() == recording.questions.processes(call) == []


def test_a_clipped_command_shows_its_beginning(emitter: Emitter, tmp_path: Path) -> None:
    call = emitter.enter(1)
    value = emitter.content(Tag.STR, b"python " + b"x" * 20, length=5000)
    emitter.event(Kind.PROCESS, call=call, key=(Tag.INT, Start.COMMAND), value=value)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.questions.processes()[0].command == "python " + "x" * 20
