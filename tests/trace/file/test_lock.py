"""Who works on a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wrongcall.errors import TraceBusyError, TraceError
from wrongcall.trace.file.lock import (
    DebuggerLock,
    RecorderLock,
    is_recorded,
    take_recorder_lock,
)

HELD = """
import sys
from pathlib import Path
from wrongcall.trace.file.lock import DebuggerLock
with DebuggerLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_debugger_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.touch()
    with DebuggerLock(path), pytest.raises(TraceBusyError, match="another debugger"):
        DebuggerLock(path)
    DebuggerLock(path).release()


def test_a_lock_is_gone_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.touch()
    held = subprocess.Popen(
        [sys.executable, "-c", HELD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert held.stdout is not None
    assert held.stdin is not None
    assert held.stdout.readline() == "held\n"
    with pytest.raises(TraceBusyError):
        DebuggerLock(path)
    held.kill()
    held.wait()
    held.stdout.close()
    held.stdin.close()
    DebuggerLock(path).release()


def test_releasing_twice_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.touch()
    lock = DebuggerLock(path)
    lock.release()
    other = os.open(path, os.O_RDONLY)  # gets the number that is free now
    lock.release()
    os.fstat(other)
    os.close(other)


def test_a_recorder_makes_its_file_and_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lock = RecorderLock(path)
    reading = os.open(path, os.O_RDWR)
    assert is_recorded(reading)
    with pytest.raises(TraceBusyError, match="another program is being recorded"):
        take_recorder_lock(reading, path)
    lock.release()
    assert not is_recorded(reading)
    take_recorder_lock(reading, path)
    os.close(reading)


def test_debugger_and_recorder_do_not_keep_each_other_away(tmp_path: Path) -> None:
    path = tmp_path / "t"
    lock = RecorderLock(path)
    with DebuggerLock(path):
        reading = os.open(path, os.O_RDONLY)
        assert is_recorded(reading)
        os.close(reading)
    lock.release()


def test_a_recorder_takes_no_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("mine")
    with pytest.raises(TraceBusyError, match="just created this file"):
        RecorderLock(path)
    assert path.read_text() == "mine"
    with pytest.raises(TraceError, match="No such file"):
        RecorderLock(tmp_path / "no folder" / "t")
