"""Processes that were started and not recorded, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from wrongcall.events import Start
from wrongcall.present.text import fit, safe
from wrongcall.recording import Process

_SHOWN = 4
_COMMAND = 60
_MULTIPROCESSING = {
    "from multiprocessing.spawn import spawn_main": "a worker of multiprocessing",
    "from multiprocessing.forkserver import main": "the fork server of multiprocessing",
}
"""What multiprocessing runs, by how it is called."""


def process_words(processes: Sequence[Process]) -> str:
    """Say which processes were started: ``2 processes that were not recorded (python worker.py)``."""
    if not processes:
        return ""
    count = len(processes)
    many = "1 process that was" if count == 1 else f"{count:,} processes that were"
    known = Counter(_command(process) for process in processes)
    shown = [name if n == 1 else f"{n:,} times {name}" for name, n in known.items()]
    more = [f"{len(shown) - _SHOWN:,} more"] if len(shown) > _SHOWN else []
    return f"{many} not recorded ({', '.join([*shown[:_SHOWN], *more])})"


def processes_sentence(words: str) -> str:
    """Say what that means for a finding."""
    one = words.startswith("1 process")
    return f"It started {words}: the bug may be in what {'that one' if one else 'they'} did."


def _command(process: Process) -> str:
    if process.how is Start.FORKED:
        return "a fork of the program"
    for code, name in _MULTIPROCESSING.items():
        if code in process.command:
            return name
    program, space, rest = process.command.partition(" ")
    name = PurePosixPath(program).name or "a command that is not known"
    instead = "in place of the program: " if process.how is Start.REPLACED else ""
    return fit(safe(f"{instead}{name}{space}{rest}"), _COMMAND)
