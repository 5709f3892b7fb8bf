"""What is asked inside a call, and the statement that is found, in words."""

from __future__ import annotations

from tests.recorder.conftest import Record, record
from wrongcall.present.inside_questions import (
    InsideView,
    StatementView,
    inside_view,
    statement_view,
)
from wrongcall.recording import Recording
from wrongcall.session import Verdict
from wrongcall.session.inside import InsideSession, inside_of

__all__ = ["record"]

PROGRAM = """\
def double(x):
    return 2 * x

def f(xs):
    total = 0
    for x in xs:
        if x > 1:
            total += double(x)
        else:
            total -= 1
    while total > 100:
        total = 0
    ys = [double(x) for x in xs]
    print("done")
    return total

f([1, 2, 3])
"""


MANY = """\
def f(n):
    a = b = c = d = e = g = h = i = j = k = 0
    total = 0
    for x in range(n):
        step = x * k
        total += step
    return total

f(3)
"""


def opened(record: Record, program: str = PROGRAM) -> tuple[Recording, InsideSession]:
    recorded = record(program)
    session = inside_of(recorded.recording, recorded.call("f").id, "least-reading")
    assert session is not None
    return recorded.recording, session


def views(record: Record, program: str = PROGRAM) -> list[InsideView]:
    """Return all questions inside the call, in the order of execution."""
    recording, session = opened(record, program)
    return [
        inside_view(recording, session, boundary)
        for boundary in range(len(session.boundaries) - 1, -1, -1)
    ]


def test_headings_say_what_has_just_happened(record: Record) -> None:
    headings = [view.heading for view in views(record)]
    loop = "`for x in xs`"
    assert headings[:5] == [
        "After line 5: `total = 0`",
        f"Line 6: {loop} took x = 1",
        "Line 7: `x > 1` was false",
        "After line 10: `total -= 1`",
        "After `if x > 1` (lines 7 to 10)",
    ]
    assert f"After round 2 of 3 of {loop} (line 6)" in headings
    assert f"Line 6: the loop {loop} ended after 3 rounds" in headings
    assert "Line 11: `total > 100` was false, so the loop ended after 0 rounds" in headings
    assert headings[-2:] == ["After line 15: `return total`", "At the end of f"]


def test_of_many_variables_those_of_the_place_come_first(record: Record) -> None:
    found = {view.heading: view for view in views(record, MANY)}
    view = found["After line 5: `step = x * k`"]
    names = [node.label for node in view.variables]
    assert set(names[:3]) == {"k", "x", "step"}
    # Then those of the loop around it, then the rest as the program made them.
    assert names[3:] == ["n", "total", "a", "b", "c", "d", "e", "g", "h", "i", "j"]


def test_the_state_and_the_changes_are_those_of_the_place(record: Record) -> None:
    found = {view.heading: view for view in views(record)}
    view = found["After round 2 of 3 of `for x in xs` (line 6)"]
    state = {node.label: node.summary for node in view.variables}
    assert state == {"xs": "[1, 2, 3]", "total": "3", "x": "2"}
    assert {line.place: (line.old, line.new) for line in view.changed} == {
        "x": ("1", "2"),
        "total": ("-1", "3"),
    }
    assert found['After line 14: `print("done")`'].printed == "done\n"
    assert found["After line 15: `return total`"].outcome == "returned 9"


def test_where_a_loop_ends_everything_that_it_changed_is_shown(record: Record) -> None:
    found = {view.heading: view for view in views(record)}
    view = found["Line 6: the loop `for x in xs` ended after 3 rounds"]
    assert {line.place: (line.old, line.new) for line in view.changed} == {
        "x": ("", "3"),
        "total": ("0", "9"),
    }


def test_a_round_of_a_comprehension_shows_what_it_bound_and_called(record: Record) -> None:
    rounds = [view for view in views(record) if view.line == 13 and view.kind == "round"]
    assert [view.bound for view in rounds] == [("x = 1",), ("x = 2",), ("x = 3",)]
    assert [view.calls[0].outcome for view in rounds] == ["-> 2", "-> 4", "-> 6"]


def found_at(record: Record, heading: str) -> StatementView:
    """Return the finding if the first wrong boundary is the first one with a heading."""
    recording, session = opened(record)
    texts = {
        boundary: inside_view(recording, session, boundary).heading
        for boundary in range(len(session.boundaries))
    }
    wrong = max(boundary for boundary, text in texts.items() if text == heading)
    session.judge(wrong, Verdict.WRONG)
    if wrong + 1 in texts:
        session.judge(wrong + 1, Verdict.RIGHT)
    found = session.found()
    assert found is not None
    return statement_view(recording, session, found)


def test_the_statement_is_named_with_what_it_read_and_wrote(record: Record) -> None:
    view = found_at(record, "After line 8: `total += double(x)`")
    assert view.headline == "The bug is in line 8 of f: `total += double(x)`"
    assert view.place == "prog.py:8"
    assert view.rounds == ("round 2 of 3 of `for x in xs` (line 6)",)
    assert {node.label: node.summary for node in view.read} == {"total": "-1", "x": "2"}
    assert [(line.place, line.old, line.new) for line in view.changed] == [("total", "-1", "3")]
    assert view.why.startswith("All was right up to there (line 7: `x > 1` was true)")
    assert view.reasons == (
        "After line 8: `total += double(x)`: wrong",
        "Line 7: `x > 1` was true: right",
    )


def test_what_is_missing_is_said_with_the_branch_that_lacks_it(record: Record) -> None:
    view = found_at(record, "After `if x > 1` (lines 7 to 10)")
    assert view.is_missing
    assert view.line == 9
    assert view.headline == "Something is missing in the `else` (line 9) of `if x > 1` in f"
    assert "missing in the branch for when the condition is false" in view.what
    assert "at the end of f" in found_at(record, "At the end of f").headline
