"""The program's side of the ring, in Python, for tests."""

from __future__ import annotations

import mmap
import os

import numpy as np

from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.ring import HEADER_SIZE, ProgramState, Word


class RingProducer:
    """Writes to a ring as a recorded program does, but never waits: it tells how much room is."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, os.fstat(fd).st_size)
        self._words = np.frombuffer(self._memory, "<u8", HEADER_SIZE // 8)
        self._event_capacity = int(self._words[Word.EVENT_CAPACITY])
        self._byte_capacity = int(self._words[Word.BYTE_CAPACITY])
        self._events = np.frombuffer(self._memory, EVENT, self._event_capacity, HEADER_SIZE)
        begin = HEADER_SIZE + EVENT.itemsize * self._event_capacity
        self._bytes = np.frombuffer(self._memory, np.uint8, self._byte_capacity, begin)
        self.set(Word.PROGRAM_STATE, ProgramState.RECORDING)

    def room(self) -> tuple[int, int]:
        """How many events and bytes there is room for."""
        events = self.get(Word.EVENT_HEAD) - self.get(Word.EVENT_TAIL)
        data = self.get(Word.BYTE_HEAD) - self.get(Word.BYTE_TAIL)
        return self._event_capacity - events, self._byte_capacity - data

    def put_bytes(self, data: bytes) -> None:
        """Write bytes; the event that owns them follows."""
        assert len(data) <= self.room()[1]
        head = self.get(Word.BYTE_HEAD)
        where = (head + np.arange(len(data))) % self._byte_capacity
        self._bytes[where] = np.frombuffer(data, np.uint8)
        self.set(Word.BYTE_HEAD, head + len(data))

    def put(self, events: Events, data: bytes = b"") -> None:
        """Write the bytes, then the events, then the heads."""
        self.put_bytes(data)
        assert len(events) <= self.room()[0]
        head = self.get(Word.EVENT_HEAD)
        self._events[(head + np.arange(len(events))) % self._event_capacity] = events
        self.set(Word.EVENT_HEAD, head + len(events))

    def get(self, word: Word) -> int:
        """Read a field of the header."""
        return int(self._words[word])

    def set(self, word: Word, value: int) -> None:
        """Write a field of the header."""
        self._words[word] = value

    def close(self) -> None:
        """Let go of the memory."""
        del self._words, self._events, self._bytes
        self._memory.close()
