"""Picking the part of a question that is wrong."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import questions, talk
from tests.present.screens.models import ASKED, MANY, change, value
from wrongcall.cli.ask.wrong_part import LISTED, chosen, part_of, place_lines, places
from wrongcall.present.lines import text_of
from wrongcall.recording import ChangeKind
from wrongcall.session import Part, Where

MERGESORT = "mergesort.py"


def test_a_part_is_picked_from_a_list(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "p", "1", "q")
    assert "   1 result" in text
    assert re.search(r"which part.*> 1\n", text)
    assert questions(text)[1] == "merge(left=[5], right=[2])"


def test_a_part_that_does_not_exist_is_reported(record: Record) -> None:
    text, _ = talk(record(MERGESORT), "p result[7]", "p nonsense[", "q")
    assert "there is no index 7" in text
    assert "is not a place" in text
    assert len(questions(text)) == 1


def test_places_are_offered_in_the_order_outcome_effect_input() -> None:
    parts = (value("[0]", "1"), value("", "… (3 more)"), value(".x", "2"))
    changed = (
        change("c[0]", "4", "1"),
        change("c[1]", "9", "", ChangeKind.REMOVED),
        change("Node #12.next", "1", "2"),
        change("not a place!", "1", "2"),
    )
    asked = replace(ASKED, produced=value("", "[1]", parts), changed=changed)
    assert places(asked) == [
        ("result", "[1]"),
        ("result[0]", "1"),
        ("result.x", "2"),
        ("c[0]", "1"),
        ("left", "[1]"),
        ("right", "[2]"),
    ]


def test_a_call_without_a_result_offers_its_arguments() -> None:
    assert [path for path, _ in places(replace(ASKED, produced=None))] == ["left", "right"]


def test_places_are_offered_once_and_their_number_is_limited() -> None:
    assert len(places(replace(ASKED, produced=value("", "[…]", MANY)))) == LISTED
    twice = replace(ASKED, given=(value("x", "1"), value("x", "2")), produced=None)
    assert places(twice) == [("x", "2")]


def test_places_are_numbered_and_cut() -> None:
    shown = [text_of(line) for line in place_lines([("x", "1"), ("y" * 100, "2")], 40)]
    assert shown[0].startswith("   1 x ")
    assert shown[1] == f"   2 {'y' * 19}…  2"
    assert place_lines([], 40) == []


FOUND = [("result", "1"), ("x", "2")]


@pytest.mark.parametrize(
    "text,path",
    [("1", "result"), ("2", "x"), ("0", "0"), ("3", "3"), ("x[2]", "x[2]"), ("-1", "-1")],
)
def test_a_number_picks_a_listed_place_and_other_text_is_a_path(text: str, path: str) -> None:
    assert chosen(FOUND, text) == path


@pytest.mark.parametrize(
    "path,where",
    [
        ("result", Where.OUTCOME),
        ("result.x[2]", Where.OUTCOME),
        ("result[2]", Where.OUTCOME),
        ("results", Where.INPUT),
        ("c[0]", Where.EFFECT),
        ("c[0].x", Where.EFFECT),
        ("c", Where.EFFECT),
        ("left[0]", Where.INPUT),
    ],
)
def test_a_path_belongs_to_a_side_of_the_question(path: str, where: Where) -> None:
    asked = replace(ASKED, changed=(change("c[0]", "4", "1"),))
    assert part_of(asked, path) == Part(where, path)


def test_an_argument_named_result_is_not_the_outcome() -> None:
    asked = replace(ASKED, given=(value("result", "[1]"),), result_name="return")
    assert part_of(asked, "return[0]") == Part(Where.OUTCOME, "return[0]")
    assert part_of(asked, "result[0]") == Part(Where.INPUT, "result[0]")
