"""Processes that the program started, and the calls that started them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind, Start, Tag
from wrongcall.replay.spans import Spans
from wrongcall.trace.format.event_records import call_ids, kind_table, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Clipped, Values

_PROCESSES = kind_table({Kind.PROCESS})
_LOW = 0xFFFFFFFF
_STARTS = (Start.FORKED, Start.COMMAND, Start.REPLACED)
_HELPER = "from multiprocessing.resource_tracker import main"
"""What multiprocessing starts for itself: it runs no code of the program."""


class Process(NamedTuple):
    """A process that was started."""

    time: int
    call: int
    """0 if no recorded call started it."""
    line: int
    """0 if not known."""
    how: Start
    command: str
    """Its first words; empty if not known."""
    number: int = 0
    """Its number, if it is recorded; else 0."""


class Processes:
    """Finds the processes that were started."""

    def __init__(self, store: Store, values: Values, spans: Spans) -> None:
        self._store = store
        self._values = values
        self._spans = spans

    def all(self) -> list[Process]:
        """Return all of them, in order."""
        return list(self._read(self._store.segments.select({Kind.PROCESS})))

    def below(self, call: int, until: int = 0) -> list[Process]:
        """Return those started by a call or by one below it; ``until``: up to the end of a sibling."""
        found: list[Process] = []
        first, last = self._spans.span(call, until)
        bitmap = np.packbits(_PROCESSES, bitorder="little")
        begin, end = first // SEGMENT_EVENTS, last // SEGMENT_EVENTS + 1
        if not (self._store.segments.index.kinds[begin:end] & bitmap).any():
            return []
        family = self._spans.family(call, until)
        for number, where in self._spans.between(first, last, family, _PROCESSES):
            kinds = self._store.segments.fields(number, "kind", where)
            times = where[kinds == Kind.PROCESS] + number * SEGMENT_EVENTS
            found += self._read(self._store.segments.at(times))
        return found

    def _read(self, found: Found) -> Iterator[Process]:
        told = found.events["ktag"] == Tag.INT
        found = Found(found.times[told], found.events[told])
        columns = [found.events[name].tolist() for name in ("site", "key", "vtag", "value")]
        numbers = (call_ids(found.events).tolist(), obj_ids(found.events).tolist())
        for time, call, number, site, key, tag, bits in zip(
            found.times.tolist(), *numbers, *columns, strict=True
        ):
            how = key & _LOW
            if how not in _STARTS or (number and not self._began(number)):
                continue
            value = self._values.read(tag, bits)
            text = value.beginning if isinstance(value, Clipped) else value
            command = text if isinstance(text, str) else ""
            if _HELPER not in command:
                line = self._store.program.line(site)
                yield Process(time, call, line, Start(how), command, number)

    def _began(self, number: int) -> bool:
        """Return whether a process that was to be recorded could be started."""
        known = self._store.program.processes.get(number)
        return known is None or known.pid != 0
