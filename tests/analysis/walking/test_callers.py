"""Who was waiting for a call, compared with the stack of a plain run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analysis.walking.test_thread_order import forward
from tests.recorder.conftest import Record, run_python
from wrongcall.analysis.walking import callers

PROGRAM = """\
def leaf(n):
    return n

def count(n):
    for i in range(n):
        yield leaf(i)

def pairs(one, other):
    for a in one:
        b = next(other)
        yield a + b

def consume(source):
    total = 0
    for n in source:
        total += leaf(n)
    return total

def main():
    first = count(2)
    return consume(pairs(first, count(2)))

main()
"""
WITNESS = """\

import sys, json
seen = []
def watch(frame, event, arg):
    if frame.f_code.co_filename != "prog.py":
        return None
    if event == "line":
        stack, at = [], frame
        while at is not None and at.f_code.co_filename == "prog.py":
            stack.append([at.f_code.co_name, at.f_lineno])
            at = at.f_back
        seen.append(stack)
    return watch
code = compile(open("prog.py").read(), "prog.py", "exec")
sys.settrace(watch)
exec(code, {"__name__": "__main__"})
sys.settrace(None)
print(json.dumps(seen))
"""


def stacks(folder: Path) -> list[list[list[object]]]:
    found: list[list[list[object]]] = json.loads(run_python(["-c", WITNESS], folder).stdout)
    return found


def test_stacks_are_those_of_the_interpreter(record: Record) -> None:
    recorded = record(PROGRAM)
    recording = recorded.recording
    found = []
    for stop in forward(recording):
        frames = [
            (recording.call(c.call).function.name, c.line) for c in recording.walk.stack(stop)
        ]
        found.append([list(frame) for frame in frames])
    assert found == stacks(recorded.path.parent)
    assert max(map(len, found)) == 6


def test_the_creator_stands_for_a_resumer_that_is_too_far_away(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "MAX_RUNS", 0)
    recorded = record(PROGRAM)
    walk = recorded.recording.walk
    stop = next(each for each in forward(recorded.recording) if each.line == 10)
    frames = list(walk.stack(stop))
    assert [recorded.recording.call(c.call).function.name for c in frames][:2] == ["pairs", "main"]
    assert frames[1].is_creator
