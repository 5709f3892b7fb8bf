"""Leave out writes that make no difference to what several writers did, before they are replayed one by one.

Threads that share a counter write to it a million times. `turns` tells what each of them found and left there, so of
the writes that one writer made to a place without any other in between, a *block*, the first and the last one matter.
The last write that puts back a value from before the block matters, too, with the one after it: there a run ends, and
another begins.

Invariant: replaying what is left gives the same turns, run by run. This is known for plain values of attributes and
entries, where equal means equal bits. Everything else is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from wrongcall.events import SEEN, Kind, Tag
from wrongcall.replay.object_replay import Replay, Row, rows_of
from wrongcall.trace.format.event_records import (
    Bools,
    Bytes,
    Events,
    Ints,
    call_ids,
    kind_table,
    with_seen,
)
from wrongcall.trace.format.selection import Found

FEW = 64
"""So few writes are replayed as they are."""
_PLACED = kind_table({Kind.ATTR, Kind.ENTRY})
_PLACED_OR_SEEN = kind_table(with_seen({Kind.ATTR, Kind.ENTRY}))

_Hashes = npt.NDArray[np.uint64]


def _tags(*spans: tuple[int, int]) -> Bools:
    table = np.zeros(256, np.bool_)
    for first, last in spans:
        table[first : last + 1] = True
    return table


_SHARED_BITS = _tags((Tag.OBJ, Tag.COMPLEX))
"""Tags of values that may be the same though their bits are not."""
_PLAIN_KEYS = _tags((Tag.INT, Tag.INT), (Tag.STR_INLINE, 255))
"""Tags of keys of a dict that are the same only if tag and bits are."""


class TurnWrites:
    """Collects the writes that matter."""

    def __init__(self, start: Replay) -> None:
        slots = [*start.attrs.values(), *(slot for _, slot in start.entries.values())]
        tags = np.array([slot.tag & 0xFF for slot in slots], np.uint8)
        self._found = np.sort(_hashes(tags, np.array([slot.bits for slot in slots], np.int64)))
        """Hashes of values that were there before a block, at any place, in ascending order."""
        self._is_explored = False

    def of(
        self, parts: Iterable[Found], writers: Callable[[Ints], Ints]
    ) -> tuple[list[Row], list[int]]:
        """Return the writes of an object that matter, in order, with their writers."""
        rows: list[Row] = []
        who: list[int] = []
        for part in parts:
            told = writers(call_ids(part.events))
            kept = self._kept(part, told)
            rows += rows_of(Found(part.times[kept], part.events[kept]))
            who += told[kept].tolist()
        return rows, who

    def _kept(self, part: Found, who: Ints) -> Bools:
        """Return which writes of a part matter."""
        events = part.events
        kinds: Bytes = events["kind"] & np.uint8(~SEEN & 0xFF)
        if len(events) < FEW or not self._is_plain(events, kinds):
            return np.ones(len(events), np.bool_)
        order = np.lexsort((events["key"], events["ktag"], kinds))
        placed, writers = events[order], who[order]
        first = np.ones(len(events) + 1, np.bool_)
        first[1:-1] = writers[1:] != writers[:-1]
        for column in (kinds[order], placed["ktag"], placed["key"]):
            first[1:-1] |= column[1:] != column[:-1]
        kept = np.empty(len(events), np.bool_)
        kept[order] = first[:-1] | first[1:] | self._returning(placed, first[:-1], first[1:])
        return kept

    def _is_plain(self, events: Events, kinds: Bytes) -> bool:
        """Return whether all events write to attributes, or to entries with plain keys."""
        # What is seen when an object is explored is no write. That may go on in the next part.
        self._is_explored |= bool((kinds == Kind.EXPLORED).any())
        known = _PLACED if self._is_explored else _PLACED_OR_SEEN
        keys = events["ktag"][kinds == Kind.ENTRY]
        return bool(known[events["kind"]].all() and _PLAIN_KEYS[keys].all())

    def _returning(self, placed: npt.NDArray[np.void], first: Bools, last: Bools) -> Bools:
        """Return which writes may put back what was there before a block, or follow such a write.

        Of those in one block that put back the same, the last one is enough.
        """
        hashes = _hashes(placed["vtag"], placed["value"])
        found = np.sort(np.concatenate([self._found, hashes[last]]))
        self._found = found[np.diff(found, prepend=~found[:1]) != 0]
        rows = np.minimum(np.searchsorted(self._found, hashes), len(self._found) - 1)
        back: Bools = _SHARED_BITS[placed["vtag"]]
        again = np.flatnonzero((self._found[rows] == hashes) & ~back)
        blocks = np.cumsum(first, dtype=np.int64)
        back[_last_of_each(blocks[again], hashes[again], again)] = True
        back[1:] |= back[:-1].copy()
        return back


def _last_of_each(blocks: Ints, hashes: _Hashes, where: Ints) -> Ints:
    """Return the last positions at which each value occurs in each block."""
    order = np.lexsort((where, hashes, blocks))
    last = np.ones(len(where), np.bool_)
    last[:-1] = (np.diff(blocks[order]) != 0) | (np.diff(hashes[order]) != 0)
    found: Ints = where[order[last]]
    return found


def _hashes(tags: npt.NDArray[np.uint8], bits: Ints) -> _Hashes:
    """Return hashes of values; if two different ones have the same, only a few more writes are kept."""
    mixed: _Hashes = bits.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return mixed + tags.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F)
