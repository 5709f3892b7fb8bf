"""The ring in shared memory, from the reader's side.

Vocabulary: *heads* count what the program has put in since the beginning, *tails* what was taken out. An event or byte
with number n is at n modulo the capacity. `docs/reference/trace-format.md` has the layout.

Invariants: everything below the event head is complete, and its bytes are below the byte head *as read afterwards*; so
`Ring.take` reads the event head once, and then the byte head. A head or tail is one aligned 64-bit word, read and
written as a whole. The program can write to this memory as well as we can: impossible heads are reported, never
followed.

The program may hand over the beginning of a long text before the event that owns it, to make room for the rest; such
bytes are taken at once and kept here until the event arrives.
"""

from __future__ import annotations

import mmap
import os
from enum import IntEnum
from types import TracebackType
from typing import NamedTuple, Self

import numpy as np

from wrongcall.errors import RecorderError
from wrongcall.events import EVENT_SIZE, FORMAT_VERSION
from wrongcall.trace.format.event_records import EVENT, OPAQUE, Events, carriers

MAGIC = b"WRONGCL1"
HEADER_SIZE = 4096
DEFAULT_EVENTS = 1 << 19
DEFAULT_BYTES = 1 << 22
TAKE_EVENTS = 1 << 16
"""The most to take at a time: 2 MB, so that the program soon has room again."""


class Word(IntEnum):
    """The 64-bit fields of the header, by their index."""

    EVENT_CAPACITY = 2
    BYTE_CAPACITY = 3
    EVENT_HEAD = 8
    BYTE_HEAD = 9
    EVENT_TAIL = 16
    BYTE_TAIL = 17
    PROGRAM_STATE = 24
    DRAIN_STATE = 25
    WAITS = 26
    WAITED_NS = 27
    PROCESS = 28
    PID = 29
    BEGAN = 30


class ProgramState(IntEnum):
    """The state that the program reports."""

    NOT_BEGUN = 0
    RECORDING = 1
    ENDED = 2
    STOPPED = 3  # the program continues without being recorded
    OUT_OF_MEMORY = 4  # the same, because the recorder ran out of memory


class Batch(NamedTuple):
    """Events and exactly the bytes that they own."""

    events: Events
    data: bytes


class Ring:
    """Shared memory between a recorded program and the process that drains it."""

    def __init__(self, fd: int) -> None:
        """Use the ring behind this descriptor, and take ownership of the descriptor."""
        self.fd = fd
        size = os.fstat(fd).st_size
        self._memory = mmap.mmap(fd, size)
        if self._memory[: len(MAGIC)] != MAGIC:
            self._memory.close()
            raise RecorderError(f"descriptor {fd} is not the shared memory of a recording")
        self._words = np.frombuffer(self._memory, dtype="<u8", count=HEADER_SIZE // 8)
        self.event_capacity = self.word(Word.EVENT_CAPACITY)
        self.byte_capacity = self.word(Word.BYTE_CAPACITY)
        split = HEADER_SIZE + EVENT_SIZE * self.event_capacity
        self._events = np.frombuffer(
            self._memory, dtype=OPAQUE, count=self.event_capacity, offset=HEADER_SIZE
        )
        self._bytes = memoryview(self._memory)[split : split + self.byte_capacity]
        self._early = bytearray()

    @classmethod
    def create(
        cls, event_capacity: int = DEFAULT_EVENTS, byte_capacity: int = DEFAULT_BYTES
    ) -> Ring:
        """Create a ring whose capacities are powers of two. A child process may inherit its `fd`."""
        for capacity in (event_capacity, byte_capacity):
            if capacity < 1 or capacity & (capacity - 1):
                raise ValueError(f"the capacity {capacity} is not a power of two")
        size = HEADER_SIZE + EVENT_SIZE * event_capacity + byte_capacity
        sizes = np.array([FORMAT_VERSION | EVENT_SIZE << 32, event_capacity, byte_capacity], "<u8")
        try:
            fd = os.memfd_create("wrongcall")
            os.set_inheritable(fd, True)
            os.ftruncate(fd, size)
            os.pwrite(fd, MAGIC + sizes.tobytes(), 0)
            return cls(fd)
        except OSError as exc:  # a limit on descriptors, on memory or on the size of files
            raise RecorderError(
                f"cannot allocate {size:,} bytes of shared memory: {exc.strerror}"
            ) from exc

    def word(self, word: Word) -> int:
        """Return the current value of a header field."""
        return int(self._words[word])

    @property
    def program_state(self) -> ProgramState:
        """The state that the program last reported."""
        return ProgramState(self.word(Word.PROGRAM_STATE))

    @property
    def waits(self) -> int:
        """How often the program had to wait for room."""
        return self.word(Word.WAITS)

    @property
    def waited_ns(self) -> int:
        """How long, in nanoseconds, the program waited for room."""
        return self.word(Word.WAITED_NS)

    @property
    def pending(self) -> int:
        """How many events are waiting to be taken."""
        return self.word(Word.EVENT_HEAD) - self.word(Word.EVENT_TAIL)

    def take(self, limit: int = TAKE_EVENTS) -> Batch:
        """Take at most ``limit`` pending events, and free their space."""
        count = min(self._waiting(Word.EVENT_HEAD, Word.EVENT_TAIL, self.event_capacity), limit)
        self._take_bytes()
        events = self._copy_events(count)
        owned = int(carriers(events)[1].sum()) if self._early else 0
        if owned > len(self._early):
            raise RecorderError(
                f"the ring is damaged: {owned} bytes of {len(self._early)} are owned"
            )
        data = bytes(self._early[:owned])
        del self._early[:owned]
        self._words[Word.EVENT_TAIL] += np.uint64(count)
        return Batch(events, data)

    def stop(self) -> None:
        """Tell the program that nothing is taken any more, so that it does not wait."""
        self._words[Word.DRAIN_STATE] = 1

    def _waiting(self, head: Word, tail: Word, capacity: int) -> int:
        waiting = self.word(head) - self.word(tail)
        if not 0 <= waiting <= capacity:
            raise RecorderError(f"the ring is damaged: {waiting} of {capacity} are waiting")
        return waiting

    def _copy_events(self, count: int) -> Events:
        begin = self.word(Word.EVENT_TAIL) & (self.event_capacity - 1)
        straight = min(count, self.event_capacity - begin)
        copy = np.empty(count, dtype=OPAQUE)
        copy[:straight] = self._events[begin : begin + straight]
        copy[straight:] = self._events[: count - straight]
        return copy.view(EVENT)

    def _take_bytes(self) -> None:
        count = self._waiting(Word.BYTE_HEAD, Word.BYTE_TAIL, self.byte_capacity)
        begin = self.word(Word.BYTE_TAIL) & (self.byte_capacity - 1)
        straight = min(count, self.byte_capacity - begin)
        self._early += self._bytes[begin : begin + straight]
        self._early += self._bytes[: count - straight]
        self._words[Word.BYTE_TAIL] += np.uint64(count)

    def close(self) -> None:
        """Release the memory; what was not taken is lost unless another process has it mapped."""
        if not self._memory.closed:
            del self._words, self._events
            self._bytes.release()
            self._memory.close()
            os.close(self.fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
