"""What writing and reading know about a run besides its events: processes, and modules that were not recorded.

The process that writes a trace loads this, and not the tables of the program, which need numpy.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from wrongcall.errors import TraceError

FIRST_PROCESS = 1
"""The number of the program itself."""

UNRECORDED = "unrecorded "
"""The prefix of the keys of unrecorded modules in the table ``meta``; a number follows."""


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def parsed(text: str) -> Any:
    """Parse a JSON text."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as exc:
        raise TraceError(f"damaged trace: {text[:40]!r} is not JSON: {exc}") from exc


@dataclass(frozen=True)
class Unrecorded:
    """A module of the project that ran without being recorded, and why."""

    path: str
    module: str
    reason: str


@dataclass(frozen=True)
class RecordedProcess:
    """A process of the run: the program, or one that it started."""

    id: int
    pid: int
    """The system's number; 0 if not known: it may never have begun."""
    parent: int
    """The process that started it; 0 for the program."""
    call: int
    """The call that started it; 0 if none did."""
    how: int
    """A `Start`; 0 for the program."""
    time: int
    """When it was started."""
    ended: str
    """How it ended; empty if not known."""
