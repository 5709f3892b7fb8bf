"""The rings of several processes are read as one stream, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.producer import RingProducer
from wrongcall.events import Kind, Start, Tag
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.ring import ProgramState, Ring, Word
from wrongcall.trace.write.rings import Rings
from wrongcall.trace.write.shared_folder import SharedFolder


class Folder:
    """A shared folder without a file system."""

    def __init__(self) -> None:
        self.started = 0
        self.waiting: list[Ring] = []
        self.finished = 0
        self.stopped = False

    def new_rings(self, *, look: bool = False) -> list[Ring]:
        found, self.waiting = self.waiting, []
        return found

    def finish(self, count: int) -> None:
        self.finished = count

    def stop(self) -> None:
        self.stopped = True


class World:
    """Processes, their rings, and a clock that goes on by one with everything that happens."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.now = 0
        self.folder = Folder()
        self.dead: set[int] = set()
        first = stack.enter_context(Ring.create(1 << 10, 1 << 10))
        self.programs = {1: self._producer(first)}
        self.rings = Rings(
            first,
            cast(SharedFolder, self.folder),
            clock=self.tick,
            alive=lambda pid, since: pid not in self.dead,
        )
        self.taken: list[int] = []

    def _producer(self, ring: Ring) -> RingProducer:
        producer = RingProducer(ring.fd)
        self._stack.callback(producer.close)
        return producer

    def tick(self) -> int:
        self.now += 1
        return self.now

    def put(self, process: int, *rows: tuple[int, int], data: bytes = b"", size: int = 0) -> None:
        """Hand over events by their kinds and values."""
        events = np.zeros(len(rows), EVENT)
        for event, (kind, value) in zip(events, rows, strict=True):
            event["kind"], event["value"], event["obj"] = kind, value, size
        self.programs[process].put(events, data)

    def mark(self, process: int) -> None:
        self.put(process, (Kind.MARK, self.tick()))

    def begin(self, process: int, pid: int = 0, ring: bool = True) -> None:
        """Start a process, as its parent tells, and let it make its ring."""
        self.folder.started += 1
        event = np.zeros(1, EVENT)
        event["kind"], event["ktag"], event["obj"] = Kind.PROCESS, Tag.INT, process
        event["key"] = Start.FORKED | 1 << 32
        self.programs[1].put(event)
        if ring:
            made = self._stack.enter_context(Ring.create(1 << 10, 1 << 10))
            self.programs[process] = self._producer(made)
            self.programs[process].set(Word.PROCESS, process)
            self.programs[process].set(Word.PID, pid or process)
            self.folder.waiting.append(made)
            self.mark(process)

    def take(self) -> Events:
        events = np.frombuffer(self.rings.take().events, EVENT)
        self.taken += events["value"][events["kind"] == Kind.BLOCK].tolist()
        return events


@pytest.fixture
def world() -> Iterator[World]:
    with ExitStack() as stack:
        yield World(stack)


def test_a_process_that_is_alone_has_its_events_unchanged(world: World) -> None:
    world.put(1, (Kind.BLOCK, 1), (Kind.BLOCK, 2))
    assert world.take()["value"].tolist() == [1, 2]


def test_bursts_are_appended_in_the_order_in_which_they_began(world: World) -> None:
    world.begin(2)
    world.mark(1)
    world.put(1, (Kind.BLOCK, 1))
    world.mark(2)
    world.put(2, (Kind.BLOCK, 2))
    world.mark(1)
    world.put(1, (Kind.BLOCK, 3))
    world.take()
    assert world.taken == [1, 2, 3]


def test_marks_are_not_in_the_trace(world: World) -> None:
    world.begin(2)
    world.mark(1)
    world.put(1, (Kind.BLOCK, 1))
    assert Kind.MARK not in world.take()["kind"].tolist()


def test_a_burst_that_began_after_the_clock_was_read_waits(world: World) -> None:
    world.begin(2)
    world.now += 100
    world.mark(2)
    world.put(2, (Kind.BLOCK, 1))
    world.now -= 100
    world.take()
    assert world.taken == []
    world.now += 100
    world.take()
    assert world.taken == [1]


