"""The numbers of the first process, observed while it is alone.

Its events go into the trace as they are. If it starts another process that is recorded, all their numbers have to find
their places among those of the trace (`renumber`), and these here are the ones that are taken.
"""

from __future__ import annotations

import zlib

from wrongcall.events import Kind
from wrongcall.trace.write.batch import Batch, OtherEvent, read_batch


class FirstNumbers:
    """Which numbers the first process has given out."""

    def __init__(self) -> None:
        self.calls = 0
        self.objects = 0
        self.types = 0
        self.threads = 0
        self.fields = 0
        self.names: list[tuple[int, bytes]] = []
        """Numbers and texts."""
        self._described: list[bytes] = []
        """What describes its files, compressed."""

    def observe(self, batch: Batch) -> None:
        """Note the numbers in a batch."""
        found = batch.found or read_batch(batch.events)
        self.calls = max(self.calls, found.newest_call)
        self.objects = max(self.objects, found.newest_object)
        for event in found.others:
            self._observe(event, batch.data)

    def _observe(self, event: OtherEvent, data: bytes) -> None:
        text = data[event.begin : event.end]
        if event.kind == Kind.NAME:
            self.names.append((event.value, text))
        elif event.kind == Kind.TYPE:
            self.types = max(self.types, event.value)
        elif event.kind == Kind.THREAD:
            self.threads = max(self.threads, event.value)
        elif event.kind == Kind.FIELDS:
            self.fields = event.key
        elif event.kind == Kind.META:
            self._described.append(zlib.compress(text.partition(b"\0")[0], 1))

    def descriptions(self) -> list[bytes]:
        """Return what describes its files, in JSON."""
        return [zlib.decompress(packed) for packed in self._described]
