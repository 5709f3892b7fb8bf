"""Extents: indexes over every few segments, for what lives longer than a segment.

When the last segment of an extent is full, its checkpoint (for states) and its owner index (for histories) are made
from the events of all its segments.
"""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.trace.format.checkpoint import (
    GROUP_EXTENTS,
    Checkpoint,
    Rows,
    checkpoint_events,
    merged,
    pack_checkpoint,
)
from wrongcall.trace.format.event_records import Columns
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, OwnerIndex, make_owner_index, sift


class Extent(NamedTuple):
    """The stored parts of an extent."""

    number: int
    checkpoint: Checkpoint
    group: Checkpoint | None
    """Set for the last extent of its group."""
    owner_index: OwnerIndex


class ExtentBuilder:
    """Makes extents, in order."""

    def __init__(self) -> None:
        self._newest_object = 0
        self._newest_call = 0
        self._extent_group: list[Rows] = []

    def make(self, extent: int, columns: Columns) -> Extent:
        """Make the next extent from its events."""
        sifted = sift(columns, self._newest_object, self._newest_call)
        self._newest_object = int(sifted.newest_objects[-1])
        self._newest_call = int(sifted.newest_calls[-1])
        first = extent * EXTENT_EVENTS
        self._extent_group.append(checkpoint_events(first, columns, sifted))
        checkpoint = pack_checkpoint(self._extent_group[-1])
        return Extent(
            extent, checkpoint, self._next_extent_group(), make_owner_index(first, columns, sifted)
        )

    def _next_extent_group(self) -> Checkpoint | None:
        if len(self._extent_group) < GROUP_EXTENTS:
            return None
        rows = merged(self._extent_group)
        self._extent_group = []
        return None if rows is None else pack_checkpoint(rows)
