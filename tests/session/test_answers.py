"""Answers and decisions: in words, as plain data, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import SessionError
from wrongcall.session.answers import (
    USER,
    Answer,
    Choice,
    Decision,
    Entry,
    Part,
    Verdict,
    Where,
    from_plain,
    to_plain,
)

numbers = st.integers(0, 2**40)
spans = st.tuples(numbers, numbers)
texts = st.text(st.characters(exclude_categories=()))
times = st.floats(allow_nan=False, allow_infinity=False)
revoked = st.lists(numbers, max_size=3).map(tuple)
parts = st.builds(Part, st.sampled_from(Where), texts)
answers = st.builds(
    Answer,
    spans,
    st.sampled_from(Verdict),
    by=texts,
    at=times,
    part=st.none() | parts,
    origin=st.none() | numbers,
    expected=st.none() | texts,
    because=st.none() | numbers,
    again=st.booleans(),
    revokes=revoked,
)
decisions = st.builds(
    Decision,
    st.sampled_from(Choice),
    spans,
    by=texts,
    at=times,
    revokes=revoked,
    again=st.none() | spans,
)


@given(answers | decisions)
def test_an_entry_comes_back_from_json_as_it_was(entry: Entry) -> None:
    again = from_plain(json.loads(json.dumps(to_plain(entry))))
    assert again == entry
    assert hash(again) == hash(entry)  # tuples, not lists: sessions use entries as keys


def test_an_answer_that_lacks_optional_fields_is_read() -> None:
    assert from_plain({"calls": [3, 3], "verdict": "right"}) == Answer((3, 3), Verdict.RIGHT)
    assert from_plain({"calls": [3, 3], "choice": "confirm"}) == Decision(Choice.CONFIRM, (3, 3))


RIGHT = {"calls": [1, 1], "verdict": "right"}


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"calls": [1], "verdict": "right"},
        {"calls": None, "verdict": "right"},
        {"calls": ["one", "two"], "verdict": "right"},
        {"calls": [1, 1]},
        {"calls": [1, 1], "verdict": "no"},
        {"calls": [1, 1], "verdict": None},
        {"calls": [1, 1], "choice": "perhaps"},
        {"calls": [1, 1], "choice": "reject", "again": 5},
        {**RIGHT, "revokes": None},
        {**RIGHT, "part": {"where": "input"}},
        {**RIGHT, "part": {"where": "nowhere", "path": "x"}},
        {**RIGHT, "colour": "blue"},
        [],
    ],
)
def test_data_that_is_not_an_answer_is_refused_and_shown(plain: Any) -> None:
    with pytest.raises(SessionError) as caught:
        from_plain(plain)
    assert str(caught.value) == f"not an answer: {plain!r}"


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_is_found_by_its_name_and_by_itself(verdict: Verdict) -> None:
    assert Verdict.of(verdict.value) is verdict
    assert Verdict.of(verdict) is verdict


@pytest.mark.parametrize("name", ["maybe", "RIGHT", ""])
def test_an_unknown_verdict_is_refused_with_a_list_of_the_known_ones(name: str) -> None:
    with pytest.raises(SessionError) as caught:
        Verdict.of(name)
    assert str(caught.value).startswith(f"there is no verdict {name!r}; there are 'right', 'wrong'")
    assert '"don\'t know"' in str(caught.value)


@pytest.mark.parametrize(
    "entry,words",
    [
        (Answer((4, 4), Verdict.WRONG), "call 4: wrong (your answer)"),
        (Answer((4, 9), Verdict.RIGHT, by="contract"), "calls 4 to 9: right (contract)"),
        (Decision(Choice.GO_ON, (4, 9)), "go on call 4"),
    ],
)
def test_entries_in_words(entry: Entry, words: str) -> None:
    assert str(entry) == words


def test_an_answer_is_the_users_unless_it_says_otherwise() -> None:
    assert Answer((1, 1), Verdict.RIGHT).by == Decision(Choice.CONFIRM, (1, 1)).by == USER


def test_an_answer_knows_whether_it_is_about_one_call() -> None:
    assert Answer((1, 1), Verdict.RIGHT).is_about_one_call
    assert not Answer((1, 2), Verdict.RIGHT).is_about_one_call
