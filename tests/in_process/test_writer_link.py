"""The process that writes the trace begins, answers and ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wrongcall.errors import RecorderError, TraceError
from wrongcall.in_process import writer_link
from wrongcall.in_process.writer_link import WriterLink
from wrongcall.trace.write.ring import Ring, Word

META = {"kind": "block", "program": ["x"], "root": "/"}


def test_the_writer_is_no_child_of_ours_and_ends_with_the_recording(tmp_path: Path) -> None:
    with Ring.create() as ring:
        writer = WriterLink.start(ring.fd, tmp_path / "f.wrongcall", META, force=False)
        status = Path(f"/proc/{writer.pid}/status").read_text()
        assert f"PPid:\t{os.getpid()}\n" not in status
        ring._words[Word.PROGRAM_STATE] = 2  # what a program says at its end
        facts = writer.finish()
    assert facts["calls"] == 0
    assert facts["lost"] is None
    assert (tmp_path / "f.wrongcall").exists()


def test_a_trace_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    with Ring.create() as ring, pytest.raises(TraceError, match="there is no folder"):
        WriterLink.start(ring.fd, tmp_path / "no" / "f.wrongcall", META, force=False)


def test_an_interpreter_that_cannot_be_started_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_link.sys, "executable", str(tmp_path / "none"))  # type: ignore[attr-defined]
    with Ring.create() as ring, pytest.raises(RecorderError, match=r"can't start .*/none"):
        WriterLink.start(ring.fd, tmp_path / "f.wrongcall", META, force=False)
