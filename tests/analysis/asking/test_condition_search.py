"""When conditions become true: as the interpreter reports, line by line."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest

from tests.analysis.asking.random_programs import random_program
from tests.recorder.conftest import Record, run_python
from wrongcall.analysis.asking import condition_search
from wrongcall.errors import UsageError

WITNESS = Path(__file__).with_name("line_witness.py")


@pytest.mark.parametrize("seed", [1, 2, 5])
@pytest.mark.parametrize(
    "condition", ["c > 2", "len(xs) > 3", "a in d", "shared > a and not c % 2"]
)
def test_a_condition_becomes_true_where_the_interpreter_says(
    record: Record, seed: int, condition: str
) -> None:
    program = random_program(seed)
    recorded = record(program.text)
    command = [str(WITNESS), "prog.py", "[]", condition]
    done = run_python(command, recorded.path.parent)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stderr.splitlines()[-1])
    asked = {*program.asked, 0}
    expected: list[tuple[int, int]] = []
    frames = sorted(seen, key=lambda row: row[2])
    for frame, rows in groupby(frames, key=lambda row: row[2]):
        before = False
        for line, (text,), _ in rows:
            if text == "True" and not before and line in asked:
                expected.append((frame, line))
            before = text == "True"
    found = [m for m in recorded.recording.find(condition) if m.line in asked]
    assert sorted(m.line for m in found) == sorted(line for _, line in expected)


def test_variables_that_no_function_has_are_refused(record: Record) -> None:
    recording = record("def f(x):\n    return x\nf(1)\n").recording
    with pytest.raises(UsageError, match="has the variables zz"):
        list(recording.find("zz > 1"))
    with pytest.raises(UsageError, match="no variable of the program"):
        list(recording.find("len('a') > 1"))


def test_globals_are_looked_at_in_every_function_of_their_module(record: Record) -> None:
    recording = record(
        "total = 0\ndef add():\n    global total\n    total += 1\n    return 1\nfor _ in range(4):\n    add()\n"
    ).recording
    found = [(m.line, m.call) for m in recording.find("total == 3")]
    assert (5, 4) in found


@pytest.mark.parametrize("seed", [1, 3])
def test_a_search_in_steps_finds_the_same_and_says_how_far_it_is(
    record: Record, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(condition_search, "FIRST_BATCH", 2)
    monkeypatch.setattr(condition_search, "LARGEST_BATCH", 4)
    monkeypatch.setattr(condition_search, "_PER_STEP", 3)
    recording = record(random_program(seed).text).recording
    for text in ("c > 2", "len(xs) > 3", "value == 2", "printed /1/", "raised"):
        steps = list(recording.asking.find_steps(text))
        found = [match for step in steps for match in step.found]
        assert sorted(found, key=lambda m: (m.time, m.call, m.line)) == sorted(
            recording.find(text), key=lambda m: (m.time, m.call, m.line)
        )
        shares = [step.done for step in steps]
        assert shares == sorted(shares)
        assert 0 <= shares[0] <= shares[-1] <= 1
    assert len(list(recording.asking.find_steps("c > 2"))) > 10
