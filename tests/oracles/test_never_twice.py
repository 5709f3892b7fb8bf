"""The examples, searched twice: what was answered in the first run is not asked in the second."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.examples.examples import examples
from tests.oracles.playing import contracts, memory, played
from wrongcall.oracles.answer_store import AnswerStore

pytestmark = pytest.mark.once
COMPARABLE = (
    *("paper_sets", "paper_castling", "paper_mergesort", "paper_ordermerge", "paper_listsort"),
    *("mergesort", "inventory", "payroll", "sales", "invoice"),
)
"""Examples whose calls can all be compared between runs."""
PARTLY = ("formulas", "workers")
"""Examples with functions as arguments, and with threads that change the same objects."""


@pytest.mark.parametrize("name", [*COMPARABLE, *PARTLY])
def test_the_bug_is_found_again_without_the_same_questions(name: str, tmp_path: Path) -> None:
    example = examples()[name]
    store = AnswerStore(tmp_path / "answers.db")
    first, found = played(example, tmp_path / "first", memory(store))
    assert (first > 0, found) == (True, example.function)
    second, found = played(example, tmp_path / "second", memory(store))
    assert found == example.function
    assert second == 0 if name in COMPARABLE else second < first


@pytest.mark.parametrize("name", ["inventory", "payroll", "invoice"])
def test_contracts_do_not_mislead(name: str, tmp_path: Path) -> None:
    example = examples()[name]
    assert played(example, tmp_path / "run", contracts)[1] == example.function
