"""Tasks that wait, compared with what asyncio knows about them in a plain run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analysis.walking.test_thread_order import forward
from tests.recorder.conftest import Record, run_python

PROGRAM = """\
import asyncio
import random

class Lock:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *exc):
        await asyncio.sleep(0)

async def leaf(n):
    for i in range(n):
        await asyncio.sleep(0)
    return n

async def steps(n):
    for i in range(n):
        await leaf(i % 2)
        yield i

async def worker(name, choose):
    total = 0
    for round in range(2):
        total += await leaf(choose.randrange(3))
        async with Lock():
            total += 1
        async for n in steps(choose.randrange(3)):
            total += n
    return total

async def helper(choose):
    one = asyncio.create_task(worker("x", choose))
    await leaf(1)
    return await one

async def main(seed):
    choose = random.Random(seed)
    found = await asyncio.gather(worker("a", choose), helper(choose), leaf(2))
    last = asyncio.create_task(leaf(1))
    await asyncio.sleep(0)
    found.append(await last)
    return found

asyncio.run(main(SEED))
"""
PLAIN = {"return n", "total += 1", "total += n", "return total", "choose = random.Random(seed)"}
"""Statements that the interpreter reports once for each execution, on every version: they await nothing."""
COMPARED = {n for n, line in enumerate(PROGRAM.splitlines(), 1) if line.strip() in PLAIN}
WITNESS = """\
import asyncio, inspect, json, sys
seen = []

def waiting():
    if asyncio._get_running_loop() is None:
        return []
    found = []
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        inner = task.get_coro()
        if inspect.getcoroutinestate(inner) != "CORO_SUSPENDED":
            continue
        head = inner.cr_code.co_name
        while getattr(inner.cr_await, "cr_code", None) and inner.cr_await.cr_code.co_filename == "prog.py":
            inner = inner.cr_await
        found.append([head, inner.cr_code.co_name, inner.cr_frame.f_lineno])
    return sorted(found)

def watch(frame, event, arg):
    if frame.f_code.co_filename != "prog.py":
        return None
    if event == "line":
        seen.append([frame.f_lineno, waiting()])
    return watch

code = compile(open("prog.py").read(), "prog.py", "exec")
sys.settrace(watch)
exec(code, {"__name__": "__main__"})
sys.settrace(None)
print(json.dumps(seen))
"""


def witnessed(folder: Path) -> list[object]:
    done = run_python(["-c", WITNESS], folder)
    assert done.returncode == 0, done.stderr
    return [each for each in json.loads(done.stdout) if each[0] in COMPARED]


@pytest.mark.parametrize("seed", range(4))
def test_waiting_tasks_are_those_of_the_event_loop(record: Record, seed: int) -> None:
    recorded = record(PROGRAM.replace("SEED", str(seed)))
    recording = recorded.recording
    found: list[tuple[int, list[list[object]]]] = []
    for stop in (each for each in forward(recording) if each.line in COMPARED):
        waiting = recording.walk.waiting(stop.happened, [stop])
        tasks = [
            [recording.call(task).function.name, recording.call(at.call).function.name, at.line]
            for task, at in waiting.items()
        ]
        found.append((stop.line, sorted(tasks)))
    assert [list(each) for each in found] == witnessed(recorded.path.parent)
    assert max(len(tasks) for _, tasks in found) == 4


def test_a_program_without_coroutines_has_none(record: Record) -> None:
    walk = record("def f(): yield 1\nlist(f())\n").recording.walk
    last = walk.last()
    assert last is not None
    assert walk.waiting(last.happened, [last]) == {}
