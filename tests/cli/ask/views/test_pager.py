"""A long text to scroll through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.cli.ask.keys import Command
from wrongcall.cli.ask.views.pager import Pager
from wrongcall.present.lines import Line, text_of
from wrongcall.present.screens.question import Size


def numbered(count: int) -> list[Line]:
    return [(str(i),) for i in range(count)]


@given(
    st.integers(1, 200),
    st.lists(st.sampled_from(["page", "page-up", "down", "up", "home", "end"]), max_size=9),
)
def test_the_pager_keeps_the_title_and_never_leaves_the_text(count: int, keys: list[str]) -> None:
    pager = Pager(lambda size: numbered(count), title=2)
    size = Size(80, 24)
    for key in keys:
        pager.lines(size)
        assert pager.move(Command(key))
    shown = [text_of(line) for line in pager.lines(size)]
    assert shown[:2] == [str(i) for i in range(min(count, 2))]
    assert len(shown) <= 24 - 2
    body = [text for text in shown[2:] if text.isdecimal()]
    if count > 2:
        first = int(body[0])
        assert body == [str(i) for i in range(first, first + len(body))]
    if keys and keys[-1] == "end":
        assert shown[-1].isdecimal() or f" to {count - 2} of {count - 2}" in shown[-1]


SCREEN = Size(80, 13)


def shown(pager: Pager, size: Size = SCREEN) -> list[str]:
    return [text_of(line) for line in pager.lines(size)]


def test_what_fits_is_shown_without_a_count() -> None:
    assert shown(Pager(lambda size: numbered(10))) == [str(i) for i in range(10)]


def test_pages_overlap_by_a_line() -> None:
    pager = Pager(lambda size: numbered(1200))
    assert shown(pager)[-2:] == ["9", "lines 1 to 10 of 1,200"]
    pager.move(Command("page"))
    assert shown(pager)[0] == "9"
    pager.move(Command("down"))
    assert shown(pager)[0] == "10"
    pager.move(Command("page-up"))
    assert shown(pager)[0] == "1"


def test_the_text_is_written_once_for_a_size_and_anew_for_another() -> None:
    written = []

    def write(size: Size) -> list[Line]:
        written.append(size)
        return numbered(100)

    pager = Pager(write)
    small, large = Size(40, 10), Size(80, 24)
    for size in (small, small, large):
        pager.lines(size)
    assert written == [small, large]


def test_a_call_can_be_judged_only_if_there_is_one() -> None:
    without, with_call = Pager(lambda size: []), Pager(lambda size: [], call=7)
    assert (without.call, with_call.call) == (0, 7)
    verdicts = {key.command for key in with_call.keys} - {key.command for key in without.keys}
    assert {"yes", "no", "dont-know"} <= verdicts
    assert "y n d" in with_call.prompt
    assert "y n d" not in without.prompt


@pytest.mark.parametrize("name", ["yes", "caller", "nonsense"])
def test_other_commands_do_not_scroll(name: str) -> None:
    pager = Pager(lambda size: numbered(100))
    before = shown(pager)
    assert not pager.move(Command(name))
    assert shown(pager) == before


def test_end_before_the_first_drawing_stays_at_the_beginning() -> None:
    pager = Pager(lambda size: numbered(100))
    assert pager.move(Command("end"))
    assert shown(pager)[0] == "0"
