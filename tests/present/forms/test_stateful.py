"""Objects with a state show it if it is known, and else only their kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Layout
from wrongcall.present.forms.stateful import _KINDS, stateful, told


@pytest.mark.parametrize(
    "kind,parts,shown",
    [
        ("_thread.lock", {"locked": True}, "<lock: locked>"),
        ("_thread.lock", {"locked": False}, "<lock: not locked>"),
        ("_thread.RLock", {"count": 0}, "<RLock: not held>"),
        ("_thread.RLock", {"count": 1, "thread": 7}, "<RLock: held once by thread 7>"),
        ("_thread.RLock", {"count": 2000}, "<RLock: held 2,000 times>"),
        ("threading.Event", {"state": True}, "<Event: set>"),
        ("threading.Semaphore", {"state": 1000}, "<Semaphore: 1,000>"),
        ("threading.Barrier", {"state": 1, "_parties": 3}, "<Barrier: 1 of 3 waiting>"),
        ("threading.Barrier", {"state": 1}, "<Barrier>"),
        ("threading.Thread", {"_name": "T-1"}, "<Thread 'T-1'>"),
        ("_queue.SimpleQueue", {"size": 2}, "<SimpleQueue: 2 waiting>"),
        ("queue.PriorityQueue", {"size": 1}, "<PriorityQueue: 1 item>"),
        ("queue.PriorityQueue", {"size": 2}, "<PriorityQueue: 2 items>"),
        ("asyncio.locks.Lock", {"state": False}, "<Lock: not locked>"),
        ("_asyncio.Future", {"state": "PENDING"}, "<Future: pending>"),
        ("_asyncio.Future", {"state": "FINISHED", "result": 7}, "<Future: finished, result 7>"),
        ("_asyncio.Future", {"state": "FINISHED"}, "<Future: finished>"),
        ("_asyncio.Future", {"state": "CANCELLED", "result": 7}, "<Future: cancelled>"),
        ("_asyncio.Task", {"name": "Task-1"}, "<Task 'Task-1'>"),
        ("concurrent.futures._base.Future", {"state": "FINISHED", "_result": None},
         "<Future: finished, result None>"),
        ("subprocess.Popen", {"state": None, "args": "ls"}, "<Popen: no exit code yet, 'ls'>"),
        ("subprocess.Popen", {"state": -9, "args": "ls"}, "<Popen: exit code -9, 'ls'>"),
        ("socket.socket", {"fd": 4, "type": 1}, "<socket: fd 4, stream>"),
        ("socket.socket", {"fd": 4, "type": 77}, "<socket: fd 4>"),
        ("socket.socket", {"fd": -1, "type": 1}, "<socket: closed>"),
        ("weakref.ReferenceType", {"alive": False}, "<weakref: dead>"),
        ("_hashlib.HASH", {"name": "sha256"}, "<hash sha256>"),
        ("_struct.Struct", {"format": "<i"}, "Struct('<i')"),
        ("_csv.reader", {"line_num": 1}, "<csv reader: 1 line read>"),
        ("_csv.reader", {}, "<csv reader>"),
        ("_contextvars.Context", {"size": 0}, "<Context: 0 variables>"),
    ],
)  # fmt: skip
def test_a_known_state_is_shown(
    objects: Objects, kind: str, parts: dict[str, Any], shown: str
) -> None:
    module, _, name = kind.rpartition(".")
    assert objects.text(stateful, objects.new(name, parts, module=module)) == shown


def test_unknown_states_are_not_shown_for_any_kind(objects: Objects) -> None:
    odd = ("Popen", "weakref", "hash", "csv reader", "csv writer")
    refs = {key: objects.new(key[1], module=key[0]) for key in _KINDS}
    for (_, name), ref in refs.items():
        shown = objects.text(stateful, ref)
        assert shown is not None
        assert shown == f"<{name}>" or any(word in shown for word in odd), shown


@pytest.mark.parametrize("value", ["yes", None, 1.5])
def test_a_state_of_an_unexpected_type_is_not_shown(objects: Objects, value: Any) -> None:
    lock = objects.new("lock", {"locked": value}, module="_thread")
    counted = objects.new("Semaphore", {"state": value}, module="threading")
    assert objects.text(stateful, lock) == "<lock>"
    assert objects.text(stateful, counted) == "<Semaphore>"


def test_a_queue_shows_what_waits_in_it(objects: Objects) -> None:
    full = objects.new("Queue", {"queue": objects.list(1, "x")}, module="queue")
    empty = objects.new("Queue", {"queue": objects.list()}, module="queue")
    waiting = objects.new("list", explored=False)
    closed = objects.new("Queue", {"_queue": waiting}, module="asyncio.queues")
    assert objects.text(stateful, full) == "<Queue: 1, 'x'>"
    assert objects.text(stateful, empty) == "<Queue: empty>"
    assert objects.text(stateful, closed) == "<Queue>"


def test_a_failed_future_shows_what_it_raised(objects: Objects) -> None:
    error = objects.new("KeyError", {"args": objects.tuple("x")}, layout=Layout.EXCEPTION)
    parts = {"state": "FINISHED", "result": None, "exception": error}
    ref = objects.new("Future", parts, module="_asyncio")
    assert objects.text(stateful, ref) == "<Future: finished, raised KeyError('x')>"


def test_a_pending_task_shows_its_coroutine(objects: Objects) -> None:
    parts = {"state": "PENDING", "name": HOSTILE, "coroutine": objects.list(1)}
    ref = objects.new("Task", parts, module="_asyncio")
    shown = objects.text(stateful, ref)
    assert shown is not None
    assert shown.isprintable()
    assert shown.endswith(": pending, [1]>")


def test_a_weak_reference_names_what_it_leads_to(objects: Objects) -> None:
    box = objects.new("Box")
    ref = objects.new("ReferenceType", {"to": box}, module="weakref")
    assert objects.text(stateful, ref) == f"<weakref to Box #{box.oid}>"


def test_a_type_of_the_same_name_elsewhere_is_left_to_other_writers(objects: Objects) -> None:
    own = objects.new("Event", {"state": True}, module="shop")
    derived = objects.new("Event", {"state": True}, module="threading", layout=Layout.LIST)
    assert objects.text(stateful, own) is None
    assert objects.text(stateful, derived) is None


def test_the_kind_is_made_safe(objects: Objects) -> None:
    peek = objects.peek(objects.new(HOSTILE))
    assert told(peek, "set").opening == r"<\x1b[2J\u202e\n: set>"
