"""What is said while something takes long."""

from __future__ import annotations

import io
import sys
import time

import pytest

from wrongcall.cli import progress


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_erased_without_escape_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal may be dumb."""
    screen = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "SLOW_S", 0.01)
    with progress.telling_if_slow("reading the call", 0.01):
        time.sleep(0.3)
    text = screen.getvalue()
    assert "wrongcall: reading the call ... 0 s" in text
    assert "\x1b" not in text
    _, shown, erased, after = text.rsplit("\r", 3)
    assert (erased, after) == (" " * len(shown), "")
