"""Volumes: what is told of every few segments together, for what lives longer than a segment.

When the last segment of a volume is full, its digest (`checkpoint`), for states, and its ledger (`owner_index`),
for histories, are made of the events of all of them.
"""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.trace.format.checkpoint import SHELF, Digest, Rows, digested, merged, pack_digest
from wrongcall.trace.format.event_records import Columns
from wrongcall.trace.format.owner_index import VOLUME_EVENTS, Ledger, make_ledger, sift


class Volume(NamedTuple):
    """What is stored of a volume."""

    number: int
    digest: Digest
    shelf: Digest | None
    """If it is the last volume of its shelf."""
    ledger: Ledger


class VolumeBuilder:
    """Makes volumes, in order."""

    def __init__(self) -> None:
        self._newest_object = 0
        self._newest_call = 0
        self._shelf: list[Rows] = []

    def make(self, volume: int, columns: Columns) -> Volume:
        """Make the next volume of its events."""
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
