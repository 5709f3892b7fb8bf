"""Screens are pure: view models and a size in, lines out."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wrongcall.cli.ansi import Painter
from wrongcall.cli.ask.messages import why_lines
from wrongcall.present import DiffLine, Excerpt, ExcerptLine, QuestionView, ValueNode, columns
from wrongcall.present.estimates import left_words
from wrongcall.present.findings import FindingView, Reason
from wrongcall.present.groups import Group, Member
from wrongcall.present.lines import Line, Section, broken, cut, folded, text_of
from wrongcall.present.lists import CallList
from wrongcall.present.questions import Where
from wrongcall.present.screens.finding import finding_lines
from wrongcall.present.screens.lists import list_lines
from wrongcall.present.screens.question import Head, Size, fitted, group_lines, question_lines
from wrongcall.present.screens.source import source_lines
from wrongcall.recording import ChangeKind
from wrongcall.session.steps import Why

WHERE = Where("merge", "examples/mergesort.py", 4, 3, 24, "sort(numbers=[2, 1])")
HEAD = Head(3, "about 2 left")


def value(label: str, summary: str, parts: tuple[ValueNode, ...] = (), size: int = 0) -> ValueNode:
    return ValueNode(label, summary, "list", 7, size or len(parts), False, parts)


def change(place: str, old: str, new: str, kind: ChangeKind = ChangeKind.CHANGED) -> DiffLine:
    return DiffLine(kind, place, old, new, "", 7)


ASKED = QuestionView(
    call=8, title="merge(left=[1], right=[2])", where=WHERE, thread=1, entry=10, exit=20, time=12,
    given=(value("left", "[1]"), value("right", "[2]")), read=(), outcome="returned",
    produced=value("", "[1, 2]"), yielded=(), defined=(), changed=(), variables=(), printed="",
)  # fmt: skip
MANY = tuple(value(f"[{i}]", str(i)) for i in range(50))
LARGE = replace(
    ASKED,
    given=tuple(value(f"arg{i}", "[0, 1, 2, …]", MANY, 1000) for i in range(12)),
    read=(value("config", "{…}", MANY),),
    produced=value("", "[" + "0, " * 100 + "…]", MANY, 5000),
    yielded=MANY,
    changed=tuple(change(f"c[{i}]", "old", "new") for i in range(40)),
    printed="line\n" * 100,
)


def lines_of(asked: QuestionView, size: Size) -> list[str]:
    return [text_of(line) for line in question_lines(asked, HEAD, size)]


def test_a_small_question() -> None:
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


def test_what_came_of_a_call_comes_before_what_it_read() -> None:
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


def test_only_long_arguments_leave_the_title() -> None:
    long = value("rows", "[{'id': 1, …}, …]", (value("[0]", "{'id': 1}"),), 90)
    shown = lines_of(replace(ASKED, given=(long, value("n", "3"))), Size(80, 24))
    assert shown[1:5] == [
        "  merge(rows, n=3)",
        "  given     rows = […] (90)",
        "              [0] = {'id': 1}",
        "              … 89 more",
    ]


def test_a_returned_argument_is_not_shown_twice() -> None:
    item = replace(value("self", "Item(x=1)", (value(".x", "1"),)), object=5)
    asked = replace(ASKED, given=(item,), produced=replace(item, label=""))
    assert "  returned  self  the same object" in lines_of(asked, Size(80, 24))


def test_what_has_room_is_opened() -> None:
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


def test_what_changed_and_was_raised() -> None:
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
def test_a_large_question_fits(width: int, height: int) -> None:
    size = Size(width, height)
    painter = Painter(width)
    shown = [painter.text(line) for line in question_lines(LARGE, HEAD, size)]
    assert len(shown) <= height - 3  # an empty line, the prompt, what was answered before
    assert max(map(columns, shown)) <= width
    text = "\n".join(shown)
    for name in ("given", "read", "returned", "yielded", "changed", "printed", "called"):
        assert f"\n  {name} " in text
    assert "more (+ shows all)" in text


def test_opened_it_shows_more() -> None:
    folded_size, opened = Size(80, 24), Size(80, 24, detail=1)
    assert len(question_lines(LARGE, HEAD, opened)) > len(question_lines(LARGE, HEAD, folded_size))
    assert "arg11 = " not in "\n".join(lines_of(LARGE, folded_size))
    assert "arg11 = " in "\n".join(lines_of(LARGE, opened))


def test_a_group() -> None:
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


def listed(number: int, **more: object) -> QuestionView:
    return replace(ASKED, call=number, **more)  # type: ignore[arg-type]


def test_a_list_shows_every_call() -> None:
    plain = {"read": (), "yielded": (), "changed": (), "printed": "", "defined": ()}
    members = tuple(listed(i, given=(value("x", str(i)),), **plain) for i in range(1, 41))
    asked = CallList(WHERE, (value("RATE", "2"),), members)
    shown = [text_of(line) for line in list_lines(asked, "put", HEAD, Size(80, 24))]
    assert shown[1] == "  40 calls to put; judge each one"
    assert [line.split(" ")[2] for line in shown[2:42]] == [f"#{i}" for i in range(1, 41)]
    assert shown[42:] == [
        "  read      RATE = 2",
        "  called    by sort(numbers=[2, 1]) at line 24",
    ]


@pytest.mark.parametrize("width", [80, 40])
def test_a_list_is_no_wider_than_the_screen(width: int) -> None:
    long = tuple(value(f"argument{i}", "[" + "1234, " * 30 + "…]") for i in range(4))
    changes = tuple(change(f"items[{i}]", "1" * 30, "2" * 30) for i in range(9))
    member = listed(7, given=long, changed=changes, printed="line\n" * 9)
    for detail in (0, 1):
        size = Size(width, 24, detail=detail)
        shown = [text_of(x) for x in list_lines(CallList(WHERE, (), (member,)), "f", HEAD, size)]
        assert max(map(columns, shown[2:])) <= width
        counted = [line for line in shown if "more (+ shows all)" in line]
        assert len(counted) == (0 if detail else 2)
        assert sum("items[" in line for line in shown) == (9 if detail else 2)


SOURCE = Excerpt(
    "prog.py", 8, tuple(ExcerptLine(i, f"    line {i}", i % 2, i == 5, ("x = 1",) if i == 3 else ())
                        for i in range(1, 60)),
)  # fmt: skip


def test_source_marks_what_was_executed() -> None:
    short = replace(SOURCE, lines=SOURCE.lines[:5])
    assert [text_of(line).rstrip() for line in source_lines(short, 80)] == [
        "    1 ·     line 1",
        "    2       line 2",
        "    3 ·     line 3  # x = 1",
        "    4       line 4",
        "    5 >     line 5",
    ]


def test_narrow_source_has_values_where_there_is_room() -> None:
    texts = ("    def f(x):", "        y = x + 1", "        return a_long_name_of_a_function(y)")
    lines = tuple(ExcerptLine(i, text, 1, False, ("y = 3",)) for i, text in enumerate(texts, 1))
    shown = [text_of(line).rstrip() for line in source_lines(Excerpt("f.py", 1, lines), 40)]
    assert shown == [
        "    1 · def f(x):  # y = 3",
        "    2 ·     y = x + 1  # y = 3",
        "    3 ·     return a_long_name_of_a_fun…",
    ]


def test_long_source_is_cut_to_what_was_executed() -> None:
    shown = [text_of(line).rstrip() for line in source_lines(SOURCE, 80, room=10, hint=" (v)")]
    assert "    2       line 2" not in shown
    assert shown[-1] == "    …   49 more lines (v)"


FOUND = FindingView(
    calls=(8,), headline="The bug is in merge, or in a call that was not judged",
    function="merge", place="prog.py:4", question=ASKED, group=None,
    summary="It is wrong, and it made no calls.",
    reasons=(Reason(2, 8, "merge(left=[1], right=[2])", "-> [1, 2]", "wrong", "you said so"),),
    expected="[2, 1]", undecided=(Member(9, "f()", "-> 1"),), undecided_count=1,
    inadmissible=(), source=SOURCE, confirmed=False,
)  # fmt: skip


@pytest.mark.parametrize("width", [80, 40])
def test_a_finding(width: int) -> None:
    painter = Painter(width)
    shown = [painter.text(line) for line in finding_lines(FOUND, Size(width, 24))]
    head = " ".join(line.strip() for line in shown[: shown.index("")])
    assert (
        " ".join(head.split()) == "The bug is in merge, or in a call that was not judged prog.py:4"
    )
    assert "  expected  [2, 1]" in shown
    assert "It is wrong, and it made no calls." in shown
    assert any(line.startswith("  #8 merge(") for line in shown)
    assert any("This call is undecided" in line for line in shown)
    assert max(map(columns, shown)) <= width


def test_why() -> None:
    why = Why("lookahead", 18, 11, 7, 17, 4.2, True)
    text = " ".join(text_of(line) for line in why_lines(why, 80))
    assert text.startswith("The bug can be in 18 calls. If this is right, 11 calls remain;")
    assert "About 4 left, including this question." in text
    assert left_words(replace(why, is_exact=False)) == "at least 4 left"
    assert left_words(replace(why, suspects=1, expected=0.5)) == "the last one"


# -- lines -----------------------------------------------------------------------------------------


CHARACTERS = st.one_of(
    st.characters(codec="utf-8"), st.sampled_from("ab❤\ufe0f🐀🏻👩\u200de\u0301\x1f…")
)
"""Among them some whose width depends on what stands before them."""


@example(["\x1f", "🐀🏻"], 3)
@example(["❤", "\ufe0f"], 1)
@given(st.lists(st.text(CHARACTERS, max_size=20), max_size=6), st.integers(1, 40))
def test_cut_lines_fit(parts: list[str], width: int) -> None:
    line = tuple((part, "name") if i % 2 else part for i, part in enumerate(parts))
    assert columns(text_of(cut(line, width))) <= width
    if columns(text_of(line)) <= width:
        assert text_of(cut(line, width)) == text_of(line)


@given(st.lists(st.integers(0, 30), max_size=8), st.integers(1, 40))
def test_sections_share_the_room(sizes: list[int], room: int) -> None:
    sections = [
        Section(f"s{i}", tuple((str(n),) for n in range(size))) for i, size in enumerate(sizes)
    ]
    shown = folded(sections, room, 5, "")
    wanted = sum(sizes)
    at_least = sum(size > 0 for size in sizes)
    assert len(shown) <= max(min(wanted, room), at_least)
    if wanted <= room:
        assert len(shown) == wanted


def test_words_are_broken_to_a_width() -> None:
    assert broken(["f(a=1,", "b=2,", "c=3)"], 10, 4) == ["f(a=1,", "    b=2,", "    c=3)"]
    assert broken([], 10) == [""]


# -- paint -----------------------------------------------------------------------------------------


def test_colours_and_none() -> None:
    line = (("left", "name"), " = ", ("[1]", "new"))
    assert Painter(80).text(line) == "left = [1]"
    assert Painter(80, colour=True).text(line) == "\x1b[36mleft\x1b[0m = \x1b[32m[1]\x1b[0m"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_encoding_can_be_written(encoding: str) -> None:
    line = ("12 · x… → ✓ ", ("日本 é", "new"))
    text = Painter(30, encoding=encoding).text(line)
    text.encode(encoding)
    assert columns(text) <= 30
    if encoding == "ascii":
        assert text == "12 . x... -> + \\u65e5\\u672c \\."
