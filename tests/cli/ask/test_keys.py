"""Lines of a pipe as keys."""

from __future__ import annotations

import pytest

from wrongcall.cli.ask.keys import Pressed, parsed
from wrongcall.present import key_map
from wrongcall.present.key_map import PLACES, keys_at

KEYS = keys_at(key_map.QUESTION)


@pytest.mark.parametrize(
    "line,pressed",
    [
        ("y\n", Pressed("y")),
        ("yes\r\n", Pressed("y")),
        ("  no  ", Pressed("n")),
        ("p  result[2] \n", Pressed("p", "result[2]")),
        ("e [1, 2]", Pressed("e", "[1, 2]")),
        ("nonsense here", Pressed("nonsense", "here")),
        ("y # yes", Pressed("y", "# yes")),
        ("Y", Pressed("Y")),
        ("\x1b[2J", Pressed("\x1b[2J")),
    ],
)
def test_a_line_is_a_key_or_its_command_and_what_follows(line: str, pressed: Pressed) -> None:
    assert parsed(line, KEYS) == pressed


@pytest.mark.parametrize("line", ["", "\n", "  \r\n", "# remark", "   # remark\n"])
def test_empty_lines_and_remarks_say_nothing(line: str) -> None:
    assert parsed(line, KEYS) is None


@pytest.mark.parametrize("place", PLACES)
def test_the_name_of_each_command_is_its_key(place: str) -> None:
    keys = keys_at(place)
    assert [parsed(key.command, keys) for key in keys] == [Pressed(key.key) for key in keys]


def test_a_command_of_another_view_is_not_a_key_here() -> None:
    here = {key.command for key in KEYS}
    elsewhere = next(key for key in keys_at(key_map.TREE) if key.command not in here)
    assert parsed(elsewhere.command, KEYS) == Pressed(elsewhere.command)
