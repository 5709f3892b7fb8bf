"""The state of objects that change without a call is right at every entry and exit, or not claimed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.conftest import Record, Recorded, run_python
from tests.recorder.stateful_witness import NOT_CLAIMED, WITNESS, agrees, claimed
from wrongcall.recording import Call, Ref

MAKERS = [
    "iter([1, 2, 3, 4, 5, 6, 7, 8, 9])",
    "iter((1, 2, 3, 4, 5))",
    "reversed([1, 2, 3, 4])",
    "reversed((1, 2, 3))",
    "iter('hello')",
    "iter('h\\xe9llo')",
    "iter(b'bytes')",
    "iter(bytearray(b'array'))",
    "iter(dict.fromkeys('abcde'))",
    "iter({1: 'a', 2: 'b', 3: 'c'}.values())",
    "iter({10, 20, 30})",
    "iter(range(3, 30, 4))",
    "iter(range(2**70, 2**70 + 5))",
    "itertools.count(10, 2)",
    "itertools.count(sys.maxsize - 1)",
    "itertools.repeat('x', 6)",
    "io.StringIO()",
    "io.StringIO('some text\\nin lines\\n')",
    "io.StringIO('x' * 300)",
    "io.BytesIO(b'bytes')",
    "io.BytesIO(b'0123456789' * 40)",
    "threading.Lock()",
    "threading.RLock()",
    "threading.Event()",
    "threading.Semaphore(5)",
    "queue.Queue()",
    "queue.LifoQueue()",
    "queue.PriorityQueue()",
    "queue.SimpleQueue()",
    "weakref.ref(KEPT)",
    "concurrent.futures.Future()",
]
ITERATE = [
    "next({o}, None)",
    "for x in {o}:\n        break",
    "for x in {o}:\n        local = x\n        if random_number(3): break",
    "list(itertools.islice({o}, 2))",
    "head = [x for x, _ in zip({o}, 'ab')]",
    "any(x == 3 for x in itertools.islice({o}, 2))",
    "taken = 2 in itertools.islice({o}, 3)",
    "helper({o})",
    "in_library({o})",
]
TEXT = [
    "{o}.write('more')",
    "print('line', file={o})",
    "{o}.seek(random_number(5))",
    "{o}.read(2)",
    "{o}.readline()",
    "for x in {o}:\n        break",
    "{o}.truncate()",
    "{o}.seek(0, 2)",
    "in_library_text({o})",
    "{o}.writelines(['a', 'b' * 100])",
]
BYTES = [
    "{o}.write(b'more')",
    "{o}.seek(random_number(5))",
    "{o}.read(2)",
    "{o}.getbuffer()[0:1] = b'Z'",
    "{o}.seek(0, 2)",
]
LOCK = [
    "{o}.acquire(blocking=False)",
    "release({o})",
    "with_lock({o})",
]
OPERATIONS = {
    "io.StringIO": TEXT,
    "io.BytesIO": BYTES,
    "threading.Lock": LOCK,
    "threading.RLock": LOCK,
    "threading.Event": ["{o}.set()", "{o}.clear()"],
    "threading.Semaphore": ["{o}.acquire(blocking=False)", "{o}.release()"],
    "queue.Queue": ["{o}.put(7)", "{o}.empty() or {o}.get()"],
    "queue.LifoQueue": ["{o}.put(7)", "{o}.empty() or {o}.get()"],
    "queue.PriorityQueue": ["{o}.put(random_number(9))", "{o}.empty() or {o}.get()"],
    "queue.SimpleQueue": ["{o}.put(7)", "{o}.empty() or {o}.get()"],
    "weakref.ref": ["drop()"],
    "concurrent.futures.Future": ["{o}.done() or {o}.set_result(4)"],
}
HEAD = """
import concurrent.futures, functools
NUMBERS = iter(range(10**9))
def random_number(below):
    return next(NUMBERS) * 7919 % below
class Kept: pass
KEPT = Kept()
def drop():
    global KEPT
    KEPT = None
def helper(it):
    return next(it, None)
def in_library(it):
    return functools.reduce(lambda a, b: b, itertools.islice(it, 2), None)
def in_library_text(buffer):
    json.dump([1], buffer)
def release(lock):
    try:
        lock.release()
    except RuntimeError:
        pass
def with_lock(lock):
    if lock.acquire(blocking=False):
        lock.release()
        with lock:
            helper_in_lock(lock)
def helper_in_lock(lock):
    return lock
