"""What the parent is told, whatever becomes of the child."""

from __future__ import annotations

import os
import signal
import time

from wrongcall.oracles.reference.causes import Cause
from wrongcall.oracles.reference.worker import _told, _until


def test_a_child_that_takes_too_long() -> None:
    reading, writing = os.pipe()
    try:
        assert _until(reading, time.monotonic() - 1) is None
    finally:
        os.close(reading)
        os.close(writing)
    assert _told(None, 9, 5.0)["cause"] == Cause.LIMIT


def test_a_child_that_crashes_or_leaves() -> None:
    assert "signal 11" in _told(b"", int(signal.SIGSEGV), 5.0)["reason"]
    assert "exit code 3" in _told(b"", 3 << 8, 5.0)["reason"]
    assert _told(b"[1]", 0, 5.0)["cause"] == Cause.CRASH


def test_a_child_that_answers() -> None:
    assert _told(b'{"verdict": "right"}', 0, 5.0) == {"verdict": "right"}
