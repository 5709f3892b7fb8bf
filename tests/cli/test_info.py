"""``wrongcall info``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.paper import EXAMPLE, Run, shown
from tests.trace.emitter import Emitter
from wrongcall.cli.info import _ending
from wrongcall.trace.write.writer import TraceWriter


def test_info_shows_program_and_counts(run: Run, paper: str) -> None:
    lines = shown(run, "info", paper)
    assert lines[0].endswith("paper_mergesort.py")
    assert "calls    8 of 4 functions" in lines
    data = json.loads("\n".join(shown(run, "info", paper, "--json")))
    assert (data["calls"], data["functions"], data["ended"], data["status"]) == (8, 4, "exit", 0)
    assert data["files"][0]["path"] == str(EXAMPLE)


def test_info_lists_the_first_of_many_files(run: Run, tmp_path: Path) -> None:
    for i in range(20):
        (tmp_path / f"part{i}.py").write_text("x = 1\n")
    program = tmp_path / "prog.py"
    program.write_text("".join(f"import part{i}\n" for i in range(20)))
    trace = str(tmp_path / "prog.wrongcall")
    command = [sys.executable, "-m", "wrongcall", "record", "-o", trace, str(program)]
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    lines = shown(run, "info", trace)
    assert sum(line.startswith("file ") for line in lines) == 12
    assert lines[-1].strip() == "and 9 more files (--json lists all)"
    assert len(json.loads("\n".join(shown(run, "info", trace, "--json")))["files"]) == 21


@pytest.mark.parametrize(
    "facts,text",
    [
        ({"ended": None}, "not ended: still running, or its recorder was killed"),
        ({"ended": "exit", "status": 3, "seconds": 1.234}, "exit status 3 after 1.23 s"),
        ({"ended": "exit", "status": None, "seconds": None}, "exit status None"),
        (
            {"ended": "exit", "kind": "block", "seconds": 1.0},
            "a block of a running process after 1.00 s",
        ),
        ({"ended": "killed", "seconds": 60.0}, "killed by a signal after 60.00 s"),
        ({"ended": "full disk", "seconds": None}, "full disk"),
    ],
)
def test_the_end_of_a_run_in_words(facts: dict[str, Any], text: str) -> None:
    assert _ending({"kind": "script", "status": None, "seconds": None, **facts}) == text


def test_a_trace_without_facts_is_shown_with_question_marks(run: Run, tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.new("list")
    path = tmp_path / "bare.wrongcall"
    emitter.write(path)
    lines = shown(run, "info", str(path))
    assert lines[0] == "?"
    assert "python   ?" in lines
    assert "calls    0 of 0 functions" in lines


def test_hostile_facts_are_made_safe(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.wrongcall"
    meta = {"program": ["\x1b[2J", "a b"], "python": "3\n4", "stopped": "\x07", "started": 0}
    TraceWriter(path, meta).close("exit")
    lines = shown(run, "info", str(path))
    assert lines[0] == r"\x1b[2J a b"
    assert "python   3" in lines
    assert r"stopped  \x07; what the program did after that is missing" in lines
    assert any(line.startswith("recorded 1970-01-01 00:00:00 UTC") for line in lines)
