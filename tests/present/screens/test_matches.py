"""What a search found, as a list."""

from __future__ import annotations

from itertools import islice

from tests.present.conftest import Record
from wrongcall.present.lines import text_of
from wrongcall.present.screens.matches import matches_lines
from wrongcall.recording import Recording

PROGRAM = """\
def f(x):
    if x > 1:
        raise ValueError("too large")
    y = -1
    print("it is", x)
    return y

f(1)
try:
    f(2)
except ValueError:
    pass
"""


def shown(recording: Recording, search: str, most: int = 9) -> list[str]:
    found = recording.find(search)
    matches = list(islice(found, most))
    more = next(found, None) is not None
    return [text_of(line).rstrip() for line in matches_lines(recording, search, matches, more, 80)]


def words(line: str) -> list[str]:
    return line.split()[1:]


def test_matches_say_what_where_and_in_which_call(record: Record) -> None:
    recording = record(PROGRAM).recording
    lines = shown(recording, "value == -1")
    assert lines[0] == "value == -1  2 matches"
    assert words(lines[2]) == ["y", "=", "-1", "line", "4", "f", "#2", "y", "=", "-1"]
    assert words(lines[3]) == ["returned", "-1", "line", "6", "f", "#2", "return", "y"]
    (raised,) = shown(recording, "raised ValueError")[2:]
    assert words(raised)[:2] == ["raised", "ValueError('too"]
    assert "line 3    f #3" in raised
    (printed,) = shown(recording, "printed /it is/")[2:]
    assert words(printed)[:4] == ["printed", "it", "is", "1"]


def test_more_and_nothing_are_said(record: Record) -> None:
    recording = record(PROGRAM).recording
    lines = shown(recording, "value == -1", 1)
    assert lines[0] == "value == -1  the first 1 match"
    assert lines[-1] == "… there are more (--first 2)"
    assert shown(recording, "value == 77") == ["value == 77  nothing found"]
