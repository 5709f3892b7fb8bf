"""A terminal that gets another size: views are drawn again at once, questions are left alone."""

from __future__ import annotations

import os
import pty
import select
import signal
from collections.abc import Callable
from pathlib import Path

from prompt_toolkit.output import DummyOutput

from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import Terminal
from wrongcall.cli.ask.keyboard import Keyboard
from wrongcall.cli.ask.keys import RESIZED
from wrongcall.cli.ask.resizing import Resizes

ASKED = "? for help"


def is_readable(resizes: Resizes) -> bool:
    return bool(select.select([resizes], [], [], 0)[0])


def test_a_change_of_size_can_be_polled_once() -> None:
    before = signal.getsignal(signal.SIGWINCH)
    resizes = Resizes()
    try:
        assert not is_readable(resizes)
        assert not resizes.clear()
        signal.raise_signal(signal.SIGWINCH)
        signal.raise_signal(signal.SIGWINCH)
        assert is_readable(resizes)
        assert resizes.clear()
        assert not resizes.clear()
    finally:
        resizes.close()
    assert signal.getsignal(signal.SIGWINCH) is before


def test_changes_that_nobody_reads_do_not_block() -> None:
    resizes = Resizes()
    try:
        for _ in range(70_000):  # more than a pipe holds
            resizes._on_signal(signal.SIGWINCH, None)
        while resizes.clear():
            pass
        assert not is_readable(resizes)
    finally:
        resizes.close()


def test_another_size_stands_for_a_key_only_where_it_is_wanted() -> None:
    before = signal.getsignal(signal.SIGWINCH)
    master, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        keyboard = Keyboard(stdin, DummyOutput())
        signal.raise_signal(signal.SIGWINCH)
        assert keyboard.key(resizing=True) == RESIZED
        signal.raise_signal(signal.SIGWINCH)
        os.write(master, b"y")
        assert keyboard.key() == "y"
        os.write(master, b"n")
        keys = {keyboard.key(resizing=True) for _ in range(2)}
        assert keys == {RESIZED, "n"}
        keyboard.end()
    os.close(master)
    assert signal.getsignal(signal.SIGWINCH) is before


def test_a_view_is_drawn_again_without_a_key(
    tmp_path: Path, record: Record, terminal: Callable[..., Terminal]
) -> None:
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")), size=(80, 24))
    screen.answer(ASKED, "b")
    wide = screen.expect(ASKED)
    assert "sort(numbers=[5, 2, 8])" in wide
    screen.expect(">")
    screen.resize(34, 24)
    narrow = screen.expect(ASKED)
    assert "sort(numbers=[5, 2, 8])" not in narrow
    assert "sort(" in narrow
    assert max(map(len, narrow.splitlines())) <= 34
    screen.expect(">")
    screen.send("q")
    # The question is below what was written before: it is not written again for another size.
    screen.answer(ASKED, "")
    screen.resize(80, 24)
    screen.send("q")
    ending = screen.expect("Saved.")
    assert "Question" not in ending
    assert screen.end() == 1
    assert screen.modes == screen.before
