"""What all writers use: reading a few parts at a time, and safe names."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.present.objects import HOSTILE, Objects
from wrongcall.present.forms.form import few, is_type, type_name, word
from wrongcall.recording import UNSET


@given(st.lists(st.integers(), max_size=100))
def test_reading_a_few_at_a_time_gives_all_in_order(values: list[int]) -> None:
    assert list(few(lambda first, last: values[first:last])) == values


def test_no_more_is_read_than_is_used() -> None:
    read = []

    def ask(first: int, last: int) -> list[int]:
        read.append((first, last))
        return list(range(first, last))

    assert list(islice(few(ask), 20)) == list(range(20))
    assert read[-1][1] < 100
    assert len(read) == len(set(read))


def test_the_type_of_an_object_is_its_module_and_its_name(objects: Objects) -> None:
    ref = objects.new("Match", module="re")
    peek = objects.peek(ref)
    assert is_type(peek, "re", "Match")
    assert not is_type(peek, "re", "Pattern")
    assert not is_type(peek, "tennis", "Match")


def test_the_name_of_a_type_is_made_safe(objects: Objects) -> None:
    assert type_name(objects.peek(objects.new(HOSTILE))) == r"\x1b[2J\u202e\n"


@pytest.mark.parametrize(
    "value,shown", [("add", "add"), (HOSTILE, r"\x1b[2J\u202e\n"), (3, "?"), (None, "?")]
)
def test_a_name_that_is_not_text_is_shown_as_a_question_mark(value: object, shown: str) -> None:
    assert word(value) == shown  # type: ignore[arg-type]
    assert word(UNSET) == "?"
