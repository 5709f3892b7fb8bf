"""A call with everything that is known about it."""

from __future__ import annotations

from dataclasses import replace

from tests.present.screens.models import ASKED, LARGE, SOURCE, change, value
from wrongcall.present.lines import text_of
from wrongcall.present.screens.call import call_lines, variables_lines
from wrongcall.present.text import columns

SHORT = replace(SOURCE, lines=SOURCE.lines[:2])


def test_a_call_shows_when_it_ran_its_variables_and_its_source() -> None:
    asked = replace(ASKED, variables=(change("lb", "0", "3"),))
    shown = [text_of(line).rstrip() for line in call_lines(asked, SHORT, 80)]
    assert shown == [
        "Call #8  examples/mergesort.py:4, time 10 to 20",
        "  merge(left=[1], right=[2])",
        "  returned  [1, 2]",
        "  called    by #3 sort(numbers=[2, 1]) at line 24",
        "  variables lb: 0 -> 3",
        "",
        "    1 ·     line 1",
        "    2       line 2",
    ]


def test_an_unfinished_call_shows_no_end_time() -> None:
    asked = replace(ASKED, exit=-1, produced=None, outcome="still running")
    assert text_of(call_lines(asked, SHORT, 80)[0]).endswith(", time 10, not completed")


def test_nothing_is_folded() -> None:
    shown = [text_of(line) for line in call_lines(LARGE, SOURCE, 80)]
    assert not [line for line in shown if "shows all" in line]
    assert sum("c[" in line and "old -> new" in line for line in shown) == 40
    assert sum(line.strip() == "line" or line.endswith(" line") for line in shown) == 100
    assert sum(f"line {i}" in line for i, line in zip(range(1, 60), shown[-59:], strict=True)) == 59
    assert max(map(columns, shown)) <= 80


def test_variables_at_a_time_stand_above_the_source() -> None:
    variables = (value("lb", "3"), value("c", "[1, 4]"))
    shown = [
        text_of(line).rstrip()
        for line in variables_lines(8, "merge(…)", "time 15, line 5", variables, SHORT, 80)
    ]
    assert shown[:5] == [
        "Call #8  time 15, line 5",
        "  merge(…)",
        "  variables lb = 3",
        "            c = [1, 4]",
        "",
    ]


def test_without_variables_there_is_no_section() -> None:
    shown = [text_of(line) for line in variables_lines(8, "f()", "time 1", (), SHORT, 80)]
    assert not [line for line in shown if "variables" in line]
