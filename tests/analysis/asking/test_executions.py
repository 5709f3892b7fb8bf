"""Every execution of a line: when it began, what it found, and in which round of its loop."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest

from tests.analysis.asking.random_programs import EXPRESSIONS, random_program
from tests.recorder.conftest import Record, run_python
from wrongcall.analysis.asking import executions, names
from wrongcall.analysis.steps import line_windows
from wrongcall.recording import Recording

WITNESS = Path(__file__).with_name("line_witness.py")


def witnessed(folder: Path, lines: list[int], *expressions: str) -> dict[int, list[list[str]]]:
    """Return what a plain run has right before each execution of these lines."""
    done = run_python([str(WITNESS), "prog.py", json.dumps(lines), *expressions], folder)
    assert done.returncode == 0, done.stderr
    found = defaultdict(list)
    for line, texts, _ in json.loads(done.stderr.splitlines()[-1]):
        found[line].append(texts)
    return found


@pytest.mark.parametrize("few", [16, 0])
@pytest.mark.parametrize("seed", range(7))
def test_a_line_finds_the_state_that_the_interpreter_reports_before_it(
    record: Record, monkeypatch: pytest.MonkeyPatch, seed: int, few: int
) -> None:
    """Also where all calls are read at once, as very many are."""
    monkeypatch.setattr(executions, "_FEW_CALLS", few)
    monkeypatch.setattr(names, "_FEW_CALLS", few)
    seed = 2 * seed + bool(few)
    program = random_program(seed)
    recorded = record(program.text)
    expected = witnessed(recorded.path.parent, program.asked, *EXPRESSIONS)
    compared = 0
    for line in program.asked:
        printed = recorded.recording.print(f"prog.py:{line}", *EXPRESSIONS)
        found = [
            [
                f"raises {a.error.partition(':')[0]}" if a.error else repr(a.value)
                for a in row.answers
            ]
            for row in printed.rows
        ]
        assert not any(answer.unknown for row in printed.rows for answer in row.answers)
        assert found == expected.get(line, []), (line, program.lines[line - 1])
        compared += len(found)
    assert compared > 30


LOOPS = """\
def f(n):
    total = 0
    for i in range(n):
        for j in range(2):
            total += j
        if i == 1:
            continue
        k = 0
        while k < 2:
            k += 1
    return total

f(3)
f(1)
"""


def rounds(recording: Recording, line: int) -> list[int]:
    found: list[int] = recording.asking.executions(f"prog.py:{line}").round.tolist()
    return found


def test_rounds_are_those_of_the_innermost_loop(record: Record) -> None:
    recording = record(LOOPS).recording
    assert rounds(recording, 5) == [1, 2] * 3 + [1, 2]
    assert rounds(recording, 6) == [1, 2, 3, 1]
    assert rounds(recording, 8) == [1, 3, 1]
    assert rounds(recording, 10) == [1, 2] * 2 + [1, 2]
    assert rounds(recording, 11) == [0, 0]
    assert rounds(recording, 3) == [1, 2, 3, 4, 1, 2]


def test_executions_can_be_limited_to_those_below_a_call(record: Record) -> None:
    recorded = record(LOOPS)
    one, other = recorded.calls("f")
    every = recorded.recording.asking.executions("prog.py:5")
    below = recorded.recording.asking.executions("prog.py:5", below=other.id)
    assert set(every.call.tolist()) == {one.id, other.id}
    assert set(below.call.tolist()) == {other.id}


LONG = """\
def f(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
            continue
        for j in range(2):
            total += j
        try:
            if i % 5 == 0:
                raise ValueError(i)
        except ValueError:
            total -= 1
    for k in range(3):
        total += k
    return total

f(400)
"""


def test_a_long_call_is_read_in_windows_with_the_same_result(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = record(LONG).recording
    lines = [n for n in range(2, 17) if n not in (9, 12)]
    expected = [recording.asking.executions(f"prog.py:{n}") for n in lines]
    monkeypatch.setattr(executions, "LONG_EVENTS", 100)
    monkeypatch.setattr(line_windows, "WINDOW_EVENTS", 300)
    monkeypatch.setattr(line_windows, "_AROUND", 40)
    for line, every in zip(lines, expected, strict=True):
        found = recording.asking.executions(f"prog.py:{line}")
        for name, column, wanted in zip(every._fields, found, every, strict=True):
            assert column.tolist() == wanted.tolist(), (line, name)


SHAPES = """\
import asyncio
import contextlib

@contextlib.contextmanager
def opened(log):
    log.append(1)
    yield log
    log.append(2)

def numbers(n):
    k = 0
    while k < n:
        got = yield k
        k += 1
        if got:
            k += got
    return k

def delegate(n):
    first = yield from numbers(n)
    yield first * 10

class Shape:
    sides = 3
    doubled = sides * 2

    def area(self, by):
        by += self.sides
        return by

def kind(thing):
    match thing:
        case [x, y]:
            total = x + y
        case {"k": v}:
            total = v
        case _:
            total = 0
    return total

def fact(n):
    if n < 2:
        return 1
    below = fact(n - 1)
    return n * below

async def wait(n):
    await asyncio.sleep(0)
    n += 1
    return n

async def both():
    a = await wait(1)
    b = await wait(a)
    return b

def main():
    log = []
    with opened(log) as held:
        held.append(7)
    total = 0
    for n in delegate(2):
        total += n
    g = numbers(5)
    next(g)
    sent = g.send(2)
    shape = Shape()
    area = shape.area(4)
    results = []
    for thing in ([1, 2], {"k": 5}, None):
        results.append(kind(thing))
    f = fact(4)
    done = asyncio.run(both())
    lengths = sorted(["aa", "b"], key=lambda s: len(s))
    return total

main()
"""
ASKED = (
    *(
        "k",
        "n",
        "got",
        "first",
        "by",
        "sides",
        "total",
        "below",
        "a",
        "b",
        "sent",
        "area",
        "f",
        "done",
    ),
    *("list(log)", "list(results)", "shape.sides", "list(held)", "list(lengths)", "x", "v"),
)


def test_generators_classes_matches_and_coroutines_are_as_the_interpreter_reports(
    record: Record,
) -> None:
    recorded = record(SHAPES)
    source = SHAPES.splitlines()
    unclear = ("match", "case", "with", "@", "def", "class", "async", "import")
    lines = [
        n for n, text in enumerate(source, 1)
        if text.startswith("    ") and not text.strip().startswith(unclear) and text.strip()
    ]  # fmt: skip
    expected = witnessed(recorded.path.parent, lines, *ASKED)
    compared = 0
    for line in lines:
        printed = recorded.recording.print(f"prog.py:{line}", *ASKED)
        found = [
            [
                f"raises {a.error.partition(':')[0]}" if a.error else repr(a.value)
                for a in row.answers
            ]
            for row in printed.rows
        ]
        assert found == expected.get(line, []), (line, source[line - 1])
        compared += len(found)
    assert compared > 60
