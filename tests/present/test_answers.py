"""Answers as text."""

from __future__ import annotations

from tests.present.conftest import Record
from wrongcall.present.answers import answer_cell, answer_data, answer_text, answer_word, style_of
from wrongcall.recording import Answer

PROGRAM = """\
class Point:
    def __init__(self, x):
        self.x = x

def f(p, s):
    return p

f(Point(1), "a\\x1b[2Jb")
"""


def test_values_of_the_program_and_of_the_expression_are_written_alike(record: Record) -> None:
    recorded = record(PROGRAM)
    call = recorded.call("f")

    def text(expression: str, width: int = 80) -> str:
        answer = recorded.recording.asking.eval(expression, call.id, call.last)
        return answer_text(recorded.recording, answer, call.last, width)

    assert text("p") == "Point(x=1)"
    assert text("[p, 1, 'a']") == "[Point(x=1), 1, 'a']"
    assert text("(p,)") == "(Point(x=1),)"
    assert text("{'k': p, 2: None}") == "{'k': Point(x=1), 2: None}"
    assert text("{3, 1}") == "{1, 3}"
    assert text("set()") == "set()"
    assert text("frozenset([1])") == "frozenset({1})"
    assert text("range(3)") == "range(0, 3)"
    assert text("[0] * 300", 2000).endswith("0, …]")
    assert len(text("[0] * 300")) <= 80
    assert text("[s]").isprintable()
    assert text("s").isprintable()
    assert text("1 / 0") == "raises ZeroDivisionError: division by zero"
    assert text("p.y").startswith("not known: Point objects don't store 'y'")


def test_data_tells_value_error_and_reason_apart(record: Record) -> None:
    recording = record(PROGRAM).recording
    assert answer_data(recording, Answer(5), 3) == {"value": "5", "error": "", "unknown": ""}
    assert answer_data(recording, Answer(error="E: x"), 3)["value"] is None
    assert answer_data(recording, Answer(unknown="why"), 3)["unknown"] == "why"


def test_a_cell_of_data_has_text_without_quotes_and_nothing_for_what_is_not_known(
    record: Record,
) -> None:
    recording = record(PROGRAM).recording
    cells = [answer_cell(recording, a, 3) for a in (Answer("a"), Answer(1.5), Answer(unknown="x"))]
    assert cells == ["a", "1.5", ""]


def test_a_word_leaves_the_reason_out(record: Record) -> None:
    recording = record(PROGRAM).recording
    words = [
        answer_word(recording, a, 3, 20)
        for a in (Answer(1), Answer(error="E: x"), Answer(unknown="y"))
    ]
    assert words == ["1", "E", "?"]
    assert [style_of(a) for a in (Answer(1), Answer(error="x"), Answer(unknown="y"))] == [
        "",
        "wrong",
        "quiet",
    ]
