"""The lines of a thread in the order in which they ran, compared with what `sys.settrace` reports of a plain run."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.analysis.asking import line_witness
from tests.analysis.asking.random_programs import random_program
from tests.recorder.conftest import Record, run_python
from wrongcall.analysis.walking.stops import Stop
from wrongcall.recording import Recording

WITNESS = Path(line_witness.__file__)


def witnessed(folder: Path, wanted: list[int]) -> list[int]:
    """Return the lines of a plain run in order."""
    done = run_python([str(WITNESS), "prog.py", json.dumps(wanted)], folder)
    assert done.returncode == 0, done.stderr
    return [line for line, _, _ in json.loads(done.stderr.splitlines()[-1]) if line]


def forward(recording: Recording) -> list[Stop]:
    """Walk through a run from its first line."""
    found, stop = [], recording.walk.first()
    while stop is not None:
        found.append(stop)
        stop = recording.walk.step_in(stop)
    return found


def backward(recording: Recording, stop: Stop | None) -> list[Stop]:
    """Walk back from a stop, which is included; the first line comes first."""
    found: list[Stop] = []
    while stop is not None:
        found.append(stop)
        stop = recording.walk.step_in_back(stop)
    return found[::-1]


@pytest.mark.parametrize("seed", range(10))
def test_stepping_in_visits_lines_in_the_order_of_the_interpreter(
    record: Record, seed: int
) -> None:
    program = random_program(seed)
    recorded = record(program.text)
    expected = witnessed(recorded.path.parent, program.asked)
    stops = forward(recorded.recording)
    assert [stop.line for stop in stops if stop.line in program.asked] == expected
    assert len(expected) > 30
    assert backward(recorded.recording, stops[-1]) == stops
    assert all(a.order <= b.order for a, b in pairwise(stops))


GENERATORS = """\
def double(n):
    return n * 2

def count(n):
    i = 0
    while i < n:
        yield double(i)
        i += 1

def squares(numbers):
    for n in numbers:
        yield n * n

def walk(depth):
    if depth:
        for one in walk(depth - 1):
            yield one
        yield depth

def both(n):
    yield from count(n)
    yield from squares(count(n))

def main():
    total = 0
    for v in squares(count(3)):
        total += v
        double(total)
    g = count(2)
    next(g)
    y = 1
    x = next(g)
    for depth in walk(3):
        y += depth
    for a in both(2):
        y += a
    z = sum(count(2)) + sum(n for n in count(2))
    a, b = count(2)
    if y:
        w = next(count(1))
    for p in zip(count(2), count(2)):
        double(1)
    return total + x + y + z

main()
"""


def test_lines_that_resume_generators_come_before_what_they_resume(record: Record) -> None:
    recorded = record(GENERATORS)
    stops = forward(recorded.recording)
    assert [stop.line for stop in stops] == witnessed(recorded.path.parent, [])
    assert backward(recorded.recording, stops[-1]) == stops


COROUTINES = """\
import asyncio

async def child(n):
    await asyncio.sleep(0)
    return n + 1

async def worker(name, log):
    for i in range(2):
        log.append(name)
        x = await child(i)
        log.append(x)
    return name

async def agen(n):
    for i in range(n):
        yield i

async def main():
    log = []
    one = asyncio.create_task(worker("a", log))
    two = asyncio.create_task(worker("b", log))
    await one
    await two
    both = await asyncio.gather(worker("c", log), worker("d", log))
    async for v in agen(2):
        log.append(v)
    return both

asyncio.run(main())
"""


def test_tasks_take_turns_as_they_did(record: Record) -> None:
    recorded = record(COROUTINES)
    stops = forward(recorded.recording)
    assert [stop.line for stop in stops] == witnessed(recorded.path.parent, [])
    assert backward(recorded.recording, stops[-1]) == stops
