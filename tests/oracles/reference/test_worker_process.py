"""A process that behaves badly is named, and never waited for too long."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.recorder.conftest import Record
from wrongcall.errors import OracleError
from wrongcall.oracles.reference import worker_process
from wrongcall.oracles.reference.worker_process import Allowed, WorkerProcess, python_of
from wrongcall.recording import Recording


@pytest.fixture
def recording(record: Record) -> Recording:
    return record("def f(n):\n    return n\nf(1)\n").recording


def played(folder: Path, script: str) -> Allowed:
    """Return settings with which a shell script plays the process."""
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return Allowed(python=str(path))


@pytest.mark.parametrize(
    "script, reason",
    [
        ("exit 3", "ended while loading the reference \\(exit code 3\\)|has ended"),
        ("kill -SEGV $$", "signal 11|has ended"),
        ("head -n 1 > /dev/null; echo nonsense; sleep 100", "said b'nonsense'"),
        ("head -n 1 > /dev/null; echo '[1]'; sleep 100", "said b'\\[1\\]'"),
        ("exec sleep 100", "no answer within 0.5 s"),
    ],
)
def test_a_process_that_does_not_answer(
    recording: Recording,
    tmp_path: Path,
    script: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if script.startswith("exec"):
        monkeypatch.setattr(worker_process, "START_LIMIT_S", 0.5)
    with pytest.raises(OracleError, match=reason):
        WorkerProcess(recording, tmp_path, played(tmp_path, script))


def test_it_is_ended_and_its_folder_removed(recording: Recording, tmp_path: Path) -> None:
    worker = WorkerProcess(recording, tmp_path)
    folder = Path(worker._folder.name)
    assert folder.is_dir()
    assert worker.ask((2,))["verdict"] == "right"
    worker.close()
    assert not folder.exists()
    assert worker._process.returncode is not None
    with pytest.raises(OracleError, match="has ended"):
        worker.ask((2,))


def test_what_a_trace_names_is_not_started(
    recording: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert python_of(recording) == sys.executable
    meta = {**recording.meta, "python_path": str(tmp_path / "evil")}
    monkeypatch.setattr(type(recording), "meta", meta)
    assert python_of(recording) == sys.executable
    assert python_of(recording, "/given") == "/given"


def test_another_version_of_python_is_refused(
    recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = {**recording.meta, "python": "3.10.1"}
    monkeypatch.setattr(type(recording), "meta", meta)
    with pytest.raises(OracleError, match=r"ran on Python 3.10.1, and wrongcall runs on"):
        python_of(recording)


def test_descriptors_are_not_left_open(recording: Recording, tmp_path: Path) -> None:
    WorkerProcess(recording, tmp_path).close()
    before = len(list(Path("/proc/self/fd").iterdir()))
    WorkerProcess(recording, tmp_path).close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
