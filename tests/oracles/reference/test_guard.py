"""What repeated calls may do, and what is noted."""

from __future__ import annotations

import datetime
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wrongcall.oracles.reference.causes import UnanswerableError
from wrongcall.oracles.reference.guard import Guard, Mode


@pytest.fixture
def guard(tmp_path: Path) -> Guard:
    """A guard that nobody tells anything but the test: hooks can't be removed."""
    (tmp_path / "program").mkdir()
    guard = Guard((str(tmp_path / "here"),), (str(tmp_path / "program"),))
    guard.mode = Mode.CALLING
    return guard


@pytest.mark.parametrize(
    "event, args",
    [
        ("socket.connect", (None, ("localhost", 80))),
        ("socket.getaddrinfo", ("example.org", 80, 0, 0, 0)),
        ("subprocess.Popen", ("ls", ["ls"], None, None)),
        ("os.system", (b"ls",)),
        ("os.fork", ()),
        ("open", ("/elsewhere/x", "w", os.O_WRONLY)),
        ("open", (b"/elsewhere/x", None, os.O_RDWR | os.O_CREAT)),
        ("os.remove", ("/elsewhere/x", -1)),
        ("shutil.rmtree", ("/elsewhere", None)),
        ("sqlite3.connect", ("/elsewhere/x.db",)),
        ("builtins.input", ("?",)),
    ],
)
def test_what_reaches_outside_is_stopped(guard: Guard, event: str, args: tuple[Any, ...]) -> None:
    with pytest.raises(UnanswerableError):
        guard.told(event, args)
    assert len(guard.decisive) == 1


def test_a_path_that_leads_out_of_the_folder_is_outside(guard: Guard, tmp_path: Path) -> None:
    with pytest.raises(UnanswerableError):
        guard.told("open", (str(tmp_path / "here" / ".." / "x"), "w", os.O_WRONLY))


def test_writing_where_it_is_allowed_is_noted(guard: Guard, tmp_path: Path) -> None:
    guard.told("open", (str(tmp_path / "here" / "x"), "w", os.O_WRONLY | os.O_CREAT))
    assert guard.decisive == ["it writes files"]


def test_reading_is_noted_unless_the_file_is_part_of_the_program(
    guard: Guard, tmp_path: Path
) -> None:
    data = tmp_path / "program" / "data.json"
    data.write_text("{}")
    guard.told("open", (str(data), "r", os.O_RDONLY))
    assert not guard.read
    for path in ("/etc/hosts", str(data.with_name("made-by-the-run.txt"))):
        guard.told("open", (path, "r", os.O_RDONLY))
        assert guard.read.pop() == f"it reads {path}"


def test_other_things_are_not_noted(guard: Guard) -> None:
    for event, args in (
        ("socket.__new__", (None, 1, 1, 0)),  # as an event loop makes
        ("sqlite3.connect", (":memory:",)),
        ("open", (3, "w", os.O_WRONLY)),
        ("open", (os.devnull, "w", os.O_WRONLY)),
        ("import", ("json", None, None, None, None)),
    ):
        guard.told(event, args)
    assert not guard.decisive
    assert not guard.read


def test_while_it_is_off_nothing_is_stopped(guard: Guard) -> None:
    guard.mode = Mode.OFF
    guard.told("os.fork", ())
    assert not guard.decisive


@pytest.mark.parametrize(
    "run, noted",
    [
        (lambda: time.time(), "it reads the clock"),
        (lambda: datetime.datetime.now(), "it reads the clock"),
        (lambda: random.random(), "it depends on chance"),
        (lambda: random.choice([1, 2]), "it depends on chance"),
        (lambda: random.Random(), "it depends on chance"),
        (lambda: os.environ.get("HOME"), "it reads the environment"),
        (lambda: Path("/x").exists(), "it calls os.stat"),
        (lambda: random.Random(5).random(), None),
        (lambda: datetime.date(2024, 1, 1).isoformat(), None),
    ],
)
def test_the_clock_chance_and_the_environment_are_watched_for(
    guard: Guard, run: Callable[[], Any], noted: str | None
) -> None:
    with guard.watching():
        run()
    assert guard.read[:1] == ([noted] if noted else [])
