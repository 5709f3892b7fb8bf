"""The process that writes the trace of a running process, from the side of that process.

It must not be our child: a program that waits for its children would meet it. So what we start forks and ends, and its
child is the writer. It outlives us if we die, to write what was handed over, and then ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from wrongcall.errors import RecorderError, TraceError

SCRIPT = Path(__file__).with_name("writer.py")


class WriterLink:
    """A writer that has begun."""

    def __init__(self, pid: int, answers: int) -> None:
        self.pid = pid
        self._answers = answers

    @classmethod
    def start(cls, ring: int, path: Path, meta: dict[str, Any], *, force: bool) -> WriterLink:
        """Start a writer for a ring; return when the trace exists."""
        answers, tell = os.pipe()
        try:
            told = {"ring": ring, "tell": tell, "path": str(path), "force": force, "meta": meta}
            command = [sys.executable, str(SCRIPT), json.dumps({**told, "program": os.getpid()})]
            _run(command, (ring, tell))
        except BaseException:
            os.close(answers)
            raise
        finally:
            os.close(tell)
        first = _line(answers)
        if "pid" not in first:
            os.close(answers)
            raise TraceError(
                first.get("error") or "the process that writes the trace did not start"
            )
        return cls(first["pid"], answers)

    def finish(self) -> dict[str, Any]:
        """Wait until the trace is complete; return what the writer says about it."""
        try:
            facts = _line(self._answers)
        finally:
            os.close(self._answers)
        return facts or {"lost": "the process that writes the trace was killed"}


def _run(command: list[str], descriptors: tuple[int, ...]) -> None:
    """Run what starts the writer, away from our terminal and streams."""
    nothing = subprocess.DEVNULL
    try:
        subprocess.run(
            command, stdin=nothing, stdout=nothing, stderr=nothing, pass_fds=descriptors,
            start_new_session=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise RecorderError(f"can't start {command[0]}: {error.strerror}") from error


def _line(descriptor: int) -> dict[str, Any]:
    """Read one line of JSON; empty if the writer is gone."""
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(descriptor, 65536)
        if not part:
            return {}
        text += part
    found: dict[str, Any] = json.loads(text)
    return found
