"""A good run as an oracle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.oracles.good_run import GoodRun
from wrongcall.recording import Recording
from wrongcall.session import Verdict
from wrongcall.session.answers import Confidence

SOURCE = """
    def double(n):
        return 2 * n

    def half(pair):
        pair[0] = pair[0] // 2
        return pair

    def lazy(lines):
        return 1

    for n in (1, 3):
        double(n)
        half([n])
        lazy(x for x in [n])
    """


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[tuple[Recording, Path]]:
    for name, text in (("good", SOURCE), ("bad", SOURCE.replace("2 * n", "n + 1 + (n > 3)"))):
        write_program(
            tmp_path / name, text.replace("(1, 3)", "(1, 3, 5)") if name == "bad" else text
        )
        run_recorded(["prog.py"], tmp_path / name)
    with wrongcall.recording.open(tmp_path / "bad" / "trace.wrongcall") as recording:
        yield recording, tmp_path / "good" / "trace.wrongcall"


def test_equal_calls_are_likely_right_and_others_likely_wrong(
    runs: tuple[Recording, Path],
) -> None:
    recording, good = runs
    found: dict[str, list[object]] = {}
    with GoodRun(recording, good) as oracle:
        for call in recording.calls.columns().id.tolist():
            opinion = oracle.opinion((call,))
            name = recording.call(call).function.name
            found.setdefault(name, []).append(opinion and opinion.verdict)
            assert opinion is None or opinion.confidence is Confidence.LIKELY
    right, wrong = Verdict.RIGHT, Verdict.WRONG
    # For 5 the good run has no call.
    assert found["double"] == [right, wrong, None]
    assert found["half"] == [right, right, None]
    assert found["lazy"] == [None, None, None]
    assert found["<module>"] == [None]


def test_the_reason_names_the_call_of_the_good_run(runs: tuple[Recording, Path]) -> None:
    recording, good = runs
    with GoodRun(recording, good) as oracle:
        doubled = [
            call
            for call in recording.calls.columns().id.tolist()
            if recording.call(call).function.name == "double"
        ]
        group = oracle.opinion(tuple(doubled[:2]))
    assert group is not None
    assert (group.verdict, group.call) == (Verdict.WRONG, doubled[1])
    assert group.reason == "trace.wrongcall had another outcome for this input, in call #5"
