"""``wrongcall diff``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recorder.conftest import run_recorded, write_program
from wrongcall.cli.main import main

SOURCE = """
def half(n):
    return n // 2


def total(numbers):
    return sum(half(n) for n in numbers)


total([4, 5])
"""


@pytest.fixture
def traces(tmp_path: Path) -> list[str]:
    found = []
    for name, text in (("good", SOURCE.replace("n // 2", "(n + 1) // 2")), ("bad", SOURCE)):
        write_program(tmp_path / name, text)
        run_recorded(["prog.py"], tmp_path / name)
        found.append(str(tmp_path / name / "trace.wrongcall"))
    return found


def test_the_call_where_they_part_is_shown(
    traces: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["diff", *traces]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith(
        "The same input, another outcome:\n"
        "  prog.py:2\n"
        "    #4 half(n=5) -> 3\n"
        "    #4 half(n=5) -> 2\n"
    )
    assert "4 calls are in both runs: 1 the same, " in shown


def test_a_run_does_not_differ_from_itself(
    traces: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", traces[0], traces[0]]) == 0
    assert capsys.readouterr().out.startswith("No difference was found.\n")


def test_the_differences_as_json(traces: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *traces, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (part,) = found["parts"]
    assert (part["function"], part["place"]) == ("half", "prog.py:2")
    assert [part[which]["outcome"] for which in ("first", "second")] == ["-> 3", "-> 2"]
    assert found["aligned"] == sum(found["counts"].values()) == 4
    assert found["only_counts"] == [0, 0]
