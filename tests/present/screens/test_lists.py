"""Lists of calls on a screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.present.screens.models import ASKED, HEAD, WHERE, change, value
from wrongcall.present import QuestionView, columns
from wrongcall.present.lines import text_of
from wrongcall.present.lists import CallList
from wrongcall.present.screens.lists import list_lines
from wrongcall.present.screens.question import Size


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
