"""Recording small programs in tests and reading them back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import wrongcall.recording
from wrongcall.recording import Call, Recording


@dataclass
class Recorded:
    """A recorded run: what the program showed, and its trace."""

    recording: Recording
    stdout: str
    stderr: str
    status: int
    path: Path

    def calls(self, qualname: str) -> list[Call]:
        """The calls of a function, in order."""
        every = (self.recording.call(int(number)) for number in self.recording.calls.columns().id)
        return [c for c in every if c.function.qualname == qualname]

    def call(self, qualname: str) -> Call:
        """The only call of a function."""
        (found,) = self.calls(qualname)
        return found

    def picture(self, value: Any, time: int | None = None) -> Any:
        """A value as plain data at a time."""
        return self.recording.states.plain(value, time)


def write_program(folder: Path, source: str, name: str = "prog.py") -> Path:
    """Write a program's source, dedented."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(source))
    return path


def run_python(args: list[str], folder: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run this interpreter in a folder."""
    env = {**os.environ, "PYTHONHASHSEED": "0", **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, *args],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=options.pop("timeout", 120),
        **options,
    )


def run_recorded(
    args: list[str], folder: Path, options: list[str] | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    """Run ``wrongcall record -o trace.wrongcall [options] args`` in a folder."""
    command = ["-m", "wrongcall", "record", "-o", str(folder / "trace.wrongcall")]
    return run_python([*command, *(options or []), *args], folder, **more)


Record = Callable[..., Recorded]


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    """Record a program given as source text; the program must exit with `status`."""
    opened: list[Recording] = []

    def record(
        source: str, *args: str, status: int = 0, options: list[str] | None = None
    ) -> Recorded:
        write_program(tmp_path, source)
        done = run_recorded(["prog.py", *args], tmp_path, options)
        assert done.returncode == status, done.stderr
        path = tmp_path / "trace.wrongcall"
        recording = wrongcall.recording.open(path)
        opened.append(recording)
        return Recorded(recording, done.stdout, done.stderr, done.returncode, path)

    yield record
    for recording in opened:
        recording.close()


def witnessed(what: str, program: str, folder: Path) -> list[dict[str, Any]]:
    """Return what `witness` sees of a plain run: ``calls`` or ``lines``."""
    script = Path(__file__).with_name("witness.py")
    done = run_python([str(script), what, program], folder)
    assert done.returncode == 0, done.stderr
    seen: list[dict[str, Any]] = json.loads(done.stderr.splitlines()[-1])
    return seen
