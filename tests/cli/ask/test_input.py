"""Lines of a pipe."""

from __future__ import annotations

import io

from wrongcall.cli.ask.input import PipedLines
from wrongcall.cli.ask.keys import QUESTION, Command


def test_piped_lines() -> None:
    source = PipedLines(io.StringIO("y\n\n# no\nyes\r\np result[2]\ne [1, 2]\nT\nrest\n"))
    commands = [source.command(QUESTION) for _ in range(5)]
    assert commands == [
        Command("y"), Command("y"), Command("p", "result[2]"), Command("e", "[1, 2]"), Command("T"),
    ]  # fmt: skip
    assert source.line("") == "rest"
    assert source.line("") is None
    assert source.command(QUESTION) is None
    assert not source.waits(0)
