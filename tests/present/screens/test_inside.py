"""Screens of what happened inside a call."""

from __future__ import annotations

from tests.recorder.conftest import Record, record
from wrongcall.present.inside_questions import inside_view, statement_view
from wrongcall.present.lines import text_of
from wrongcall.present.screens.inside import inside_lines, statement_lines
from wrongcall.present.screens.question import Head, Size
from wrongcall.present.text import columns
from wrongcall.session import Verdict
from wrongcall.session.inside import inside_of

__all__ = ["record"]

PROGRAM = """\
def f(rows):
    for row in rows:
        row.append(len(row))
    return rows

f([[1, 2], [3], list(range(1000))])
"""


def test_a_question_and_a_finding_fit_the_screen(record: Record) -> None:
    recorded = record(PROGRAM)
    session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
    assert session is not None
    for width in (40, 80):
        size = Size(width=width)
        for boundary in range(len(session.boundaries)):
            view = inside_view(recorded.recording, session, boundary, width=size.line_width)
            lines = [text_of(line) for line in inside_lines(view, Head(1, ""), size)]
            assert max(map(columns, lines)) <= width
            assert len(lines) <= size.height + 2
            assert lines[0].startswith("Question 1")


def test_a_round_that_changed_nothing_says_so(record: Record) -> None:
    recorded = record("def f(n):\n    for _ in range(n):\n        pass\nf(2)\n")
    session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
    assert session is not None
    view = inside_view(recorded.recording, session, len(session.boundaries) - 2)
    assert view.heading == "After line 3: `pass`"
    lines = [text_of(line) for line in inside_lines(view, Head(1, ""), Size())]
    assert "  changed   nothing" in lines


def test_a_finding_has_what_was_read_and_written_and_the_reasons(record: Record) -> None:
    recorded = record(PROGRAM)
    session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
    assert session is not None
    count = len(session.boundaries)
    session.judge(count - 2, Verdict.WRONG)
    session.judge(count - 1, Verdict.RIGHT)
    found = session.found()
    assert found is not None
    view = statement_view(recorded.recording, session, found)
    text = "\n".join(text_of(line) for line in statement_lines(view, Size()))
    assert "  read      row = [1, 2]" in text
    assert "  wrote     row[2] = 2  added" in text
    assert "After line 3: `row.append(len(row))`: wrong" in text
