"""The order of a question's parts: one for the terminal and the page."""

from __future__ import annotations

import pytest

from wrongcall.present.question_parts import (
    GROUP_PARTS,
    GROUP_PARTS_OF_PAGE,
    QUESTION_PARTS,
    QuestionPart,
    in_order,
)


@pytest.mark.parametrize("parts", [QUESTION_PARTS, GROUP_PARTS, GROUP_PARTS_OF_PAGE])
def test_a_part_has_one_place(parts: tuple[QuestionPart, ...]) -> None:
    names = [part.name for part in parts]
    assert len(names) == len(set(names))


def test_terminal_and_page_show_the_same_parts_of_a_group() -> None:
    shown = {part for part in GROUP_PARTS if part.title}
    assert set(GROUP_PARTS_OF_PAGE) == shown


def test_parts_are_put_in_order() -> None:
    shown = {"read": ["n = 3"], "given": ["a = 1", "b = 2"], "printed": []}
    assert in_order(QUESTION_PARTS, shown) == ["a = 1", "b = 2", "n = 3"]


def test_nothing_is_shown_without_a_place_in_the_order() -> None:
    with pytest.raises(ValueError, match=r"without a place: \['weather'\]"):
        in_order(QUESTION_PARTS, {"weather": ["sunny"]})
