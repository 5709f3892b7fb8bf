"""Volumes: what is told of every few segments together, for what lives longer than a segment.

While segments are written, their events are collected; with the last one of a volume come its
digest (`digest`), for states, and its ledger (`ledger`), for histories.
"""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.trace.digest import SHELF, Digest, Rows, digested, merged, pack_digest
from wrongcall.trace.ledger import VOLUME, VOLUME_EVENTS, Ledger, make_ledger, sift
from wrongcall.trace.records import FIELDS, Columns, empty_columns
from wrongcall.trace.segment import SEGMENT_EVENTS


class Volume(NamedTuple):
    """What is stored of a volume."""

    number: int
    digest: Digest
    shelf: Digest | None
    """If it is the last volume of its shelf."""
    ledger: Ledger


class VolumeBuilder:
    """Collects full segments, in order."""

    def __init__(self) -> None:
        self._columns: Columns | None = None
        self._newest_object = 0
        self._newest_call = 0
        self._shelf: list[Rows] = []

    def add(self, number: int, events: Columns) -> Volume | None:
        """Take a full segment; return its volume if it is the last one of it."""
        if self._columns is None:  # most runs are shorter than a segment
            self._columns = empty_columns(VOLUME_EVENTS)
        at = number % VOLUME * SEGMENT_EVENTS
        for name in FIELDS:
            self._columns[name][at : at + SEGMENT_EVENTS] = events[name]
        if (number + 1) % VOLUME:
            return None
        return self._made(number // VOLUME, self._columns)

    def _made(self, volume: int, columns: Columns) -> Volume:
        sifted = sift(columns, self._newest_object, self._newest_call)
        self._newest_object = int(sifted.newest_objects[-1])
        self._newest_call = int(sifted.newest_calls[-1])
        first = volume * VOLUME_EVENTS
        self._shelf.append(digested(first, columns, sifted))
        digest = pack_digest(self._shelf[-1])
        return Volume(volume, digest, self._next_shelf(), make_ledger(first, columns, sifted))

    def _next_shelf(self) -> Digest | None:
        if len(self._shelf) < SHELF:
            return None
        rows = merged(self._shelf)
        self._shelf = []
        return None if rows is None else pack_digest(rows)
