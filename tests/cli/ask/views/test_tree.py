"""The tree of calls to move in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import talk
from wrongcall.cli.ask.keys import Command
from wrongcall.cli.ask.views.tree import TreeView
from wrongcall.errors import UsageError
from wrongcall.present.lines import text_of
from wrongcall.present.screens.question import Size
from wrongcall.present.text import columns
from wrongcall.session.search import How, Search

MERGESORT = "mergesort.py"


def test_browsing_judges_any_call(record: Record) -> None:
    text, found = talk(record(MERGESORT), "b", "go 10", "n", "q")
    assert found
    assert "  > ✗ #10 merge(left=[5], right=[2]) -> [2, 5]" in text
    assert "The bug is in merge" in text


def test_browsing_goes_in_and_out(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "b", ">", "j", "<", "k", "caller", ": 99", "q")
    chosen = re.findall(r"^  > \S (#\d+)", text, re.MULTILINE)
    assert chosen == ["#4", "#5", "#6", "#4", "#4", "#3"]
    assert "there is no call 99: the trace has calls 1 to 18" in text


PROGRAM = """
def leaf(n):
    return n

def main():
    for n in range(60):
        leaf(n)

main()
"""


@pytest.fixture
def search(record: Record) -> Iterator[Search]:
    how = How(balance=False)
    with wrongcall.recording.open(record(PROGRAM)) as recording, Search(recording, how) as search:
        yield search


def moved(view: TreeView, *names: str) -> int:
    for name in names:
        assert view.move(Command(name))
    return view.call


def test_arrows_move_among_the_calls_of_a_caller_and_stop_at_the_ends(search: Search) -> None:
    view = TreeView(search, 3)  # the first leaf
    assert moved(view, "up") == 3
    assert moved(view, "down", "down") == 5
    assert moved(view, "page-down") == 15
    assert moved(view, "page-up", "page-up") == 3
    assert moved(view, *["page-down"] * 9) == 62


def test_leaves_cannot_be_entered_and_the_program_has_no_caller(search: Search) -> None:
    view = TreeView(search, 3)
    assert moved(view, "in") == 3
    assert moved(view, "caller") == 2
    assert moved(view, "left", "left", "left") == 1
    assert moved(view, "right", "enter") == 3


def test_a_call_is_chosen_by_its_number(search: Search) -> None:
    view = TreeView(search, 1)
    assert view.move(Command("go", "#40"))
    assert view.call == 40
    with pytest.raises(UsageError, match="there is no call 99: the trace has calls 1 to 62"):
        view.move(Command("go", "99"))
    assert not view.move(Command("go", "main"))
    assert not view.move(Command("yes"))
    assert view.call == 40


@pytest.mark.parametrize("height", [10, 24, 100])
def test_the_chosen_call_is_in_sight_with_its_callers(search: Search, height: int) -> None:
    view = TreeView(search, 3)
    for _ in range(7):
        lines = [text_of(line) for line in view.lines(Size(60, height))]
        assert max(map(columns, lines)) <= 60
        (chosen,) = [line for line in lines if line.startswith("  > ")]
        assert f"#{view.call} leaf(" in chosen
        assert lines[1].startswith("· #2 main()")
        moved(view, "page-down")


def test_marks_say_what_is_known(search: Search) -> None:
    for call, verdict in ((3, "right"), (4, "wrong"), (5, "don't know"), (6, "inadmissible")):
        search.session.judge(call, verdict)
    lines = [text_of(line) for line in TreeView(search, 7).lines(Size(80, 24))]
    marks = [match[1] for line in lines if (match := re.match(r"  [> ] (\S) #[34567] ", line))]
    assert marks == ["✓", "✗", "?", "✓", "·"]


def test_the_number_of_calls_is_shown_where_not_all_fit(search: Search) -> None:
    lines = [text_of(line) for line in TreeView(search, 4).lines(Size(80, 24))]
    assert lines[-1].strip() == "2 of 60 calls"
    above = [text_of(line) for line in TreeView(search, 1).lines(Size(80, 24))]
    assert above[0] == "Calls without a caller: the program and its threads"
    assert above[-1].rstrip().endswith("+1")
