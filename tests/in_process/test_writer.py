"""The writer drains until the recorded process says that it is over, or is gone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wrongcall.in_process.writer import Writer
from wrongcall.recording import open as open_trace
from wrongcall.trace.write.ring import ProgramState, Ring, Word


@pytest.mark.parametrize(
    "state, lost", [(ProgramState.ENDED, None), (ProgramState.OUT_OF_MEMORY, "out of memory")]
)
def test_it_ends_when_the_program_says_so(
    tmp_path: Path, state: ProgramState, lost: str | None
) -> None:
    with Ring.create() as ring:
        writer = Writer(told(ring, tmp_path, os.getpid()))
        ring._words[Word.PROGRAM_STATE] = state
        assert writer.run() == {"lost": lost, "kept": None, "calls": 0}
    with open_trace(tmp_path / "f.wrongcall") as recording:
        assert recording.meta["ended"] == "exit"


def test_it_ends_when_the_program_has_died(tmp_path: Path) -> None:
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with Ring.create() as ring, program:
        writer = Writer(told(ring, tmp_path, program.pid))
        ring._words[Word.PROGRAM_STATE] = ProgramState.RECORDING
        program.kill()
        writer.run()
    with open_trace(tmp_path / "f.wrongcall") as recording:
        assert recording.meta["ended"] == "killed"


def told(ring: Ring, folder: Path, program: int) -> dict[str, object]:
    """Return what a writer is told."""
    path = str(folder / "f.wrongcall")
    return {"ring": os.dup(ring.fd), "path": path, "force": False, "meta": {}, "program": program}
