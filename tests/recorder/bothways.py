"""Runs a program twice, under plain ``python`` and under ``wrongcall record``, to compare.

Both runs happen in the same folder, one after the other, so that paths are the same. What is
compared is all that can be seen from outside: standard output, standard error without our one
summary line, and the exit status (negative: the signal that ended it).
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRACE = "trace.wrongcall"
SUMMARY = re.compile(
    r"wrongcall: (?P<calls>[\d,]+) calls, (?P<events>[\d,]+) events in (?P<seconds>[\d.]+) s"
    r" -> (?P<file>.+) \((?P<size>[\d.]+ \w+)\)(?P<note>.*)\n"
)
MODULE = ("-m", "wrongcall")
COMMAND = (str(Path(sys.executable).with_name("wrongcall")),)
RECORD = ("record", "-o", TRACE)
UNWANTED = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONWARNINGS"}
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


@dataclass(frozen=True)
class Outcome:
    """What a run looked like from outside."""

    stdout: str
    stderr: str
    status: int


def write_files(folder: Path, program: str | Mapping[str, str | bytes]) -> None:
    """Write a program: the source of prog.py, or all its files by their names."""
    files = {"prog.py": program} if isinstance(program, str) else program
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = textwrap.dedent(content).encode()
        path.write_bytes(content)


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of both runs."""
    kept = {k: v for k, v in os.environ.items() if k not in UNWANTED}
    return {**kept, "PYTHONHASHSEED": "0", **(more or {})}


def run(command: Sequence[str], folder: Path, **how: Any) -> Outcome:
    """Run this interpreter with these arguments."""
    options = {"capture_output": True, "timeout": 60, **how}
    options["env"] = environment(options.get("env"))
    done = subprocess.run([sys.executable, *command], cwd=folder, text=True, check=False, **options)
    return Outcome(_still(done.stdout), _still(done.stderr), done.returncode)


def _still(text: str | None) -> str:
    """Without what differs from run to run."""
    return ADDRESS.sub("0x...", text or "")


def plain(folder: Path, *args: str, flags: Sequence[str] = (), **how: Any) -> Outcome:
    """Run ``python flags args``."""
    return run([*flags, *args], folder, **how)


def recorded(
    folder: Path,
    *args: str,
    flags: Sequence[str] = (),
    options: Sequence[str] = (),
    summaries: int = 1,
    command: bool = False,
    **how: Any,
) -> Outcome:
    """Run ``python flags -m wrongcall record options args``; takes the summary line away.

    command: start the command ``wrongcall`` instead of the module.
    """
    start = COMMAND if command else MODULE
    done = run([*flags, *start, *RECORD, *options, *args], folder, **how)
    stderr, found = SUMMARY.subn("", done.stderr)
    assert found == summaries, f"summary lines: {found}\n{done.stderr}"
    return Outcome(done.stdout, stderr, done.status)


def runs_the_same(
    folder: Path,
    program: str | Mapping[str, str | bytes],
    *args: str,
    flags: Sequence[str] = (),
    summaries: int = 1,
    command: bool = False,
    **how: Any,
) -> Outcome:
    """Run a program both ways, assert that nothing differs, and return what was seen."""
    write_files(folder, program)
    args = args or ("prog.py",)
    expected = plain(folder, *args, flags=flags, **how)
    actual = recorded(folder, *args, flags=flags, summaries=summaries, command=command, **how)
    assert actual == expected, difference(expected, actual)
    return expected


def difference(expected: Outcome, actual: Outcome) -> str:
    """What is missing (-) and what is too much (+) in the recorded run."""
    before, after = (
        [*f"{o.stdout}\n-- stderr\n{o.stderr}\n-- status {o.status}".splitlines()]
        for o in (expected, actual)
    )
    return "\n".join(difflib.unified_diff(before, after, "python", "recorded", lineterm="", n=1))