def tell(call, phase):
    print(json.dumps([call, phase, [witness(o) for o in OBJECTS]]))
"""


def operations(maker: str) -> list[str]:
    return next((o for name, o in OPERATIONS.items() if maker.startswith(name + "(")), ITERATE)


def random_program(seed: int, objects: int, calls: int) -> str:
    """Return a program whose calls do things to objects and tell the state of all of them."""
    rng = random.Random(seed)
    makers = [rng.choice(MAKERS) for _ in range(objects)]
    lines = [WITNESS, HEAD, "OBJECTS = []"]
    lines += [f"OBJECTS.append({maker})" for maker in makers]
    for number in range(calls):
        lines += [f"def call_{number}():", f"    tell({number}, 'entry')"]
        for _ in range(rng.randrange(4)):
            index = rng.randrange(objects)
            operation = rng.choice(operations(makers[index]))
            lines.append("    " + operation.format(o=f"OBJECTS[{index}]"))
        if number and rng.randrange(2):
            lines.append(f"    call_{rng.randrange(number)}()")
        lines.append(f"    tell({number}, 'exit')")
    order = [rng.randrange(calls) for _ in range(calls)]
    lines += [f"call_{number}()" for number in order]
    return "\n".join(lines) + "\n"


def said(recorded: Recorded) -> list[tuple[int, str, list[Any]]]:
    """Return what a program said: which call, at its entry or exit, the states of its objects."""
    return [tuple(json.loads(line)) for line in recorded.stdout.splitlines()]


def told_of(recorded: Recorded) -> list[tuple[Call, str, list[Any]]]:
    """Return the calls that told something, by their `tell`, with what they told."""
    tells = recorded.calls("tell")
    found = said(recorded)
    assert len(tells) == len(found)
    told = []
    for tell, (_, phase, states) in zip(tells, found, strict=True):
        assert tell.parent is not None
        told.append((recorded.recording.call(tell.parent.id), phase, states))
    return told


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("objects", [10, 40], ids=["few", "many"])
def test_every_state_that_is_claimed_is_what_the_program_saw(
    seed: int, objects: int, record: Record, tmp_path: Path
) -> None:
    source = random_program(seed, objects, 40)
    recorded = record(source)
    recording = recorded.recording
    plain = run_python(["prog.py"], tmp_path)
    assert plain.stdout == recorded.stdout  # recording changed none of the states
    count = claims = 0
    for call, phase, states in told_of(recorded):
        time = recording.questions.input(call.id).time if phase == "entry" else call.last
        held = recording.states.globals("__main__", time)["OBJECTS"]
        assert isinstance(held, Ref)
        items = recording.states.heap.peek(held.oid, time).items()
        for value, seen in zip(items, states, strict=True):
            claim = claimed(recording, value, time)
            count += 1
            if claim != NOT_CLAIMED:
                claims += 1
                shown = recording.states.state(value.oid, time) if isinstance(value, Ref) else value
                assert agrees(claim, seen), (call.function.qualname, phase, shown, seen)
    if objects == 10:
        assert claims == count  # few objects are all followed
    else:
        assert count // 4 < claims < count


@pytest.mark.parametrize("seed", range(10, 12))
def test_a_change_of_state_belongs_to_the_call_that_made_it(seed: int, record: Record) -> None:
    recorded = record(random_program(seed, 10, 40))
    recording = recorded.recording
    before: dict[int, list[Any]] = {}
    changed = 0
    for call, phase, states in told_of(recorded):
        if phase == "entry":
            before[call.id] = states
            continue
        held = recording.states.globals("__main__", call.last)["OBJECTS"]
        assert isinstance(held, Ref)
        items = recording.states.heap.peek(held.oid, call.last).items()
        pairs = list(zip(items, before[call.id], states, strict=True))
        expected = {value.oid for value, old, new in pairs if isinstance(value, Ref) and old != new}
        # An iterator may have given its last item without knowing that there is no other.
        at_end = {
            value.oid for value, old, new in pairs if isinstance(value, Ref) and old == new == []
        }
        known = {value.oid for value in items if isinstance(value, Ref)}
        # What is in a queue is in a container of its own, which is what changes.
        queues = {o for o in known if recording.states.object(o).type.qualname.endswith("Queue")}
        found = {c.oid for c in recording.questions.effect(call.id).objects} & known
        assert found - queues - at_end == expected - queues
        changed += len(expected)
    assert changed > 20
