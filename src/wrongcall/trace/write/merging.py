"""Merge the events of several processes into one stream; `rings` explains which of them, and in which order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format.event_records import (
    EVENT,
    Events,
    Ints,
    carriers,
    join_events,
    kinds_of,
)
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.first_numbers import FirstNumbers
from wrongcall.trace.write.renumber import Renumber, Stretch
from wrongcall.trace.write.source import Source


class Part(NamedTuple):
    """Events of one process that can be appended, and when the burst of each began."""

    process: int
    events: Events
    data: bytes
    begins: Ints


class Merging:
    """Merges what processes have handed over, and gives it the numbers of the trace."""

    def __init__(self, first: FirstNumbers) -> None:
        self._renumber = Renumber(first)

    def take(self, sources: list[Source], clock: int) -> Batch:
        """Take the bursts that began until then from their sources."""
        parts = [until(source, clock) for source in sources]
        events, data, stretches = merged([part for part in parts if len(part.events)])
        batch = Batch(events, data)
        if stretches:
            batch = self._renumber(batch, stretches)
        return Batch(np.ascontiguousarray(batch.events).view(np.uint8), batch.data)

    def forget(self, process: int) -> None:
        """Forget the numbers of a process that has ended."""
        self._renumber.forget(process)


def until(source: Source, clock: int) -> Part:
    """Take the bursts that began until then from a source, without marks."""
    events = join_events([np.frombuffer(batch.events, EVENT) for batch in source.held])
    data = b"".join(batch.data for batch in source.held)
    is_mark = kinds_of(events) == Kind.MARK
    times = np.concatenate([[source.begin], events["value"][is_mark]])
    begins = times[np.cumsum(is_mark)]
    count = int(np.searchsorted(begins, clock, side="right"))
    ready, later = events[:count], events[count:]
    size = int(carriers(ready)[1].sum()) if data else 0
    source.held = [Batch(later.tobytes(), data[size:])] if len(later) else []
    source.begin = int(begins[count - 1]) if count else source.begin
    plain = ~is_mark[:count]
    return Part(source.process, ready[plain], data[:size], begins[:count][plain])


def merged(parts: list[Part]) -> tuple[Events, bytes, list[Stretch]]:
    """Put the events of several processes in order: by when their bursts began, then by process."""
    if not parts:
        return np.empty(0, EVENT), b"", []
    if len(parts) == 1:
        part = parts[0]
        return part.events, part.data, [Stretch(part.process, 0, len(part.events))]
    parts = sorted(parts, key=lambda part: part.process)
    counts = [len(part.events) for part in parts]
    order = np.argsort(np.concatenate([part.begins for part in parts]), kind="stable")
    source = np.repeat(np.arange(len(parts)), counts)[order]
    cuts = np.flatnonzero(np.diff(source)) + 1
    begins, ends = [0, *cuts.tolist()], [*cuts.tolist(), len(order)]
    stretches = [
        Stretch(parts[which].process, begin, end)
        for which, begin, end in zip(source[begins].tolist(), begins, ends, strict=True)
    ]
    events = join_events([part.events for part in parts])[order]
    return events, _merged_data(parts, source[begins].tolist(), begins, ends), stretches


def _merged_data(parts: list[Part], which: list[int], begins: list[int], ends: list[int]) -> bytes:
    """Return the bytes of the events, in the order of the stretches."""
    totals = [_sizes_before(part) for part in parts]
    done = [0] * len(parts)
    data = []
    for part, begin, end in zip(which, begins, ends, strict=True):
        before = done[part]
        done[part] += end - begin
        total = totals[part]
        if total is not None:
            data.append(parts[part].data[total[before] : total[done[part]]])
    return b"".join(data)


def _sizes_before(part: Part) -> Ints | None:
    """Return how many bytes the events before each event own; None if none owns any."""
    if not part.data:
        return None
    sizes = np.zeros(len(part.events) + 1, np.int64)
    where, owned = carriers(part.events)
    sizes[where + 1] = owned
    return np.cumsum(sizes)
