"""The steps of a call to move in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import talk
from wrongcall.cli.ask.keys import Command
from wrongcall.cli.ask.views.steps import StepsView
from wrongcall.errors import UsageError
from wrongcall.present.lines import text_of
from wrongcall.present.screens.question import Size
from wrongcall.present.text import columns
from wrongcall.recording import Recording

MERGESORT = "mergesort.py"


def test_stepping_through_a_call_shows_variables_change(record: Record) -> None:
    lines = ["n", "y", "y", "n", "m", "l 14", ".", "previous", ": 99999", "g"]
    text, _ = talk(record(MERGESORT), *lines)
    screens = text.split("step ")[1:]
    assert re.search(r"^   14 > +j \+= 1", screens[1], re.MULTILINE)
    assert "line 14 is about to run" in screens[1]
    assert "j = 0 -> 1" in screens[2]
    assert "line 14 is about to run" in screens[3]
    assert "return [2, 5]" in screens[4]


def test_a_dialogue_can_ask_expressions_and_go_to_changes_and_conditions(record: Record) -> None:
    lines = [
        "n",
        "y",
        "y",
        "n",
        "m",
        "= len(merged)",
        "] j",
        "] j",
        "c len(merged) == 1",
        "] zz",
        "[ i",
        "L 9",
        "g",
    ]
    text, _ = talk(record(MERGESORT), *lines)
    screens = text.split("step ")[1:]
    assert "len(merged): raises NameError: name 'merged' is not defined here" in screens[1]
    assert "  len(merged): 0" in screens[2]
    assert "j = 0 -> 1" in screens[3]
    assert "len(merged) == 1 does not become true later in this call" in screens[3]
    assert "has no variable 'zz'" in screens[3]
    assert re.search(r"^  i = 0$", screens[4], re.MULTILINE)
    assert "line 9 is about to run" in screens[5]


PROGRAM = """
def work(n):
    total = 0
    for i in range(n):
        total += i
    name = "\\x1b[2J"
    return total

work(3)

def nothing(): pass
nothing()
"""


@pytest.fixture
def recording(record: Record) -> Iterator[Recording]:
    with wrongcall.recording.open(record(PROGRAM)) as opened:
        yield opened


SCREEN = Size(80, 24)


def shown(view: StepsView, size: Size = SCREEN) -> str:
    lines = [text_of(line) for line in view.lines(size)]
    assert all(line.isprintable() for line in lines)
    assert max(map(columns, lines)) <= size.width
    return "\n".join(lines)


def moved(view: StepsView, name: str, argument: str = "") -> str:
    assert view.move(Command(name, argument))
    return shown(view)


def test_a_view_starts_at_the_first_step_and_stops_at_both_ends(recording: Recording) -> None:
    view = StepsView(recording, 2)
    count = len(recording.execution.steps(2))
    assert f"step 1 of {count}" in shown(view)
    assert f"step 1 of {count}" in moved(view, "previous")
    assert f"step 2 of {count}" in moved(view, "next")
    assert f"step 12 of {count}" in moved(view, "page-down")
    assert f"step 2 of {count}" in moved(view, "page-up")
    assert f"step {count} of {count}" in moved(view, "end")
    assert f"step {count} of {count}" in moved(view, "right")
    assert f"step 1 of {count}" in moved(view, "home")


def test_go_jumps_to_a_step_and_line_to_a_line(recording: Recording) -> None:
    view = StepsView(recording, 2)
    assert "step 4 of" in moved(view, "go", "4")
    places = set()
    for _ in range(3):
        text = moved(view, "line", "5")
        assert re.search(r"^ +5 > +total \+= i", text, re.MULTILINE)
        places.add(view.time)
    assert len(places) == 3
    before = view.time
    assert moved(view, "line", "999")
    assert view.time == before
    assert not view.move(Command("go", "end"))
    assert not view.move(Command("yes"))


def test_changed_variables_come_first_with_what_they_were(recording: Recording) -> None:
    view = StepsView(recording, 2)
    steps = recording.execution.steps(2)
    at = next(i for i, s in enumerate(steps, 1) if s.place == "total" and s.value == 3)
    text = moved(view, "go", str(at))
    assert "  total = 1 -> 3" in text.splitlines()
    assert text.index("total = 1 -> 3") < text.index("  n = 3")


def test_a_low_screen_counts_the_variables_it_omits(recording: Recording) -> None:
    view = StepsView(recording, 2)
    view.move(Command("end"))
    assert re.search(r"… \d more$", shown(view, Size(80, 8)))
    assert "more" not in shown(view, Size(80, 40))


def test_the_call_and_time_are_those_that_other_keys_are_about(recording: Recording) -> None:
    view = StepsView(recording, 2)
    assert (view.call, view.time) == (2, recording.execution.steps(2)[0].time)


def test_expressions_are_shown_at_every_step(recording: Recording) -> None:
    view = StepsView(recording, 2)
    assert view.move(Command("evaluate", "total * 10 + n"))
    assert "total * 10 + n: raises NameError: name 'total' is not defined here" in shown(view)
    view.move(Command("end"))
    assert "total * 10 + n: 33" in shown(view)
    view.move(Command("evaluate", "total * 10 + n"))
    assert "total * 10 + n" not in shown(view)
    with pytest.raises(UsageError, match="is not an expression"):
        view.move(Command("evaluate", "1 +"))


def test_a_view_goes_to_the_changes_of_a_place(recording: Recording) -> None:
    view = StepsView(recording, 2)
    seen = []
    for _ in range(4):
        view.move(Command("next-change", "total"))
        seen.append(re.findall(r"^  total = (.*)$", shown(view), re.MULTILINE)[-1])
    assert seen == ["0", "0", "0 -> 1", "1 -> 3"]
    with pytest.raises(UsageError, match="does not change later in this call"):
        view.move(Command("next-change", "total"))
    view.move(Command("previous-change", "total"))
    assert "total = 0 -> 1" in shown(view)


def test_a_view_goes_to_where_a_condition_becomes_true(recording: Recording) -> None:
    view = StepsView(recording, 2)
    view.move(Command("condition", "i == 1"))
    assert re.search(r"^  i = 0 -> 1$", shown(view), re.MULTILINE)
    with pytest.raises(UsageError, match="does not become true later"):
        view.move(Command("condition", "i == 1"))
    view.move(Command("end"))
    view.move(Command("previous-condition", "i == 1"))
    assert re.search(r"^  i = 0 -> 1$", shown(view), re.MULTILINE)


def test_a_view_goes_back_to_a_line(recording: Recording) -> None:
    view = StepsView(recording, 2)
    view.move(Command("end"))
    view.move(Command("previous-line", "5"))
    assert "line 5 is about to run" in shown(view)
    assert "total = 1" in shown(view)
