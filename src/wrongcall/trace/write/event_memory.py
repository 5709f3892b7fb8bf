"""Memory for events: records, one after the other, as they leave the ring.

It is plain memory instead of arrays, because the process that writes a trace does without numpy: loading that takes
longer than many programs run.
"""

from __future__ import annotations

import mmap
import struct
from typing import Any, TypeAlias

from wrongcall.events import EVENT_SIZE

Buffer: TypeAlias = Any
"""Contiguous memory: bytes, a memory view, an array."""

_OBJ = struct.Struct("<I")
_OBJ_AT = 12
"""Where a record has the low bits of its ``obj``."""


def new_memory(size: int) -> memoryview:
    """Return memory that is taken from the system page by page, as it is used: most runs are short."""
    return memoryview(mmap.mmap(-1, size))


class EventMemory:
    """Room for a fixed number of events."""

    def __init__(self, count: int) -> None:
        self._memory = new_memory(count * EVENT_SIZE)

    def put(self, records: Buffer, at: int) -> None:
        """Copy records to the place of event ``at``, and those that follow."""
        begin = at * EVENT_SIZE
        self._memory[begin : begin + len(records)] = records

    def set_obj(self, at: int, number: int) -> None:
        """Change the ``obj`` of an event; its high bits stay."""
        _OBJ.pack_into(self._memory, at * EVENT_SIZE + _OBJ_AT, number)

    def part(self, begin: int, end: int) -> memoryview:
        """Return the events from one place to another."""
        return self._memory[begin * EVENT_SIZE : end * EVENT_SIZE]
