"""Questions on a screen: view models and a size in, lines out."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.present.screens.models import ASKED, HEAD, LARGE, WHERE, change, value
from wrongcall.cli.ansi import Painter
from wrongcall.present import QuestionView, columns
from wrongcall.present.groups import Group, Member
from wrongcall.present.lines import Line, text_of
from wrongcall.present.screens.question import Size, fitted, group_lines, question_lines
from wrongcall.recording import ChangeKind


def lines_of(asked: QuestionView, size: Size) -> list[str]:
    return [text_of(line) for line in question_lines(asked, HEAD, size)]


def test_a_small_question_takes_four_lines() -> None:
    assert lines_of(ASKED, Size(80, 24)) == [
        "Question 3 (about 2 left)                               examples/mergesort.py:4",
        "  merge(left=[1], right=[2])",
        "  returned  [1, 2]",
        "  called    by sort(numbers=[2, 1]) at line 24",
    ]


def test_a_small_question_on_40_columns() -> None:
    assert lines_of(ASKED, Size(40, 24)) == [
        "Question 3 (about 2 left)",
        "  examples/mergesort.py:4",
        "  merge(left=[1], right=[2])",
        "  returned  [1, 2]",
        "  called    by sort(numbers=… at line 24",
    ]


def test_a_long_path_above_a_question_keeps_file_and_line() -> None:
    where = replace(WHERE, file="/usr/local/lib/python3.13/site-packages/shop/orders/cart.py")
    shown = lines_of(replace(ASKED, where=where), Size(40, 24))
    assert shown[:2] == ["Question 3 (about 2 left)", "  …/site-packages/shop/orders/cart.py:4"]


def test_the_outcome_of_a_call_is_shown_before_what_it_read() -> None:
    asked = replace(
        ASKED,
        doc="Merge two sorted lists.\n\nNothing is lost.",
        read=(value("turn", "3"), value("RATE", "2"), value("LIMIT", "10")),
        constants=2,
        changed=(change("c[0]", "4", "1"),),
        printed="merged\n",
    )
    shown = lines_of(asked, Size(80, 24))
    assert shown[2:] == [
        "  Merge two sorted lists.",
        "  returned  [1, 2]",
        "  changed   c[0]: 4 -> 1",
        "  printed   merged",
        "  read      turn = 3",
        "  constants RATE = 2, LIMIT = 10",
        "  called    by sort(numbers=[2, 1]) at line 24",
    ]
    assert "  Nothing is lost." in lines_of(asked, Size(80, 24, detail=1))


def test_constants_take_one_line_and_the_rest_is_counted() -> None:
    asked = replace(
        ASKED, read=tuple(value(f"SETTING{i}", "'x' * 20") for i in range(9)), constants=9
    )
    (shown,) = (line for line in lines_of(asked, Size(80, 24)) if "constants" in line)
    assert columns(shown) <= 80
    told = re.search(r"… (\d) more \(\+ shows all\)$", shown)
    assert told
    assert int(told[1]) == 9 - shown.count("SETTING")
    assert sum(line.count("SETTING") for line in lines_of(asked, Size(80, 24, detail=1))) == 9


def test_only_long_arguments_are_moved_below_the_title() -> None:
    long = value("rows", "[{'id': 1, …}, …]", (value("[0]", "{'id': 1}"),), 90)
    shown = lines_of(replace(ASKED, given=(long, value("n", "3"))), Size(80, 24))
    assert shown[1:5] == [
        "  merge(rows, n=3)",
        "  given     rows = […] (90)",
        "              [0] = {'id': 1}",
        "              … 89 more",
    ]


TABLE = "+---------+\n| tea  |4 |\n+---------+\n"


@given(st.lists(st.text("ab\\n\t", max_size=20), min_size=3, max_size=20))
def test_a_text_of_several_lines_is_shown_as_these_lines(lines: list[str]) -> None:
    text = "-" * 40 + "\n".join(lines)
    shown = lines_of(replace(ASKED, produced=value("", repr(text))), Size(100, 80))[2:-1]
    *lines, last = text.splitlines(keepends=True)
    assert shown == [
        ("  returned  '" if not i else " " * 13)
        + repr(line)[1:-1]
        + ("'" if i == len(lines) else "")
        for i, line in enumerate([*lines, last])
    ]


def test_a_short_text_is_shown_on_one_line() -> None:
    shown = lines_of(replace(ASKED, produced=value("", repr("a\nb\nc\n"))), Size(80, 24))
    assert shown[2] == r"  returned  'a\nb\nc\n'"


def test_a_line_of_a_text_that_is_too_long_is_broken() -> None:
    text = "a\n" + "b" * 200 + "\nc\n"
    shown = lines_of(replace(ASKED, produced=value("", repr(text))), Size(80, 40))[2:-1]
    assert all(columns(line) <= 80 for line in shown)
    assert "".join(line[12:].strip() for line in shown) == repr(text)


def test_lines_of_a_text_stand_below_each_other() -> None:
    shown = lines_of(replace(ASKED, produced=value("", repr(TABLE))), Size(80, 24))
    assert shown[2:5] == [
        "  returned  '+---------+\\n",
        "             | tea  |4 |\\n",
        "             +---------+\\n'",
    ]
    shown = lines_of(replace(ASKED, given=(value("text", repr("tea\n" * 9)),)), Size(50, 24))
    assert shown[2:4] == ["  given     text = 'tea\\n", "                    tea\\n"]


def test_a_returned_argument_is_not_shown_twice() -> None:
    item = replace(value("self", "Item(x=1)", (value(".x", "1"),)), object=5)
    asked = replace(ASKED, given=(item,), produced=replace(item, label=""))
    assert "  returned  self  the same object" in lines_of(asked, Size(80, 24))


def test_values_are_opened_if_there_is_room() -> None:
    """The same values: opened one level more, if the screen has the lines for it."""
    deep = value(".rows", "[…]", tuple(value(f"[{i}]", str(i)) for i in range(6)))
    flat = value(".rows", "[…]", (), 6)

    def draw(size: Size) -> list[Line]:
        inner = deep if size.depth > 1 else flat
        return question_lines(
            replace(ASKED, given=(value("self", "Table(…)", (inner,)),)), HEAD, size
        )

    roomy = [text_of(line) for line in fitted(draw, Size(80, 24))]
    assert "                [5] = 5" in roomy
    low = [text_of(line) for line in fitted(draw, Size(80, 12))]
    assert "[5] = 5" not in "\n".join(low)
    assert len(low) <= 12 - 3


def test_changes_and_the_exception_are_shown() -> None:
    changed = (
        change("c[0]", "4", "1"),
        change("c[1]", "", "5", ChangeKind.ADDED),
        change("c[2]", "9", "", ChangeKind.REMOVED),
        replace(change("c[3]", "", "7", ChangeKind.MOVED), origin="c[4]"),
    )
    asked = replace(ASKED, outcome="raised", produced=value("", "KeyError('x')"), changed=changed)
    assert lines_of(asked, Size(80, 24))[2:7] == [
        "  raised    KeyError('x')",
        "  changed   c[0]: 4 -> 1",
        "            c[1] = 5  added",
        "            c[2] was 9  removed",
        "            c[3] = 7  moved from c[4]",
    ]


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("height", [24, 50])
def test_a_large_question_fits_the_screen(width: int, height: int) -> None:
    size = Size(width, height)
    painter = Painter(width)
    shown = [painter.text(line) for line in question_lines(LARGE, HEAD, size)]
    assert len(shown) <= height - 3  # an empty line, the prompt, what was answered before
    assert max(map(columns, shown)) <= width
    text = "\n".join(shown)
    for name in ("given", "read", "returned", "yielded", "changed", "printed", "called"):
        assert f"\n  {name} " in text
    assert "more (+ shows all)" in text


def test_an_opened_question_shows_more() -> None:
    folded_size, opened = Size(80, 24), Size(80, 24, detail=1)
    assert len(question_lines(LARGE, HEAD, opened)) > len(question_lines(LARGE, HEAD, folded_size))
    assert "arg11 = " not in "\n".join(lines_of(LARGE, folded_size))
    assert "arg11 = " in "\n".join(lines_of(LARGE, opened))


def test_a_group_shows_its_first_and_last_calls() -> None:
    members = tuple(Member(i, f"put(self, x={i})", "-> None") for i in (1, 2, 8, 9))
    asked = Group(
        1, 9, 9, WHERE, members, 5, 90, (change("items[0]", "", "1", ChangeKind.ADDED),), ""
    )
    shown = [text_of(line) for line in group_lines(asked, "put", HEAD, Size(80, 24))]
    assert shown[1:] == [
        "  9 calls in a row to put",
        "  calls     #1 put(self, x=1) -> None",
        "            #2 put(self, x=2) -> None",
        "            … 5 more like these …",
        "            #8 put(self, x=8) -> None",
        "            #9 put(self, x=9) -> None",
        "  changed   items[0] = 1  added",
        "  called    by sort(numbers=[2, 1]) at line 24",
    ]
