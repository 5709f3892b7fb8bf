"""Differences between two runs, in words and as data."""

from __future__ import annotations

from pathlib import Path

import wrongcall.recording
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.oracles.run_diff import diff_of
from wrongcall.present.run_diffs import DiffView
from wrongcall.present.text import columns

SOURCE = """\
def note(n):
    return n

def work(items):
    return [note(n) for n in items]

work([1, 2, 3])
"""


def trace(folder: Path, source: str) -> Path:
    write_program(folder, source)
    run_recorded(["prog.py"], folder)
    return folder / "trace.wrongcall"


def test_calls_that_only_one_run_made_are_listed_up_to_the_limit(tmp_path: Path) -> None:
    good = trace(tmp_path / "good", SOURCE)
    bad = trace(tmp_path / "bad", SOURCE.replace("work([1, 2, 3])", "work([1, 2, 3, 4, 5, 6])"))
    with wrongcall.recording.open(good) as one, wrongcall.recording.open(bad) as other:
        view = DiffView(one, other, diff_of(one, other), 2)
        lines = list(view.lines(60))
        data = view.data()
    assert view.differs
    at = lines.index("Only in the second run:")
    assert [line.partition(" note")[2] for line in lines[at + 1 : at + 3]] == [
        "(n=4) -> 4",
        "(n=5) -> 5",
    ]
    assert lines[at + 3] == "  … 1 more"
    assert all(columns(line) <= 60 for line in lines[:-1])
    assert data["only_counts"] == [0, 3]
    assert view.where is not None


def test_a_run_is_like_itself(tmp_path: Path) -> None:
    path = trace(tmp_path, SOURCE)
    with wrongcall.recording.open(path) as one, wrongcall.recording.open(path) as other:
        view = DiffView(one, other, diff_of(one, other), 2)
        assert next(view.lines(60)) == "No difference was found."
    assert not view.differs
    assert view.where is None
