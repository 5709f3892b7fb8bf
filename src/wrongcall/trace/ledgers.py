"""Finds all events of an object, or of a call's variables, without looking at every segment.

In the volumes, the `ledger` tells; what is not in it is in one segment, or nowhere. After the last
whole volume there are a few segments at most, which are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.cache import ByteCache
from wrongcall.trace.database import Database
from wrongcall.trace.ledger import (
    OBJECT,
    VARIABLE_KINDS,
    VOLUME_EVENTS,
    LedgerIndex,
    of_owner,
    unpack_page,
)
from wrongcall.trace.records import OBJECT_KINDS, obj_ids
from wrongcall.trace.segment import SEGMENT_EVENTS
from wrongcall.trace.segments import NOTHING, Found, Segments, join_found
from wrongcall.trace.thinning import BARRIERS

Slots = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Page:
    """Events that were unpacked, to be kept."""

    found: Found

    @property
    def nbytes(self) -> int:
        """What it costs to keep."""
        return int(self.found.times.nbytes + self.found.events.nbytes) + 100


class Ledgers:
    """The ledgers of a trace, and the segments where there is none."""

    def __init__(self, db: Database, cache: ByteCache, segments: Segments) -> None:
        self._db = db
        self._cache = cache
        self._segments = segments

    @property
    def volumes(self) -> int:
        """How many whole volumes there are, as far as the snapshot goes."""
        return self._segments.event_count // VOLUME_EVENTS

    def find(
        self,
        owner: int,
        slots: Iterable[int] | None = None,
        first: int = 0,
        last: int | None = None,
    ) -> Found:
        """Return the events of an owner in a span of times, in order.

        With slots, those of other slots may be missing, but need not.
        """
        return join_found([NOTHING, *self.parts(owner, slots, first, last)])

    def parts(
        self,
        owner: int,
        slots: Iterable[int] | None = None,
        first: int = 0,
        last: int | None = None,
        backward: bool = False,
    ) -> Iterator[Found]:
        """Like `find`, volume by volume."""
        end = self._segments.event_count if last is None else min(last, self._segments.event_count)
        wanted = None if slots is None else np.array(sorted(set(slots)), dtype=np.uint32)
        spans = list(_spans(max(first, 0), end, self.volumes * VOLUME_EVENTS))
        for begin, stop in reversed(spans) if backward else spans:
            volume = begin // VOLUME_EVENTS
            if volume < self.volumes:
                found = _between(self.in_volume(volume, owner, wanted), begin, stop)
            else:
                found = self._searched(owner, begin, stop)
            if len(found.times):
                yield found

    def in_volume(self, volume: int, owner: int, slots: Slots | None = None) -> Found:
        """Return the events of an owner in a volume, in order."""
        index = self.index(volume)
        newest = index.newest(owner)
        number = owner & ~OBJECT
        if number > newest[-1]:
            return NOTHING
        first = volume * VOLUME_EVENTS
        if index.leaves_out(owner, slots):
            return self._searched(owner, first, first + VOLUME_EVENTS)
        pages = index.pages(owner, slots)
        found = self._on_pages(volume, pages, owner)
        if not len(found.times) and self._is_new(volume, owner) and not self._has(volume, owner):
            first += int(np.searchsorted(newest, number)) * SEGMENT_EVENTS
            return self._searched(owner, first, first + SEGMENT_EVENTS)
        return found

    def matter(self, volume: int, owner: int, time: int) -> Found:
        """Return the events of an owner in a volume that matter for its state at a time.

        Others may be among them, but none after that time.
        """
        index = self.index(volume)
        pages = index.pages(owner, None)
        outdated = set() if index.leaves_out(owner, None) else index.outdated(pages, time)
        if outdated:
            found = self._on_pages(volume, [p for p in pages if p not in outdated], owner)
            barriers = BARRIERS[found.events["kind"]]
            if not (barriers & (found.times <= time)).any():
                return _between(found, 0, time + 1)
        return _between(self.in_volume(volume, owner), 0, time + 1)

    def _is_new(self, volume: int, owner: int) -> bool:
        """Return whether an owner is first seen in a volume, or later."""
        return owner & ~OBJECT > self.newest_before(volume, owner)

    def newest_before(self, volume: int, owner: int) -> int:
        """Return the newest object (or call, as the owner is one) before a volume."""
        return int(self.index(volume - 1).newest(owner)[-1]) if volume else 0

    def _has(self, volume: int, owner: int) -> bool:
        """Return whether an owner is in a ledger at all."""
        index = self.index(volume)
        if index.leaves_out(owner, None):
            return True
        pages = index.pages(owner, None)
        return any(len(self._of_owner(volume, page, owner).times) for page in pages)

    def _of_owner(self, volume: int, page: int, owner: int) -> Found:
        return of_owner(self._page(volume, page), owner)

    def _on_pages(self, volume: int, pages: list[int], owner: int) -> Found:
        return in_order(join_found([self._of_owner(volume, page, owner) for page in pages]))

    def _searched(self, owner: int, first: int, last: int) -> Found:
        """Return the events of an owner in a span of times, from the segments."""
        select = self._segments.select
        if owner & OBJECT:
            return select(OBJECT_KINDS, obj=owner ^ OBJECT, first=first, last=last)
        own = select(VARIABLE_KINDS, call=owner, first=first, last=last)
        other = select(VARIABLE_KINDS, obj=owner, first=first, last=last)
        mine = obj_ids(own.events) == 0
        if not mine.all():
            own = Found(own.times[mine], own.events[mine])
        return in_order(join_found([own, other]))

    def index(self, volume: int) -> LedgerIndex:
        """Return what is in the ledger of a volume."""

        def load() -> LedgerIndex:
            sql = "SELECT newest, heads, left_out FROM ledgers WHERE volume = ?"
            rows = self._db.rows("bbb", sql, volume)
            if not rows:
                raise TraceError(f"damaged trace: there is no ledger {volume}")
            return LedgerIndex.unpack(*rows[0])

        return self._cache.get(("ledger", volume), load)

    def _page(self, volume: int, number: int) -> Found:
        def load() -> Page:
            sql = "SELECT packed FROM pages WHERE volume = ? AND number = ?"
            rows = self._db.rows("b", sql, volume, number)
            if not rows:
                raise TraceError(f"damaged trace: there is no page {number} of ledger {volume}")
            return Page(unpack_page(rows[0][0]))

        return self._cache.get(("page", volume, number), load).found


def _spans(first: int, last: int, whole: int) -> Iterator[tuple[int, int]]:
    """Cut a span of times at the volumes; what comes after the whole ones is one piece."""
    while first < min(last, whole):
        stop = min((first // VOLUME_EVENTS + 1) * VOLUME_EVENTS, last)
        yield first, stop
        first = stop
    if first < last:
        yield first, last


def in_order(found: Found) -> Found:
    """Return events sorted by their times."""
    if (found.times[1:] > found.times[:-1]).all():
        return found
    order = np.argsort(found.times, kind="stable")
    return Found(found.times[order], found.events[order])


def _between(found: Found, first: int, last: int) -> Found:
    begin, end = np.searchsorted(found.times, [first, last])
    return Found(found.times[begin:end], found.events[begin:end])
