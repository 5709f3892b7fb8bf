"""Programs that are judged by another version of themselves."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.oracles.reference.here import Here
from tests.recorder.conftest import Record
from wrongcall.session import Verdict

Judge = Callable[..., dict[str, list[Verdict]]]
Why = Callable[..., dict[str, list[str]]]


def _fixed(folder: Path, source: str, wrong: str, right: str) -> Path:
    text = textwrap.dedent(source)
    assert not wrong or text.count(wrong) == 1
    path = folder / "fixed.py"
    path.write_text(text.replace(wrong, right) if wrong else text)
    return path


@pytest.fixture
def why(record: Record, tmp_path: Path) -> Why:
    """Judge all calls of a program by what it is with one text replaced by another; return the reasons."""

    def why(source: str, wrong: str = "", right: str = "") -> dict[str, list[str]]:
        recorded = record(source)
        reference = Here.of(recorded.recording, _fixed(tmp_path, source, wrong, right))
        found: dict[str, list[str]] = {}
        for number in recorded.recording.calls.columns().id.tolist():
            verdict = reference.verdict((number,))
            name = recorded.recording.call(number).function.qualname
            found.setdefault(name, []).append(f"{verdict.value}: {reference.why[number,]}")
        return found

    return why


@pytest.fixture
def judge(why: Why) -> Judge:
    """Do the same, and return the verdicts."""

    def judge(source: str, wrong: str = "", right: str = "") -> dict[str, list[Verdict]]:
        return {
            name: [Verdict(text.partition(":")[0]) for text in texts]
            for name, texts in why(source, wrong, right).items()
        }

    return judge


def all_right(verdicts: dict[str, list[Verdict]]) -> bool:
    """Return whether all verdicts are right."""
    return all(verdict is Verdict.RIGHT for each in verdicts.values() for verdict in each)
