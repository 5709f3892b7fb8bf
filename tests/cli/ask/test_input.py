"""Lines of a pipe."""

from __future__ import annotations

import io

from wrongcall.cli.ask.input import PipedLines
from wrongcall.cli.ask.keys import Pressed
from wrongcall.present import key_map
from wrongcall.present.key_map import keys_at


def test_piped_lines_become_keys_and_answers() -> None:
    source = PipedLines(io.StringIO("y\n\n# no\nyes\r\np result[2]\ne [1, 2]\nT\nrest\n"))
    commands = [source.pressed(keys_at(key_map.QUESTION)) for _ in range(5)]
    assert commands == [
        Pressed("y"), Pressed("y"), Pressed("p", "result[2]"), Pressed("e", "[1, 2]"), Pressed("T"),
    ]  # fmt: skip
    assert source.line("") == "rest"
    assert source.line("") is None
    assert source.pressed(keys_at(key_map.QUESTION)) is None
    assert not source.waits(0)
