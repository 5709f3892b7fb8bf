"""Records suites of tests that fail, and opens their traces."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import wrongcall.recording
from tests.recorder.bothways import run, write_files
from wrongcall.recording import Recording
from wrongcall.session.failures import Failure, failures_of

PYTEST = ("-m", "pytest", "-q", "-p", "wrongcall.pytest_plugin")


def recorded(folder: Path, files: Mapping[str, str], *words: str) -> Path:
    """Run these files, with pytest unless ``words`` say otherwise, and record that."""
    write_files(folder, files)
    trace = folder / "it.wrongcall"
    command = ["-m", "wrongcall", "record", "--quiet", "-o", str(trace), *(words or PYTEST)]
    done = run(command, folder, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert trace.exists(), done
    return trace


def opened(trace: Path) -> Recording:
    """Open a trace."""
    return wrongcall.recording.open(trace)


def failure(recording: Recording, name: str) -> Failure:
    """Return the failure of the test with this name."""
    (found,) = [f for f in failures_of(recording) if f.test.rpartition("::")[2] == name]
    return found


def names(recording: Recording, calls: tuple[int, ...] | list[int]) -> list[str]:
    """Return the names of the functions that were called."""
    return [recording.call(call).function.qualname for call in calls]
