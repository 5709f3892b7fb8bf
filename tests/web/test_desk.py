"""The desk: a trace that grows, and what can go wrong with it."""

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
from wrongcall.web.desk import Desk
from wrongcall.web.icicle import picture

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
        desk = Desk(trace)
        first = desk.step()
        assert isinstance(first, Question)
        was_growing, version = desk.growing, desk.version
        assert was_growing
        desk.refresh()
        assert desk.version == version  # nothing new
        end(trace)
        desk.refresh()
        assert not desk.growing
        assert desk.version > version
        assert desk.step() == first
        desk.close()


def test_what_goes_wrong_while_the_run_is_followed_is_told_and_tried_again(
    traces: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(traces["mergesort"], tmp_path) as (trace, _):
        desk = Desk(trace)
        desk.step()
        version = desk.version

        def fail() -> None:
            raise TraceError("the disk is gone")

        with monkeypatch.context() as patched:
            patched.setattr(desk.trace, "refresh", fail)
            desk.refresh()
            assert (desk.trouble, desk.version) == ("the disk is gone", version + 1)
            desk.refresh()
            assert desk.version == version + 1  # told once
        desk.refresh()
        assert (desk.trouble, desk.version) == ("", version + 2)
        desk.close()


def test_an_answer_that_cannot_be_saved_still_counts(
    traces: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.wrongcall"
    shutil.copy(traces["mergesort"], copy)
    desk = Desk(copy)

    def fail(*args: object) -> None:
        raise TraceError("the file is read-only")

    with monkeypatch.context() as patched:
        patched.setattr(module, "save", fail)
        desk.change(lambda session: session.judge(3, "wrong"))
    assert desk.search.unsaved == "the file is read-only"
    assert len(desk.session.entries) == 2  # that the run is wrong was assumed before
    desk.change(lambda session: session.judge(4, "right"))
    assert desk.search.unsaved == ""
    desk.close()
    again = Desk(copy)
    assert len(again.session.entries) == 3
    again.close()


def test_the_picture_of_a_large_run_has_no_more_boxes_than_pixels(
    traces: dict[str, Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.wrongcall"
    shutil.copy(traces["mergesort"], copy)
    desk = Desk(copy)
    whole = picture(desk.glance(), -1, 1000)
    assert len(whole["boxes"]) == len(desk.session.tree)
    assert whole["dust"] == []
    coarse = picture(desk.glance(), -1, 4)
    by_level: dict[int, int] = {}
    for _, _, depth, *_ in coarse["boxes"]:
        by_level[depth] = by_level.get(depth, 0) + 1
    assert max(by_level.values()) <= 4
    # Every node is in a box of its own or in dust.
    boxed = {box[0] for box in coarse["boxes"]}
    dusty = {node for first, last, *_ in coarse["dust"] for node in range(first, last)}
    assert boxed | dusty == set(range(len(desk.session.tree)))
    desk.close()


def test_a_recorder_that_was_killed_ends_the_waiting(
    traces: dict[str, Path], tmp_path: Path
) -> None:
    with running(traces["mergesort"], tmp_path) as (trace, recorder):
        desk = Desk(trace)
        desk.step()
        before = desk.growing, desk.version
        recorder.kill()
        recorder.wait()
    desk.refresh()
    assert before == (True, 1)
    assert (desk.growing, desk.version) == (False, 2)
    desk.change(lambda session: session.judge(1, "right", replace=True))
    assert isinstance(desk.step(), NoBug)  # nothing more will come
    desk.close()
