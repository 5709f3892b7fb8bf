"""Screens that are longer than the terminal: pages under a title, and the view that shows everything."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import Terminal, talk
from wrongcall.cli.ask.pages import Pages
from wrongcall.present.lines import Line, text_of

LONG = (
    "def double(xs):\n"
    '    """Double them."""\n'
    "    return [2 * x for x in xs]\n"
    "double([{'name': 'x' * 50, 'id': i} for i in range(3)] and list(range(1000, 1400)))\n"
)


def numbered(count: int) -> list[Line]:
    return [(str(i),) for i in range(count)]


@given(st.integers(0, 90), st.integers(0, 3), st.integers(8, 40))
def test_pages_hold_every_line_once_under_the_title(count: int, title: int, height: int) -> None:
    lines = numbered(count)
    pages = Pages(lines, title, height)
    seen: list[str] = []
    for number in range(pages.count):
        page = [text_of(line) for line in pages.page(number)]
        assert len(page) <= height - 2
        assert page[:title] == [text_of(line) for line in lines[:title]]
        seen += page[title:] if pages.count == 1 else page[title:-1]
    assert seen == [text_of(line) for line in lines[title:]]
    assert pages.page(pages.count) == pages.page(0)


def test_in_a_pipe_there_is_one_page() -> None:
    assert Pages(numbered(500), 2, 0).page(0) == numbered(500)


def test_everything_is_shown_in_a_pipe(record: Record) -> None:
    text, _ = talk(record(LONG), "+", "q", first=[2])
    folded, _, opened = text.partition("? for help > +\n")
    assert "1399" not in folded
    assert "1399" in opened
    assert "2798" in opened


def test_everything_is_shown_to_scroll_in(
    record: Record, terminal: Callable[..., Terminal]
) -> None:
    trace = record(LONG)
    screen = terminal(trace.parent, "debug", "--call", "#2", str(trace))
    screen.answer("? for help", "+")
    first = screen.answer("q goes back", " ")
    assert "The bug is in double" in first
    assert re.search(r"lines 1 to \d+ of \d{3}", first)
    second = screen.answer("q goes back", "\x1b[F")
    assert "The bug is in double" in second
    assert " = 1015\n" in second
    last = screen.answer("q goes back", "q")
    assert "The bug is in double" in last
    assert "return [2 * x for x in xs]" in last
    screen.answer("? for help", "q")
    assert screen.end() == 0


LOOP = (
    "def double(x):\n    return 2 * x\n"
    "def all_of(xs):\n"
    "    found = []\n    for x in xs:\n        found.append(double(x))\n    return found\n"
    "all_of(range(60))\n"
)


def test_a_long_list_is_paged_under_its_title(
    record: Record, terminal: Callable[..., Terminal]
) -> None:
    trace = record(LOOP)
    screen = terminal(trace.parent, "debug", str(trace))
    first = screen.answer("? for help", " ")
    second = screen.answer("? for help", "q")
    for number, shown in enumerate((first, second), 1):
        page = shown[shown.index("Question 1") :].splitlines()
        assert len(page) <= 24
        assert "30 calls to double; judge each one" in page[1]
        assert f"(page {number} of 2; space: next page)" in shown
    calls = [re.findall(r"#(\d+) double", shown) for shown in (first, second)]
    assert len(calls[0]) + len(calls[1]) == 30
    assert screen.end() == 1
