"""Who is asked, in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.conftest import Record
from wrongcall.oracles.chosen import DEFAULT, NAMES, Chosen, check_names, parsed_names


def test_the_default_oracles_exist() -> None:
    assert set(DEFAULT) <= set(NAMES)


def test_names_are_checked_and_kept_in_order() -> None:
    assert check_names(["memory", "memory"]) == ("memory",)
    assert parsed_names("none") == parsed_names("") == ()
    assert parsed_names(" memory ,") == ("memory",)
    for wrong in ("memroy", "none,memory"):
        with pytest.raises(ValueError, match="the oracles are memory"):
            parsed_names(wrong)


def test_oracles_are_made_in_the_order_of_their_names(record: Record, tmp_path: Path) -> None:
    recording = record("print(1)").recording
    for names in (DEFAULT, DEFAULT[::-1]):
        made = Chosen(names, tmp_path, lambda _, call: ("", "")).oracles(recording)
        assert [oracle.name for oracle in made] == list(names)
    # Of a project that is not here nothing is known but what is in the trace.
    alone = Chosen(NAMES, None, lambda _, call: ("", "")).oracles(recording)
    assert [oracle.name for oracle in alone] == ["contracts", "agents"]
