"""Extents: indexes over every few segments, for what lives longer than a segment.

The checkpoint of an extent (for states) and its owner index (for histories) are made from the events of all its
segments: by native code, without the GIL. What is left to do here is to compress them.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_kinds import GROUPS, TRAITS
from wrongcall.trace.format.frames import compress
from wrongcall.trace.format.sizes import (
    CHUNK,
    EXTENT_EVENTS,
    GROUP_EXTENTS,
    MOST_MERGED,
    OWNER_INDEX_SHARE,
    PAGE,
    SEGMENT_EVENTS,
)

_COUNT = struct.Struct("<I")
_ROW_BYTES = 40
"""Of a row of a checkpoint in memory, in the native code."""
_Block = tuple[int, bytes, bytes]
"""The rows of some columns, with their number and codings."""


class OwnerIndex(NamedTuple):
    """An owner index in its stored form."""

    newest: bytes
    heads: bytes
    left_out: bytes
    sites: bytes
    pages: list[bytes]


class Checkpoint(NamedTuple):
    """A checkpoint in its stored form."""

    objects: bytes
    chunks: list[bytes]


class Extent(NamedTuple):
    """The stored parts of an extent."""

    number: int
    checkpoint: Checkpoint
    group: Checkpoint | None
    """Set for the last extent of its group."""
    owner_index: OwnerIndex


class ExtentBuilder:
    """Makes extents, in order."""

    def __init__(self, newest_object: int = 0, newest_call: int = 0) -> None:
        self._newest = (newest_object, newest_call)
        """The largest ids that were given out before the extent."""
        self._extent_group: list[bytes] = []
        """The rows of the checkpoints of the current group, unless they are too many."""
        self._group_rows = 0

    def make(self, extent: int, events: Any) -> Extent:
        """Make the next extent from its events, given as records in contiguous memory."""
        first = extent * EXTENT_EVENTS
        sizes = (SEGMENT_EVENTS, OWNER_INDEX_SHARE, PAGE, CHUNK)
        index, checkpoint, rows, self._newest = _packing.pack_extent(
            events, TRAITS, GROUPS, *sizes, first, *self._newest
        )
        newest, heads, left_out, sites, pages = index
        head = (_block(*newest), _block(*heads), _block(*left_out), _block(*sites))
        self._group_rows += len(rows) // _ROW_BYTES
        self._extent_group.append(rows if self._group_rows <= MOST_MERGED else b"")
        return Extent(
            extent,
            _checkpoint(*checkpoint),
            self._next_extent_group(),
            OwnerIndex(*head, [_block(*page) for page in pages]),
        )

    def _next_extent_group(self) -> Checkpoint | None:
        if len(self._extent_group) < GROUP_EXTENTS:
            return None
        parts, self._extent_group = self._extent_group, []
        count, self._group_rows = self._group_rows, 0
        if count > MOST_MERGED:
            return None
        return _checkpoint(*_packing.merge_checkpoints(parts, TRAITS, CHUNK))


def _checkpoint(objects: _Block, chunks: list[_Block]) -> Checkpoint:
    return Checkpoint(_block(*objects), [_block(*chunk) for chunk in chunks])


def _block(count: int, codings: bytes, planes: bytes) -> bytes:
    """Return a column block (see `column_block`)."""
    return _COUNT.pack(count) + codings + compress(planes)
