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
import struct
from enum import IntEnum
from types import TracebackType
from typing import Self

from wrongcall.errors import RecorderError
from wrongcall.events import EVENT_SIZE, FORMAT_VERSION
from wrongcall.trace.write.batch import Batch, read_batch

MAGIC = b"WRONGCL1"
HEADER_SIZE = 4096
DEFAULT_EVENTS = 1 << 19
DEFAULT_BYTES = 1 << 22
TAKE_EVENTS = 1 << 16
"""The most to take at a time: 2 MB, so that the program soon has room again."""
_SIZES = struct.Struct("<IIQQ")


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
        whole = memoryview(self._memory)
        self._words = whole[:HEADER_SIZE].cast("Q")
        self.event_capacity = self.word(Word.EVENT_CAPACITY)
        self.byte_capacity = self.word(Word.BYTE_CAPACITY)
        split = HEADER_SIZE + EVENT_SIZE * self.event_capacity
        self._events = whole[HEADER_SIZE:split]
        self._bytes = whole[split : split + self.byte_capacity]
        whole.release()
        self._early = bytearray()
        self._taken = memoryview(bytearray())
        """The events that were taken last; the memory is used again."""

    @classmethod
    def create(
        cls, event_capacity: int = DEFAULT_EVENTS, byte_capacity: int = DEFAULT_BYTES
    ) -> Ring:
        """Create a ring whose capacities are powers of two. A child process may inherit its `fd`."""
        for capacity in (event_capacity, byte_capacity):
            if capacity < 1 or capacity & (capacity - 1):
                raise ValueError(f"the capacity {capacity} is not a power of two")
        size = HEADER_SIZE + EVENT_SIZE * event_capacity + byte_capacity
        sizes = _SIZES.pack(FORMAT_VERSION, EVENT_SIZE, event_capacity, byte_capacity)
        try:
            fd = os.memfd_create("wrongcall")
            os.set_inheritable(fd, True)
            os.ftruncate(fd, size)
            os.pwrite(fd, MAGIC + sizes, 0)
            return cls(fd)
        except OSError as exc:  # a limit on descriptors, on memory or on the size of files
            raise RecorderError(
                f"cannot allocate {size:,} bytes of shared memory: {exc.strerror}"
            ) from exc

    def word(self, word: Word) -> int:
        """Return the current value of a header field."""
        return self._words[word]

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

    def take(self, limit: int = TAKE_EVENTS, into: memoryview | None = None) -> Batch:
        """Take at most ``limit`` pending events, and free their space.

        They are copied into the given memory, no more than fit there; else they are valid until the next call.
        """
        if into is not None:
            limit = min(limit, len(into) // EVENT_SIZE)
        count = min(self._waiting(Word.EVENT_HEAD, Word.EVENT_TAIL, self.event_capacity), limit)
        self._take_bytes()
        events = self._copy_events(count, into)
        found = read_batch(events)
        owned = found.owned
        if owned > len(self._early):
            raise RecorderError(
                f"the ring is damaged: {owned} bytes of {len(self._early)} are owned"
            )
        data = bytes(self._early[:owned]) if owned else b""
        if owned:
            del self._early[:owned]
        self._words[Word.EVENT_TAIL] += count
        return Batch(events, data, found, in_place=into is not None)

    def stop(self) -> None:
        """Tell the program that nothing is taken any more, so that it does not wait."""
        self._words[Word.DRAIN_STATE] = 1

    def _waiting(self, head: Word, tail: Word, capacity: int) -> int:
        waiting = self.word(head) - self.word(tail)
        if not 0 <= waiting <= capacity:
            raise RecorderError(f"the ring is damaged: {waiting} of {capacity} are waiting")
        return waiting

    def _copy_events(self, count: int, into: memoryview | None) -> memoryview:
        size = count * EVENT_SIZE
        if into is None:
            if len(self._taken) < size:
                self._taken = memoryview(bytearray(size))
            into = self._taken
        begin = (self.word(Word.EVENT_TAIL) & (self.event_capacity - 1)) * EVENT_SIZE
        straight = min(size, len(self._events) - begin)
        into[:straight] = self._events[begin : begin + straight]
        into[straight:size] = self._events[: size - straight]
        return into[:size]

    def _take_bytes(self) -> None:
        count = self._waiting(Word.BYTE_HEAD, Word.BYTE_TAIL, self.byte_capacity)
        if not count:
            return
        begin = self.word(Word.BYTE_TAIL) & (self.byte_capacity - 1)
        straight = min(count, self.byte_capacity - begin)
        self._early += self._bytes[begin : begin + straight]
        self._early += self._bytes[: count - straight]
        self._words[Word.BYTE_TAIL] += count

    def close(self) -> None:
        """Release the memory; what was not taken is lost unless another process has it mapped."""
        if not self._memory.closed:
            for view in (self._words, self._events, self._bytes):
                view.release()
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
