"""Library functions that have changed nothing for a long time are not looked after everywhere.

What they were given and what lies nearby is compared after every call all the same; what lies further
away every so many calls, and a change that is found there is not said to be this call's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, write_program
from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.events import SEEN, Kind

FOREIGN = """
class Box:
    def __init__(self, *items):
        self.items = list(items)
        self.count = 0

planned = []

def plan(*change):
    planned.append(change)

def peek(x):
    while planned:
        change(*planned.pop())

def poke(x):
    while planned:
        change(*planned.pop())

def change(x, name, value):
    if isinstance(x, list):
        x[name] = value
    else:
        setattr(x, name, value)
"""

PROGRAM = """
import foreign

class Own:
    def __init__(self, **attributes):
        self.__dict__.update(attributes)

def ask(times, x, change=None):
    for _ in range(times):
        foreign.peek(x)
    if change:
        foreign.plan(*change)
    foreign.peek(x)

near = Own(part=Own(value=1, items=[1]), box=foreign.Box(*[[i] for i in range(200)]))
ask(200, near)
ask(0, near, (near, 'name', 'given'))
mark('given', near)
ask(5, near, (near.part, 'value', 'nearby'))
mark('nearby', near)
ask(5, near, (near.part.items, 0, 'in a list nearby'))
mark('in a list nearby', near)
ask(5, near.box, (near.box, 'count', 'the instance itself'))
mark('the instance itself', near)
ask(5, near.box, (near.box.items, 0, 'its list'))
mark('its list', near)

far = Own(rows=[[i] for i in range(300)], box=foreign.Box(*[[i] for i in range(300)]))
ask(200, far)
ask(0, far, (far.rows[150], 0, 'far away'))
ask(500, far)
mark('far away, later', far)
ask(0, far, (far.box.items[150], 0, 'inside a library'))
ask(500, far)
mark('inside a library, later', far)

# One that changes something far away now and then is never trusted.
moving = [[i] for i in range(300)]
for step in range(400):
    if step % 16 == 0:
        foreign.plan(moving[299 - step % 100], 0, step)
    foreign.poke(moving)
    if step % 16 == 0:
        mark(f'moving {step}', moving)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("trusted")
    write_program(folder, FOREIGN, "foreign.py")
    with run_witnessed(folder, PROGRAM) as run:
        yield run


@pytest.mark.parametrize(
    "label", ["given", "nearby", "in a list nearby", "the instance itself", "its list"]
)
def test_nearby_objects_are_always_compared(run: Witnessed, label: str) -> None:
    run.agree(label)


@pytest.mark.parametrize("label", ["far away", "inside a library"])
def test_changes_far_away_are_found_later(run: Witnessed, label: str) -> None:
    run.agree(f"{label}, later")


@pytest.mark.parametrize("label", ["far away", "inside a library"])
def test_changes_found_late_are_attributed_to_no_call(run: Witnessed, label: str) -> None:
    found = run.recording.events.select([Kind.ITEM, Kind.ITEM | SEEN])
    stores = [event for event in found.events if event["key"] == 0]
    read = run.recording.states.values.read
    (event,) = [e for e in stores if read(int(e["vtag"]), int(e["value"])) == label]
    assert event["kind"] & SEEN
    assert (event["site"], event["call"]) == (0, 0)


def test_callees_that_change_distant_objects_are_not_trusted(run: Witnessed) -> None:
    for step in range(0, 400, 16):
        run.agree(f"moving {step}")


def test_a_cached_function_is_called_from_where_it_is_called(record: Record) -> None:
    """Whether functools.lru_cache calls it or has its result; nothing of the cache is looked at."""
    done = record(
        """\
        import functools

        @functools.lru_cache
        def double(x):
            return 2 * x

        def add(a, b):
            return a + b

        for i in range(2):
            add(
                double(i // 2),
                double(i),
            )
        """
    )
    assert [call.caller_line for call in done.calls("double")] == [12, 13]
    assert [call.caller_line for call in done.calls("add")] == [11, 11]
