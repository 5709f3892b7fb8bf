"""Executions inside calls against hooks in the source of the plain program, for random programs."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import tests.analysis.inside.execution_witness as witness
from tests.recorder.conftest import Record, run_python
from tests.recorder.random_programs import program
from wrongcall.analysis.inside.inside import Inside
from wrongcall.events import Layout
from wrongcall.recording import Recording, Ref, Value

SEEDS = range(int(os.environ.get("WRONGCALL_SEEDS", "6")))
CAUGHT = "error"
"""A name that `except` binds. When it is unbound again, tests of loops at the end of the handler seem to come after
that: they leave no events."""
GUARDED = re.compile("case .* if ")
FIRST_SEED = int(os.environ.get("WRONGCALL_FIRST_SEED", "0"))


def witnessed(path: Path, folder: Path) -> list[Any]:
    """Return what the witness logged of a program."""
    done = run_python([str(Path(witness.__file__)), str(path)], folder)
    logs: list[Any] = json.loads(done.stderr.splitlines()[-1])
    for _, logged, end in logs:
        for before in (*(execution[-1] for execution in logged), end):
            if before is not None:
                before.pop(CAUGHT, None)
    return logs


def depth_of(inside: Inside, node: int) -> int:
    depth = -1
    while node >= 0:
        node = int(inside.parent[node])
        depth += 1
    return depth


def shown(recording: Recording, value: Value, time: int) -> str:
    """Return a recorded value as the witness shows a live one."""
    if not isinstance(value, Ref):
        return repr(value)
    state = recording.states.state(value.oid, time)
    items = state.items
    if state.layout == Layout.LIST and all(isinstance(each, int | str) for each in items):
        return repr(list(items))
    return state.type.qualname.rpartition(".")[2]


def variables(recording: Recording, call: int, time: int) -> dict[str, str]:
    found = recording.inside.variables(call, time)
    return {name: shown(recording, value, time) for name, value in found.items() if name != CAUGHT}


def executions(recording: Recording, inside: Inside) -> list[Any]:
    """Return the executions of statements inside a call as the witness logs them."""
    found = []
    for node in range(len(inside)):
        part = inside.part_of(node)
        if inside.is_call(node) or part.is_comprehension or GUARDED.match(part.text):
            continue
        before = variables(recording, inside.call, int(inside.before[node]))
        number = inside.round(node)[0]
        found.append([depth_of(inside, node), part.kind.value, part.line, number, before])
    return found


def compare(recording: Recording, logs: list[Any]) -> int:
    """Compare all calls that the witness logged; return how many executions there were."""
    numbers = recording.calls.columns().id.tolist()
    calls = [recording.call(number) for number in numbers]
    names = {log[0] for log in logs}
    mine = [call for call in calls if call.function.name in names]
    assert [call.function.name for call in mine] == [log[0] for log in logs]
    count = 0
    for call, (name, expected, end) in zip(mine, logs, strict=True):
        inside = recording.inside.of(call.id)
        assert inside is not None
        found = executions(recording, inside)
        for one, other in zip(found, expected, strict=False):
            if other[-1] is None:
                one[-1] = None
            assert one == other, (name, call.id)
        assert len(found) == len(expected), (name, call.id)
        assert variables(recording, call.id, int(inside.after[0])) == end
        count += len(found)
    return count


@pytest.mark.parametrize("seed", SEEDS)
def test_executions_and_states_are_those_of_the_plain_program(
    seed: int, record: Record, tmp_path: Path
) -> None:
    text = program(FIRST_SEED + seed)
    recorded = record(text)
    assert compare(recorded.recording, witnessed(tmp_path / "prog.py", tmp_path)) > 100


RECURSIVE = """\
def f_permuted(left, done):
    found = []
    if not left:
        found.append(len(done))
        return found
    for at in range(len(left)):
        rest = left[:at] + left[at + 1:]
        done.append(left[at])
        found += f_permuted(rest, done)
        done.pop()
    return found

def f_even(n):
    if n == 0:
        return True
    answer = f_odd(n - 1)
    return answer

def f_odd(n):
    while n > 0:
        n -= 1
        return f_even(n)
    return False

def f_dig(depth):
    level = depth
    try:
        if depth == 0:
            raise ValueError(level)
        f_dig(depth - 1)
    finally:
        level += 10

def f_walk(tree):
    count = 0
    for branch in tree:
        if isinstance(branch, list):
            for leaf in f_walk(branch):
                count += 1
                yield leaf
        else:
            yield branch
    count += 100

f_permuted([1, 2, 3], [])
f_even(5)
try:
    f_dig(3)
except ValueError:
    pass
list(f_walk([1, [2, [3, 4]], 5]))
"""


def test_calls_of_one_function_inside_each_other_are_told_apart(
    record: Record, tmp_path: Path
) -> None:
    recorded = record(RECURSIVE)
    assert compare(recorded.recording, witnessed(tmp_path / "prog.py", tmp_path)) > 100
