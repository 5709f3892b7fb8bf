"""Findings as SARIF and as annotations of GitHub Actions."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.present.screens.models import ASKED
from tests.present.screens.test_finding import FOUND
from wrongcall.present.annotations import as_github, as_sarif


def test_sarif_has_the_place_and_the_call() -> None:
    data = json.loads(as_sarif(FOUND))
    assert data["version"] == "2.1.0"
    (run,) = data["runs"]
    assert run["tool"]["driver"]["name"] == "wrongcall"
    (result,) = run["results"]
    assert result["ruleId"] == run["tool"]["driver"]["rules"][0]["id"]
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "prog.py"}
    assert physical["region"]["startLine"] >= 4
    assert result["message"]["text"].startswith(FOUND.headline)
    assert ASKED.title in result["message"]["text"]


def test_the_marked_line_comes_before_that_of_the_function() -> None:
    source = FOUND.source
    assert source is not None
    numbers = [line.number for line in source.lines]
    lines = tuple(replace(line, marked=line.number == numbers[-1]) for line in source.lines)
    marked = replace(FOUND, source=replace(source, lines=lines))
    assert f"line={numbers[-1]}," in as_github(marked)


def test_without_a_place_there_is_no_location() -> None:
    found = replace(FOUND, place="")
    assert "locations" not in json.loads(as_sarif(found))["runs"][0]["results"][0]
    assert as_github(found).startswith("::error title=wrongcall%3A ")


@given(st.text(max_size=80))
def test_text_of_the_program_cannot_end_an_annotation(text: str) -> None:
    found = replace(FOUND, headline=text, expected=text, place=f"{text}:3")
    told = as_github(found)
    assert told.count("\n") == 1
    assert told.endswith("\n")
    head, _, _ = told.removeprefix("::").partition("::")
    assert head.startswith("error ")
    assert "::" not in head
    assert json.loads(as_sarif(found))["version"] == "2.1.0"


def test_long_messages_are_cut() -> None:
    message = json.loads(as_sarif(replace(FOUND, summary="x" * 5000)))["runs"][0]["results"][0]
    assert len(message["message"]["text"]) == 1000
