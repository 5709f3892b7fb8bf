"""What is written to streams of Python's is recorded for the length of a block, and passed on."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from wrongcall.notebook.streams import recorded_streams
from wrongcall.recorder import _native


class Stream(io.StringIO):
    """What stands for stdout in a kernel."""


def test_the_method_write_tells_the_recorder_and_is_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, str]] = []
    out, err = Stream(), Stream()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(_native, "printed", lambda stream, text: told.append((stream, text)))
    with recorded_streams():
        print("a")
        sys.stderr.write("b")
    print("c")
    assert told == [(0, "a"), (0, "\n"), (1, "b")]
    assert out.getvalue() == "a\nc\n"
    assert err.getvalue() == "b"
    assert "write" not in vars(out)


def test_a_stream_that_cannot_be_changed_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fixed:
        __slots__ = ()

        def write(self, text: str) -> int:
            return len(text)

    fixed: Any = Fixed()
    monkeypatch.setattr(sys, "stdout", fixed)
    with recorded_streams():
        assert sys.stdout.write("abc") == 3
