"""The workspace: a trace that grows, and what can go wrong with it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from wrongcall.errors import TraceError
from wrongcall.session import NoBug, Question
from wrongcall.session import search as module
from wrongcall.trace.format.checksums import Totals
from wrongcall.web.icicle import picture
from wrongcall.web.workspace import Workspace

RECORDER = """
import os, sys, time
from pathlib import Path
from wrongcall.trace.file.lock import take_recorder_lock
path = Path(sys.argv[1])
take_recorder_lock(os.open(path, os.O_RDWR), path)
print("recording", flush=True)
time.sleep(600)
"""


@contextmanager
def running(trace: Path, folder: Path) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """Make a copy of a trace that looks as if its program still ran, and its recorder."""
    copy = folder / trace.name
    shutil.copy(trace, copy)
    change(copy, "DELETE FROM meta WHERE key = 'ended'")
    command = [sys.executable, "-c", RECORDER, str(copy)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as recorder:
        assert recorder.stdout is not None
        assert recorder.stdout.readline() == b"recording\n"
        try:
            yield copy, recorder
        finally:
            recorder.kill()


def end(trace: Path) -> None:
    change(trace, "INSERT INTO meta (key, value) VALUES ('ended', '\"exit\"')")


def change(trace: Path, sql: str) -> None:
    """Change what a trace says about its run, with the total of that table."""
    with sqlite3.connect(trace) as db:
        db.execute(sql)
        totals = Totals()
        totals.add("meta", db.execute("SELECT key, value FROM meta"))
        db.executemany("INSERT OR REPLACE INTO checks VALUES (?, ?, ?)", totals.changed())
    db.close()


def test_a_question_stays_while_the_run_goes_on(traces: dict[str, Path], tmp_path: Path) -> None:
    with running(traces["mergesort"], tmp_path) as (trace, _):
        workspace = Workspace(trace)
        first = workspace.step()
        assert isinstance(first, Question)
        was_growing, version = workspace.growing, workspace.version
        assert was_growing
        workspace.refresh()
        assert workspace.version == version  # nothing new
        end(trace)
        workspace.refresh()
        assert not workspace.growing
        assert workspace.version > version
        assert workspace.step() == first
        workspace.close()


def test_errors_while_following_a_run_are_reported_and_retried(
    traces: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(traces["mergesort"], tmp_path) as (trace, _):
        workspace = Workspace(trace)
        workspace.step()
        version = workspace.version

        def fail() -> None:
            raise TraceError("the disk is gone")

        with monkeypatch.context() as patched:
            patched.setattr(workspace.recording, "refresh", fail)
            workspace.refresh()
            assert (workspace.trouble, workspace.version) == ("the disk is gone", version + 1)
            workspace.refresh()
            assert workspace.version == version + 1  # told once
        workspace.refresh()
        assert (workspace.trouble, workspace.version) == ("", version + 2)
        workspace.close()


def test_an_answer_that_cannot_be_saved_still_counts(
    traces: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.wrongcall"
    shutil.copy(traces["mergesort"], copy)
    workspace = Workspace(copy)

    def fail(*args: object) -> None:
        raise TraceError("the file is read-only")

    with monkeypatch.context() as patched:
        patched.setattr(module, "save", fail)
        workspace.change(lambda session: session.session.judge(3, "wrong"))
    assert workspace.search.unsaved == "the file is read-only"
    assert len(workspace.session.entries) == 2  # that the run is wrong was assumed before
    workspace.change(lambda session: session.session.judge(4, "right"))
    assert workspace.search.unsaved == ""
    workspace.close()
    again = Workspace(copy)
    assert len(again.session.entries) == 3
    again.close()


def test_the_picture_of_a_large_run_has_no_more_boxes_than_pixels(
    traces: dict[str, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.wrongcall"
    shutil.copy(traces["mergesort"], copy)
    workspace = Workspace(copy)
    whole = picture(workspace.snapshot(), -1, 1000)
    assert len(whole["boxes"]) == len(workspace.recording.calls.columns())
    assert whole["dust"] == []
    coarse = picture(workspace.snapshot(), -1, 4)
    by_level: dict[int, int] = {}
    for _, _, depth, *_ in coarse["boxes"]:
        by_level[depth] = by_level.get(depth, 0) + 1
    assert max(by_level.values()) <= 4
    # Every node is in a box of its own or in dust.
    boxed = {box[0] for box in coarse["boxes"]}
    dusty = {node for first, last, *_ in coarse["dust"] for node in range(first, last)}
    assert boxed | dusty == set(range(len(workspace.session.tree)))
    workspace.close()


def test_waiting_ends_when_the_recorder_was_killed(traces: dict[str, Path], tmp_path: Path) -> None:
    with running(traces["mergesort"], tmp_path) as (trace, recorder):
        workspace = Workspace(trace)
        workspace.step()
        before = workspace.growing, workspace.version
        recorder.kill()
        recorder.wait()
    workspace.refresh()
    assert before == (True, 1)
    assert (workspace.growing, workspace.version) == (False, 2)
    workspace.change(lambda session: session.session.judge(1, "right", replace=True))
    assert isinstance(workspace.step(), NoBug)  # nothing more will come
    workspace.close()
