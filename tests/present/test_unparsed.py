"""A trace whose source this Python can't parse: what is missing is said, all else is there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.languages.python.sources import Sources
from wrongcall.present import question
from wrongcall.present.json_shapes import origin_data
from wrongcall.present.lines import text_of
from wrongcall.present.screens.question import Head, Size, question_lines
from wrongcall.present.unparsed import recorded_version, unparsed_words
from wrongcall.recording import Recording

OWN = "{}.{}".format(*sys.version_info)
PROGRAM = '''
limit = 10

def capped(items):
    """Return the sum, but no more than the limit."""
    total = sum(items)
    return min(total, limit)

def main():
    global limit
    first = capped([1, 2])
    limit = 3
    second = capped([1, 2])
    return first, second

main()
'''
LAST = PROGRAM.count("\n")


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A trace whose source has a statement that no Python can parse, read as if a newer one could."""
    write_program(tmp_path, PROGRAM)
    assert run_recorded(["prog.py"], tmp_path).returncode == 0
    of_file = Sources.of_file

    def newer(self: Sources, number: int) -> Any:
        found = of_file(self, number)
        if "?!" not in found.text:
            found.text += "\n?!\n"
        return found

    monkeypatch.setattr(Sources, "of_file", newer)
    with wrongcall.recording.open(tmp_path / "trace.wrongcall") as opened:
        yield opened


def call_of(recording: Recording, name: str, which: int = 0) -> int:
    numbers = (int(n) for n in recording.calls.columns().id)
    return [n for n in numbers if recording.call(n).function.name == name][which]


def test_a_question_says_what_is_missing(recording: Recording) -> None:
    asked = question(recording, call_of(recording, "capped"))
    assert asked.unparsed == f"Python {OWN} can't parse prog.py (line {LAST + 2}: invalid syntax)"
    assert (asked.read, asked.doc) == ((), "")
    assert asked.title == "capped(items=[1, 2])"
    assert asked.produced is not None
    assert asked.produced.summary == "3"
    shown = [text_of(line) for line in question_lines(asked, Head(0, ""), Size(200))]
    (missing,) = (line for line in shown if "missing" in line)
    assert "What it read and its docstring are not known: Python" in missing


def test_the_version_that_can_read_it_is_named(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {**recording.meta, "python": "3.99.1 (main) [GCC]"}
    monkeypatch.setattr(Recording, "meta", facts)
    assert recorded_version(recording) == "3.99"
    words = unparsed_words(recording, recording.program.files)
    assert words.endswith("; read the trace with Python 3.99")


def test_equal_looking_calls_are_not_taken_for_equal(recording: Recording) -> None:
    """What they read is not known, and may be different."""
    first, second = (call_of(recording, "capped", i) for i in (0, 1))
    assert recording.questions.key(first) != recording.questions.key(second)
    assert recording.questions.key(first) == recording.questions.key(first)


def test_an_origin_says_why_it_ends(recording: Recording) -> None:
    found = recording.places.origin(call_of(recording, "main"), "first")
    data = origin_data(recording, found)
    assert data["end"].value == "unknown"
    assert data["missing"].startswith(f"the trail ends here: Python {OWN} can't parse prog.py")


def test_histories_and_states_are_complete(recording: Recording) -> None:
    main = call_of(recording, "main")
    history = recording.places.history(main, "second")
    assert [(version.new, version.line) for version in history] == [(3, 13)]
    assert recording.states.locals(main, recording.call(main).exit)["first"] == 3


def test_nothing_is_said_about_source_that_can_be_parsed(tmp_path: Path) -> None:
    write_program(tmp_path, PROGRAM)
    assert run_recorded(["prog.py"], tmp_path).returncode == 0
    with wrongcall.recording.open(tmp_path / "trace.wrongcall") as recording:
        assert unparsed_words(recording, recording.program.files) == ""
        asked = question(recording, call_of(recording, "capped"))
        assert asked.unparsed == ""
        assert [node.label for node in asked.read] == ["limit"]
        found = recording.places.origin(call_of(recording, "main"), "first")
        assert origin_data(recording, found)["missing"] == ""
