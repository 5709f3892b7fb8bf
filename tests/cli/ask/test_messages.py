"""What the terminal says besides questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wrongcall.cli.ask.messages import help_lines, introduction_lines, strategy_lines, why_lines
from wrongcall.present.estimates import left_words
from wrongcall.present.key_map import PLACES, keys_at, name_of
from wrongcall.present.lines import text_of
from wrongcall.present.text import columns
from wrongcall.session.steps import Why
from wrongcall.session.strategies import strategies


def test_the_reason_counts_the_calls_left() -> None:
    why = Why("lookahead", 18, 11, 7, 17, 4.2, True)
    text = " ".join(text_of(line) for line in why_lines(why, 80))
    assert text.startswith("The bug can be in 18 calls. If this is right, 11 calls remain;")
    assert "About 4 left, including this question." in text
    assert left_words(replace(why, is_exact=False)) == "at least 4 left"
    assert left_words(replace(why, suspects=1, expected=0.5)) == "the last one"


WHY = Why("lookahead", 18, 11, 7, 17, 4.2, True)


def test_the_note_of_a_strategy_follows_the_reason() -> None:
    *_, last = why_lines(replace(WHY, note="no optimum within 2 s: lookahead"), 80)
    assert last == (("no optimum within 2 s: lookahead", "quiet"),)
    assert len(why_lines(WHY, 200)) + 1 == len(why_lines(replace(WHY, note="odd"), 200))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("width", [40, 80])
def test_the_help_has_a_line_for_each_key_that_fits(place: str, width: int) -> None:
    keys = keys_at(place)
    lines = [text_of(line) for line in help_lines(keys, width)]
    assert len(lines) == len(keys)
    for key, line in zip(keys, lines, strict=True):
        assert line.startswith(f"  {name_of(key.key)} ")
        assert columns(line) <= width


@pytest.mark.parametrize("width", [40, 80])
def test_the_strategies_are_listed_with_the_current_one_marked(width: int) -> None:
    lines = [text_of(line) for line in strategy_lines("top-down", width)]
    assert [line.split()[0] for line in lines if not line.startswith("> ")] == [
        name for name in sorted(strategies()) if name != "top-down"
    ]
    (marked,) = [line for line in lines if line.startswith("> ")]
    assert marked.startswith("> top-down ")
    assert max(map(columns, lines)) <= width


@pytest.mark.parametrize("width", [20, 80])
def test_the_introduction_fits_and_names_the_key_for_help(width: int) -> None:
    lines = [text_of(line) for line in introduction_lines(width)]
    assert max(map(columns, lines)) <= width
    assert "Press ? for the other keys." in " ".join(lines)
