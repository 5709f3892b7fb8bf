from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.emitter import Emitter
from tests.trace.producer import RingProducer
from wrongcall.errors import TraceError
from wrongcall.events import Kind, Tag
from wrongcall.recording import Recording
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write.drain import FLUSH_INTERVAL_S, Drain
from wrongcall.trace.write.ring import TAKE_EVENTS, Ring, Word
from wrongcall.trace.write.writer import TraceWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.wrongcall"


@pytest.fixture
def ring() -> Iterator[Ring]:
    with Ring.create(1 << 12, 1 << 12) as ring:
        yield ring


def feed(program: RingProducer, emitter: Emitter, pump: Drain, step: int) -> None:
    """Hand over what an emitter has, a few events at a time, pumping when there is no room."""
    events, done = emitter.events(), 0
    carried = np.where(events["kind"] < Kind.THREAD, events["obj"], 0)
    for begin in range(0, len(events), step):
        part = events[begin : begin + step]
        size = int(carried[begin : begin + step].sum())
        while program.room()[0] < len(part) or program.room()[1] < size:
            pump.pump()
        program.put(part, bytes(emitter.data[done : done + size]))
        done += size


@settings(max_examples=25)
@given(
    st.lists(st.one_of(st.integers(0, 99), st.text(max_size=30)), max_size=300), st.integers(1, 40)
)
def test_everything_arrives_in_batches_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, values: list[int | str], step: int
) -> None:
    path = tmp_path_factory.mktemp("drained") / "run.wrongcall"
    emitter = Emitter()
    times = [emitter.local(emitter.enter(1), 2, value) for value in values]
    with Ring.create(64, 1 << 10) as ring:
        program = RingProducer(ring.fd)
        drain = Drain(ring, TraceWriter(path))
        feed(program, emitter, drain, step)
        drain.run_until(lambda: True)
        drain.writer.close("exit")
        assert (drain.events, drain.calls) == (len(emitter.rows), len(values))
        assert drain.bytes == len(emitter.data)
        program.close()
    with Recording(path) as recording:
        events = recording.events.between()
        assert events.tobytes() == emitter.events().tobytes()
        read = [
            recording.states.values.read(int(e["vtag"]), int(e["value"])) for e in events[times]
        ]
        assert read == values


def test_the_ring_keeps_up_with_a_concurrent_producer(path: Path, ring: Ring) -> None:
    program = RingProducer(ring.fd)
    drain = Drain(ring, TraceWriter(path))
    events = streams.fibonacci(18)

    def run() -> None:
        for begin in range(0, len(events), 500):
            while program.room()[0] < 500:
                time.sleep(0.0001)
            program.put(events[begin : begin + 500])

    thread = threading.Thread(target=run)
    thread.start()
    drain.run_until(lambda: not thread.is_alive())
    thread.join()
    drain.writer.close("exit")
    program.close()
    with Recording(path) as recording:
        assert recording.events.between().tobytes() == events.tobytes()


def test_a_reader_sees_new_events_soon(path: Path, ring: Ring) -> None:
    program = RingProducer(ring.fd)
    drain = Drain(ring, TraceWriter(path))
    ended = threading.Event()
    thread = threading.Thread(target=drain.run_until, args=(ended.is_set,))
    thread.start()
    with Recording(path) as recording:
        for count in (100, 200, 300):
            program.put(streams.words(100))
            patience = time.monotonic() + 20
            while recording.event_count < count and time.monotonic() < patience:
                time.sleep(0.01)
                recording.refresh()
            assert recording.event_count == count
    ended.set()
    thread.join()
    drain.writer.close("exit")
    program.close()


class SlowMachine:
    """A program that hands over an event each millisecond, and a drain whose work takes time.

    Time passes only here: what is lost is known by the clock, on a machine however busy.
    """

    def __init__(self, drain: Drain, program: RingProducer, add: float, flush: float) -> None:
        self.now = 0.0
        self.handed: list[float] = []
        """When each event was handed over."""
        self.lost: list[float] = []
        """How long ago the oldest event that would be lost was handed over, at each moment."""
        self.slowest = add + flush
        self._kept = 0
        self._program = program
        writer = drain.writer
        drain._clock, drain._begun = (lambda: self.now), 0.0
        for name, cost in (("add_batch", add), ("flush", flush)):
            setattr(writer, name, self._slow(getattr(writer, name), cost, writer))

    def _slow(
        self, act: Callable[..., None], cost: float, writer: TraceWriter
    ) -> Callable[..., None]:
        def slowly(*args: object) -> None:
            self.wait(cost)
            act(*args)
            if not args:
                self._kept = writer.events

        return slowly

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(round(seconds * 1000)):
            self.now += 0.001
            self._program.put(streams.words(1))
            self.handed.append(self.now)
            self.lost.append(self.now - self.handed[self._kept])


@pytest.mark.parametrize("add, flush", [(0, 0), (0.001, 0.01), (0.02, 0.03), (0.03, 0.2)])
def test_a_killed_drain_loses_little_more_than_one_flush_interval(
    path: Path, ring: Ring, add: float, flush: float
) -> None:
    program = RingProducer(ring.fd)
    drain = Drain(ring, TraceWriter(path))
    machine = SlowMachine(drain, program, add, flush)
    while machine.now < 2:
        machine.wait(0.005)
        drain.pump()
    # What came since the last flush began: the time between flushes, and what the next one takes.
    most = FLUSH_INTERVAL_S + 0.005 + 2 * (add + flush) + 0.001
    assert 0.04 <= max(machine.lost) <= most + 1e-9
    drain.writer.close("exit")
    program.close()


def test_a_flush_has_all_that_was_handed_over_before_it_began(path: Path) -> None:
    """Also what does not fit into one take."""
    with Ring.create(1 << 18, 1 << 12) as ring:
        program = RingProducer(ring.fd)
        drain = Drain(ring, TraceWriter(path))
        drain._clock, drain._begun = (lambda: 1.0), 0.0
        program.put(streams.words(3 * TAKE_EVENTS))
        drain.pump()
        with Recording(path) as recording:
            assert recording.event_count == 3 * TAKE_EVENTS
        drain.writer.close("exit")
        program.close()


def test_a_full_disk_stops_the_ring_and_keeps_the_file(path: Path, ring: Ring) -> None:
    program = RingProducer(ring.fd)
    drain = Drain(ring, TraceWriter(path))
    program.put(streams.words(100))
    drain.pump()
    drain.flush()
    drain.writer._db.execute("PRAGMA max_page_count = 1")
    program.put(streams.words(3000))
    drain.run_until(lambda: True)
    assert drain.full
    assert program.get(Word.DRAIN_STATE) == 1
    assert drain.pump() == 0
    drain.writer.close("exit")
    program.close()
    with Recording(path) as recording:
        assert (recording.event_count, recording.ended) == (100, "disk full")


def test_a_drain_that_fails_stops_the_ring(path: Path, ring: Ring) -> None:
    program = RingProducer(ring.fd)
    drain = Drain(ring, TraceWriter(path))
    emitter = Emitter()
    emitter.carrier(Kind.META, b"nonsense")
    program.put(emitter.events(), bytes(emitter.data))
    with pytest.raises(TraceError):
        drain.run_until(lambda: True)
    assert program.get(Word.DRAIN_STATE) == 1
    drain.writer.close("failed")
    program.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.trace.emitter import Emitter
from tests.trace.streams import fibonacci
from wrongcall.trace.write.writer import TraceWriter

writer = TraceWriter(Path(sys.argv[1]))
emitter = Emitter()
emitter.value("a text of more than eight characters")
writer.add(emitter.events(), bytes(emitter.data))
events = fibonacci(20)
for begin in range(0, len(events), 5000):
    writer.add(events[begin : begin + 5000], b"")
    if begin <= 20000:
        writer.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_drain_that_is_killed_leaves_what_it_had_flushed(path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    command = [sys.executable, "-c", KILLED, str(path)]
    assert subprocess.run(command, env=environment, check=False).returncode == -9
    with Recording(path) as recording:
        assert recording.event_count == 25_001
        assert recording.event_count < SEGMENT_EVENTS
        assert recording.events.between(1).tobytes() == streams.fibonacci(20)[:25_000].tobytes()
        text = recording.events.between(0, 1)
        assert text["vtag"].tolist() == [Tag.STR]
        value = recording.states.values.read(Tag.STR, int(text["value"][0]))
        assert value == "a text of more than eight characters"
        assert recording.ended is None
    TraceWriter(path).close("exit")
