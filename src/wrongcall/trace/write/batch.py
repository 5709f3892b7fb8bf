"""A batch: events that were handed over together, with the bytes that they own.

Nearly all events become columns as they are. The few that are looked at one by one are found by native code: those that
describe the program, and those about processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from wrongcall.events import EVENT_SIZE
from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_kinds import TRAITS
from wrongcall.trace.write.event_memory import Buffer


class OtherEvent(NamedTuple):
    """An event that is looked at by itself: a dictionary event, but not a content, or one about a process."""

    place: int
    """Its position in the batch."""
    kind: int
    ktag: int
    call: int
    obj: int
    key: int
    value: int
    begin: int
    """Where its bytes begin in the bytes of the batch."""
    end: int


class ContentColumns(NamedTuple):
    """The contents in a batch, as columns: of 8 bytes, from ``tag`` on of one. `content_batch` has their meaning."""

    id: bytes
    base: bytes
    length: bytes
    size: bytes
    tag: bytes
    clipped: bytes
    appended: bytes


class Found(NamedTuple):
    """What a batch has, besides events that become columns as they are."""

    begun: int
    """How many calls begin."""
    newest_call: int
    """The largest id of a call that begins; 0: none does."""
    newest_object: int
    """The largest id of an object that is first seen; 0: none is."""
    owned: int
    """How many bytes the events own."""
    others: list[OtherEvent]
    contents: ContentColumns


@dataclass(frozen=True)
class Batch:
    """Events, as records one after the other, and exactly the bytes that they own."""

    events: Buffer
    data: bytes
    found: Found | None = None
    """What is in it, if that is known."""
    in_place: bool = False
    """Whether the events are where the writer wants them (`TraceWriter.room`)."""

    @property
    def count(self) -> int:
        """How many events there are."""
        return memoryview(self.events).nbytes // EVENT_SIZE


def read_batch(events: Buffer) -> Found:
    """Find out what a batch has."""
    *numbers, others, contents = _packing.read_batch(events, TRAITS)
    begun, newest_call, newest_object, owned = numbers
    return Found(
        begun,
        newest_call,
        newest_object,
        owned,
        [OtherEvent(*other) for other in others],
        ContentColumns(*contents),
    )
