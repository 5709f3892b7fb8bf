"""Source with what was executed, and values beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.present.screens.models import SOURCE
from wrongcall.present import Excerpt, ExcerptLine, columns
from wrongcall.present.lines import text_of
from wrongcall.present.screens.source import source_lines


def test_source_marks_what_was_executed() -> None:
    short = replace(SOURCE, lines=SOURCE.lines[:5])
    assert [text_of(line).rstrip() for line in source_lines(short, 80)] == [
        "    1 ·     line 1",
        "    2       line 2",
        "    3 ·     line 3  # x = 1",
        "    4       line 4",
        "    5 >     line 5",
    ]


def test_narrow_source_shows_values_where_they_fit() -> None:
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


def test_marked_lines_of_a_long_function_are_never_left_out() -> None:
    lines = tuple(ExcerptLine(n, f"line{n}()", 1, n == 90, ()) for n in range(1, 101))
    shown = [text_of(line) for line in source_lines(Excerpt("prog.py", 1, lines), 80, room=20)]
    assert "   90 > line90()" in shown
    assert shown[:2] == ["    1 · line1()", "    2 · line2()"]
    assert shown[-1].strip() == "… 80 more lines".replace("… ", "…   ")


def test_values_that_do_not_fit_are_wrapped_or_cut() -> None:
    values = tuple(f"value{i} = {'x' * 20}" for i in range(4))
    source = Excerpt("f.py", 1, (ExcerptLine(1, "f(value)", 1, False, values),))
    (line,) = source_lines(source, 80)
    assert columns(text_of(line)) <= 80
    assert text_of(line).endswith("…")
    wrapped = [text_of(line) for line in source_lines(source, 80, wraps=True)]
    assert max(map(columns, wrapped)) <= 80
    noted = [note for line in wrapped for note in line.partition("  # ")[2].split(", ")]
    assert noted == list(values)


def test_a_gap_is_shown_where_lines_are_left_out() -> None:
    lines = tuple(ExcerptLine(n, f"line{n}", int(n < 3 or n > 8), False, ()) for n in range(1, 11))
    shown = [text_of(line).rstrip() for line in source_lines(Excerpt("f.py", 1, lines), 80, room=4)]
    assert [line.split()[0] for line in shown] == ["1", "2", "…", "9", "10", "…"]


def test_source_without_lines_shows_nothing() -> None:
    assert source_lines(Excerpt("f.py", 1, ()), 80) == []


@pytest.mark.parametrize("width", [20, 40, 59, 60, 80])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    lines = tuple(
        ExcerptLine(n, "x" * n * 9 + "日本", 1, n == 2, ("y = 1",) * 3) for n in range(1, 9)
    )
    shown = [text_of(line) for line in source_lines(Excerpt("f.py", 1, lines), width)]
    assert max(map(columns, shown)) <= width
