"""The page docs/guide/walkthrough.md shows what the commands show."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "walkthrough.md"


def sessions() -> list[tuple[str, list[str]]]:
    """The commands on the page, each with what it is said to show."""
    found: list[tuple[str, list[str]]] = []
    for line in PAGE.read_text().splitlines():
        if line.startswith("    $ wrongcall "):
            found.append((line.removeprefix("    $ wrongcall "), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
        elif not line and found and found[-1][1]:
            found[-1][1].append("")
    return found


def without_times(line: str) -> str:
    """Times differ between versions of Python: what modules hold differs."""
    line = re.sub(r"^ *\d+ (?=\d|line)", "", line)
    return re.sub(r"time \d+( to \d+)?", "time", line)


def test_the_page_shows_what_the_commands_show(tmp_path: Path) -> None:
    trace = str(tmp_path / "paper_mergesort.wrongcall")
    for command, expected in sessions():
        words = [trace if w == "paper_mergesort.wrongcall" else w for w in shlex.split(command)]
        if words[0] == "record":
            words[1:1] = ["-o", trace]
        if "--at" in words:
            history = json.loads(output("history", trace, "8", "c[2]", "--json"))
            words[words.index("--at") + 1] = str(history["versions"][-1]["time"])
        shown = [without_times(line) for line in output(*words).splitlines()]
        assert shown == [without_times(line) for line in _trimmed(expected)], command
    assert len(sessions()) == 6


def output(*words: str) -> str:
    command = [sys.executable, "-m", "wrongcall", *words]
    env = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines
