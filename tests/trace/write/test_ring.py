from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from tests.trace.producer import RingProducer
from wrongcall.errors import RecorderError
from wrongcall.events import EVENT_SIZE, FORMAT_VERSION, Kind
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.ring import HEADER_SIZE, MAGIC, ProgramState, Ring, Word


@pytest.fixture
def ring() -> Iterator[Ring]:
    with Ring.create(8, 16) as ring:
        yield ring


@pytest.fixture
def program(ring: Ring) -> Iterator[RingProducer]:
    producer = RingProducer(ring.fd)
    yield producer
    producer.close()


def numbered(first: int, count: int) -> Events:
    array = np.zeros(count, EVENT)
    array["kind"] = Kind.BLOCK
    array["value"] = np.arange(first, first + count)
    return array


def events_in(batch: Batch) -> Events:
    return np.frombuffer(batch.events, EVENT)


def test_the_header_is_as_documented(ring: Ring) -> None:
    header = os.pread(ring.fd, 32, 0)
    assert header[:8] == MAGIC == b"WRONGCL1"
    assert np.frombuffer(header[8:16], "<u4").tolist() == [FORMAT_VERSION, EVENT_SIZE]
    assert np.frombuffer(header[16:], "<u8").tolist() == [8, 16]
    assert os.fstat(ring.fd).st_size == HEADER_SIZE + 8 * EVENT_SIZE + 16


@pytest.mark.parametrize("capacity", [0, 3, -8])
def test_capacities_are_powers_of_two(capacity: int) -> None:
    with pytest.raises(ValueError, match="not a power of two"):
        Ring.create(capacity, 16)


def test_a_descriptor_of_something_else_is_refused() -> None:
    fd = os.memfd_create("other")
    os.ftruncate(fd, HEADER_SIZE)
    with pytest.raises(RecorderError, match="not the shared memory"):
        Ring(fd)
    os.close(fd)


def test_nothing_is_taken_from_an_empty_ring(ring: Ring) -> None:
    batch = ring.take()
    assert (batch.count, batch.data) == (0, b"")
    assert ring.program_state == ProgramState.NOT_BEGUN


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 9)), max_size=30))
def test_every_event_is_taken_once_in_order_around_the_end(steps: list[tuple[int, int]]) -> None:
    with Ring.create(8, 16) as ring:
        program = RingProducer(ring.fd)
        put = taken = 0
        for count, limit in steps:
            count = min(count, program.room()[0])
            program.put(numbered(put, count))
            put += count
            got = events_in(ring.take(limit))["value"].tolist()
            assert got == list(range(taken, taken + len(got)))
            taken += len(got)
            assert ring.pending == put - taken
        program.close()


@settings(max_examples=200)
@given(st.lists(st.binary(max_size=16), max_size=20), st.integers(1, 4))
def test_bytes_come_with_the_events_that_own_them(texts: list[bytes], limit: int) -> None:
    with Ring.create(64, 16) as ring:
        program = RingProducer(ring.fd)
        got: list[bytes] = []
        for text in texts:
            emitter = Emitter()
            emitter.event(Kind.BLOCK)
            emitter.carrier(Kind.NAME, text)
            if len(text) > program.room()[1]:
                got += taken(ring, limit)
            program.put(emitter.events(), text)
        while ring.pending:
            got += taken(ring, limit)
        assert got == texts
        program.close()


def taken(ring: Ring, limit: int) -> list[bytes]:
    batch = ring.take(limit)
    data = batch.data
    sizes = [e["obj"] for e in events_in(batch) if e["kind"] == Kind.NAME]
    parts = [data[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
    assert b"".join(parts) == data
    return parts


def test_a_text_larger_than_the_ring_comes_in_parts(ring: Ring, program: RingProducer) -> None:
    text = bytes(range(40))
    for begin in range(0, 40, 8):
        program.put_bytes(text[begin : begin + 8])
        assert ring.take().data == b""
        assert program.room()[1] == 16
    emitter = Emitter()
    emitter.carrier(Kind.NAME, text)
    program.put(emitter.events())
    assert ring.take().data == text


def test_stopping_tells_the_program_not_to_wait(ring: Ring, program: RingProducer) -> None:
    assert program.get(Word.DRAIN_STATE) == 0
    ring.stop()
    assert program.get(Word.DRAIN_STATE) == 1


def test_the_state_and_waiting_time_of_the_program_can_be_read(
    ring: Ring, program: RingProducer
) -> None:
    program.set(Word.PROGRAM_STATE, ProgramState.STOPPED)
    program.set(Word.WAITS, 3)
    program.set(Word.WAITED_NS, 12345)
    assert (ring.program_state, ring.waits, ring.waited_ns) == (ProgramState.STOPPED, 3, 12345)


@pytest.mark.parametrize("word", [Word.EVENT_HEAD, Word.BYTE_HEAD])
def test_an_impossible_ring_head_is_reported(ring: Ring, program: RingProducer, word: Word) -> None:
    program.set(word, 17)
    with pytest.raises(RecorderError, match="17 of"):
        ring.take()


def test_events_that_own_more_bytes_than_there_are_are_reported(
    ring: Ring, program: RingProducer
) -> None:
    emitter = Emitter()
    emitter.carrier(Kind.NAME, b"four")
    program.put(emitter.events(), b"one")
    with pytest.raises(RecorderError, match="damaged"):
        ring.take()


def test_events_of_a_killed_program_are_kept(ring: Ring) -> None:
    code = (
        "import os, signal, sys; from tests.trace.producer import RingProducer;"
        "from tests.trace.write.test_ring import numbered;"
        "RingProducer(int(sys.argv[1])).put(numbered(0, 5)); os.kill(os.getpid(), signal.SIGKILL)"
    )
    command = [sys.executable, "-c", code, str(ring.fd)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    process = subprocess.run(command, pass_fds=[ring.fd], env=environment, check=False)
    assert process.returncode == -9
    assert events_in(ring.take())["value"].tolist() == [0, 1, 2, 3, 4]


def test_closing_twice_is_harmless(ring: Ring) -> None:
    ring.close()
    ring.close()


def test_a_failed_ring_allocation_is_a_recorder_error() -> None:
    with pytest.raises(RecorderError, match=r"cannot allocate .* bytes of shared memory: "):
        Ring.create(1 << 57, 16)


def test_events_are_taken_into_given_memory_as_far_as_they_fit(
    ring: Ring, program: RingProducer
) -> None:
    memory = memoryview(bytearray(3 * EVENT_SIZE))
    program.put(numbered(0, 5))
    batch = ring.take(into=memory)
    assert (batch.count, batch.in_place) == (3, True)
    assert np.frombuffer(memory, EVENT)["value"].tolist() == [0, 1, 2]
    assert events_in(ring.take(into=memory))["value"].tolist() == [3, 4]
    assert not ring.take().in_place