def test_nobody_waits_for_a_process_that_is_silent(world: World) -> None:
    world.begin(2)
    world.mark(1)  # and then it computes for a long time
    for value in range(5):
        world.mark(2)
        world.put(2, (Kind.BLOCK, value))
    world.take()
    assert world.taken == [0, 1, 2, 3, 4]


def test_bytes_stay_with_the_events_that_own_them(world: World) -> None:
    world.begin(2)
    for process, text in ((1, b"abc"), (2, b"defgh"), (1, b"ij"), (2, b"")):
        world.mark(process)
        world.put(process, (Kind.CONTENT, process), data=text, size=len(text))
        world.put(process, (Kind.BLOCK, 0))
    batch = world.rings.take()
    assert batch.data == b"abcdefghij"
    events = np.frombuffer(batch.events, EVENT)
    sizes = events["obj"][events["kind"] == Kind.CONTENT].tolist()
    assert sizes == [3, 5, 2, 0]


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 3), st.integers(1, 3)), max_size=120))
def test_what_was_sent_comes_before_what_it_led_to(steps: list[tuple[int, int, int]]) -> None:
    """Three processes write into each other's pipes; the drain looks at any time."""
    with ExitStack() as stack:
        world = World(stack)
        world.begin(2)
        world.begin(3)
        pipes: dict[tuple[int, int], list[int]] = {}
        foreign = dict.fromkeys((1, 2, 3), True)
        sent_at: dict[int, int] = {}
        caused: list[tuple[int, int]] = []
        number = 0

        def event(process: int) -> int:
            nonlocal number
            if foreign[process]:  # as the recorder does after foreign code
                world.mark(process)
                foreign[process] = False
            number += 1
            world.put(process, (Kind.BLOCK, number))
            world.tick()
            return number

        for op, one, other in steps:
            if op <= 1:
                token = event(one)
                pipes.setdefault((one, other), []).append(token)
                sent_at[token] = token
                foreign[one] = True
            elif op <= 3 and pipes.get((other, one)):
                token = pipes[other, one].pop(0)
                foreign[one] = True
                caused.append((token, event(one)))
            elif op == 4:
                world.take()
            else:
                event(one)
        world.take()
        position = {value: i for i, value in enumerate(world.taken)}
        assert sorted(position) == list(range(1, number + 1))
        assert all(position[cause] < position[effect] for cause, effect in caused)


def test_the_rest_of_a_process_that_has_ended_is_taken(world: World) -> None:
    world.begin(2, pid=77)
    world.take()
    assert world.rings.running(now=True) == [2]
    world.put(2, (Kind.BLOCK, 1))
    world.dead.add(77)
    world.rings.running(now=True)
    assert world.rings.running(now=True) == []
    world.take()
    assert world.taken == [1]
    world.rings.running(now=True)
    assert world.rings.ended == {2: ProgramState.RECORDING}
    assert world.folder.finished == 1
    assert dict(world.rings.endings()) == {2: "gone"}


def told(world: World, process: int, pid: int) -> None:
    event = np.zeros(1, EVENT)
    event["kind"], event["ktag"], event["vtag"] = Kind.PROCESS, Tag.INT, Tag.INT
    event["obj"], event["key"], event["value"] = process, Start.BEGUN | 1 << 32, pid
    world.programs[1].put(event)


def test_a_process_is_waited_for_before_it_has_a_ring(world: World) -> None:
    world.begin(2, ring=False)
    told(world, 2, pid=77)
    world.take()
    assert world.rings.running(now=True) == [2]
    world.dead.add(77)
    assert world.rings.running(now=True) == []
    assert dict(world.rings.endings()) == {2: "never began"}


def test_a_process_that_could_not_be_started_is_not_waited_for(world: World) -> None:
    world.begin(2, ring=False)
    told(world, 2, pid=0)
    world.take()
    assert world.rings.running(now=True) == []
    assert world.folder.finished == 1


def test_a_process_that_runs_on_is_told_to_stop(world: World) -> None:
    world.begin(2, pid=77)
    world.take()
    world.rings.stop()
    assert world.folder.stopped
    assert world.programs[2].get(Word.DRAIN_STATE) == world.programs[1].get(Word.DRAIN_STATE) == 1
    world.rings.close()
    assert dict(world.rings.endings()) == {2: "still running"}
