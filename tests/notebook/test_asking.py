"""The questions about a trace as plain data, up to the finding."""

from __future__ import annotations

import json
from pathlib import Path

from tests.notebook.notebooks import DEFINE, verdict_on
from tests.recorder.conftest import run_recorded, write_program
from wrongcall.notebook.asking import Asking


def test_questions_are_answered_undone_and_lead_to_the_statement(tmp_path: Path) -> None:
    write_program(tmp_path, f"{DEFINE}\n\ntotal([1, 2, 3])\n")
    assert run_recorded(["prog.py"], tmp_path).returncode == 0
    asking = Asking(tmp_path / "trace.wrongcall")
    first = asking.view()
    assert first["kind"] == "question"
    assert all(len(line) <= 76 for line in first["text"].splitlines())
    assert "undo" not in [each["verdict"] for each in first["answers"]]
    asking.answer("no")
    assert asking.answer("undo")["text"] == first["text"]
    shown, count = first, 0
    while shown["kind"] == "question" and count < 10:
        shown, count = asking.answer(verdict_on(shown["text"])), count + 1
    assert shown["kind"] == "finding"
    assert "wrong = x + x + 1" in shown["text"]
    assert json.loads(json.dumps(shown)) == shown
    asking.close()
