"""What a search found, in words."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.matches import function_name, match_data, match_value
from wrongcall.recording import Match


def test_a_match_has_its_value_as_it_was(record: Record) -> None:
    recorded = record("def f():\n    xs = [1]\n    xs.append(2)\n    return 5\nf()\n")
    (found,) = recorded.recording.find("len(value) == 1", what="writes")
    assert match_value(recorded.recording, found, 40) == "[1]"
    assert match_data(recorded.recording, found) == {
        "kind": "wrote", "time": found.time, "call": recorded.call("f").id, "function": "f", "line": 2,
        "place": "xs", "value": "[1]", "text": "",
    }  # fmt: skip


def test_what_has_no_value_and_no_call_says_so(record: Record) -> None:
    recording = record("x = 1\n").recording
    match = Match("printed", 3, 0, 0, text="a\x1b[2J")
    assert match_value(recording, match, 40) == ""
    assert match_data(recording, match)["value"] is None
    assert match_data(recording, match)["text"].isprintable()
    assert function_name(recording, 0) == "?"
