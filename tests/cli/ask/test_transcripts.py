"""Whole sessions about all examples: as they are on file, truthful, and the same in a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.ask.talking import Terminal
from tests.cli.ask.transcripts import (
    FOLDER,
    answers_in,
    answers_of_the_oracle,
    transcript,
)
from tests.examples.examples import Example, examples

pytestmark = pytest.mark.once
EXAMPLES = examples()


@pytest.fixture(params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Example:
    return EXAMPLES[request.param]


FOUND = re.compile(r"The bug is in line \d+ of ([\w.]+):")


@pytest.fixture(autouse=True)
def _to_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WRONGCALL_TO", "statement")


@pytest.fixture
def on_file(example: Example) -> str:
    return (FOLDER / f"{example.name}.txt").read_text()


def test_the_transcript_by_pipe_is_as_stored(
    example: Example, on_file: str, tmp_path: Path
) -> None:
    assert transcript(example, answers_in(on_file), tmp_path) == on_file


def test_the_answers_are_true_and_lead_to_the_bug(
    example: Example, on_file: str, tmp_path: Path
) -> None:
    assert answers_in(on_file) == answers_of_the_oracle(example, tmp_path)
    assert f"\nThe bug is in {example.function}, call #" in on_file
    assert FOUND.search(on_file)[1] == example.function  # type: ignore[index]
    source = example.path.read_text().splitlines()[example.line - 1]
    assert any(f"{example.line:5} {mark} {source}".rstrip()[:40] in on_file for mark in "·>")
    assert on_file.endswith("(exit code 0)\n")


def test_the_answers_of_the_transcript_work_in_a_terminal(
    example: Example, on_file: str, tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    screen = terminal(tmp_path, "run", str(example.path))
    answers = answers_in(on_file)
    shown = [screen.answer("for help", key) for key in answers]
    assert screen.end() == 0
    assert FOUND.search(shown[-1])[1] == example.function  # type: ignore[index]
    # One question for each answer, and one for the finding.
    assert screen.text.count("\nQuestion ") == len(answers) - 1
