"""What was written while a generator or coroutine was suspended, and whether it could have met that when it went on.

Vocabulary: a call is *active* from its start, or from when it is resumed, until it yields; between that it is
*suspended*. The calls that it makes, and the generators that it asks, run while it is active.

An object that was not part of what the call was given, and that no event names while the call is active, is out of its
reach: a way to it from anything that the call can reach begins with a write to an object within its reach.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, Tag
from wrongcall.recording import Call, Recording
from wrongcall.trace.format.event_records import Events, distinct, kind_table, obj_ids

_WRITES = frozenset(kind for kind in Kind if Kind.ATTR <= kind <= Kind.KEY)
"""Events that change an object or a global."""
_OF_OBJECTS = kind_table({*_WRITES, Kind.OBJ, Kind.EXPLORED, Kind.ALIAS})
_MOST_OBJECTS = 1_000
"""If more were written, some are taken to be within reach."""
_PART = 1 << 16

_Ints = npt.NDArray[np.int64]
_Bools = npt.NDArray[np.bool_]


class Suspensions:
    """The times at which a call was suspended, since it was created."""

    def __init__(self, recording: Recording, call: Call) -> None:
        self._recording = recording
        self._call = call
        found = recording.events.select({Kind.START, Kind.YIELD, Kind.RESUME}, call=call.id)
        yields = found.events["kind"] == Kind.YIELD
        end = call.exit if call.exit >= 0 else recording.event_count
        self._asked = found.times[~yields]
        self._begins = np.concatenate(([call.entry], found.times[yields]))
        # Nobody asks after the last time that it yields, or ever.
        self._ends = np.concatenate((self._asked, [end]))[: len(self._begins)]

    def met_writes(self, since: int, given: Container[int]) -> bool:
        """Return whether anything was written meanwhile, after a time, that the call could have met later.

        ``given``: all objects that the call could reach at that time.
        """
        if not len(self._asked):
            return False
        # A closure may read variables of the calls around it.
        of_calls = {Kind.LOCAL, Kind.LOCAL_DEL} if self._call.function.free else set()
        last = int(self._asked[-1])
        found = self._recording.events.select({*_WRITES, *of_calls}, first=since + 1, last=last)
        meanwhile = found.events[self._covers(found.times)]
        if not _OF_OBJECTS[meanwhile["kind"]].all():
            return True
        written = distinct(obj_ids(meanwhile))
        if len(written) > _MOST_OBJECTS or any(
            each in given or self._is_namespace(each) for each in written
        ):
            return True
        return bool(written) and self._are_named(written)

    def _covers(self, times: _Ints) -> _Bools:
        """Return which of these times are in a suspension."""
        turn = np.searchsorted(self._begins, times) - 1
        covered: _Bools = (turn >= 0) & (times < self._ends[turn])
        return covered

    def _is_namespace(self, number: int) -> bool:
        """Return whether an object is the ``__dict__`` of another one."""
        return len(self._recording.events.select({Kind.ALIAS}, obj=number).times) > 0

    def _are_named(self, objects: list[int]) -> bool:
        """Return whether an event names one of these objects while the call is active."""
        first, last = self._call.entry, int(self._ends[-1])
        for begin in range(first, last, _PART):
            events = self._recording.events.between(begin, min(begin + _PART, last))
            times = np.arange(begin, begin + len(events))
            if (_names(events, objects) & ~self._covers(times)).any():
                return True
        return False


def _names(events: Events, objects: list[int]) -> _Bools:
    """Return which events name one of these objects."""
    named: _Bools = _OF_OBJECTS[events["kind"]] & np.isin(obj_ids(events), objects)
    for tag, field in (("ktag", "key"), ("vtag", "value")):
        named |= (events[tag] == Tag.OBJ) & np.isin(events[field], objects)
    return named
