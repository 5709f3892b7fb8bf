"""Signals end a command in order."""

from __future__ import annotations

import signal

import pytest

from wrongcall.cli.ending import ending_orderly


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_raise_system_exit_unless_they_are_ignored(number: int) -> None:
    before = signal.getsignal(number)
    with pytest.raises(SystemExit) as caught, ending_orderly():
        signal.raise_signal(number)
    assert caught.value.code == 128 + number
    assert signal.getsignal(number) is before
    signal.signal(number, signal.SIG_IGN)
    with ending_orderly():
        signal.raise_signal(number)
    assert signal.getsignal(number) is signal.SIG_IGN
    signal.signal(number, before)
