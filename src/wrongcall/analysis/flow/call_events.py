"""The events of a call as columns: its own and the beginnings of the calls it made, by time.

Only what shows where in its function the call was is read; keys and values of single events are looked up when they are
displayed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.events import SITE_LINE, Kind
from wrongcall.trace.format.event_records import Bools, Bytes, Ints, kind_table
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_TELL_LINES = kind_table({Kind.RAISE, Kind.CAUGHT, Kind.BLOCK})
_CALLER = 0xFFFFFFFF
"""The bits of a beginning's key that hold the calling site."""


class CallEvents(NamedTuple):
    """Events as columns, by ascending time."""

    def part(self, where: slice) -> CallEvents:
        """Return some of them."""
        columns: list[Any] = [column[where] for column in self]
        return CallEvents(*columns)

    def then(self, later: CallEvents) -> CallEvents:
        """Return these and later ones."""
        mine: tuple[Any, ...] = self
        other: tuple[Any, ...] = later
        columns = [np.concatenate(pair) for pair in zip(mine, other, strict=True)]
        return CallEvents(*columns)

    time: Ints
    kind: Bytes
    site: npt.NDArray[np.uint32]
    """The position in the function; for a call that was made, its calling site."""
    made: Bools
    """It is the beginning of a call that was made."""
    raised: Ints
    """The line that an exception left; 0 if this is not an exception."""
    left: Bools
    """An exception left the running block, to `with` or `finally`."""
    exception: Ints
    """Which exception it was, if any."""


def call_events(
    store: Store, calls: CallTable, call: int, span: tuple[int, int] | None = None
) -> CallEvents:
    """Return the events of a call; ``span``: from one time to another, the last included."""
    first, last = span or calls.span(call)
    own = store.segments.times_of(call, first, last + 1)
    kind, site = store.segments.columns_at(own, "kind", "site")
    made = np.zeros(len(own), dtype=np.bool_)
    begun = calls.made(call, span)[1]
    if not len(begun):
        return _with_lines(store, own, kind, site, made)
    kinds, keys = store.segments.columns_at(begun, "kind", "key")
    order = np.argsort(np.concatenate([own, begun]), kind="stable")
    columns: list[tuple[npt.NDArray[Any], npt.NDArray[Any]]] = [
        (own, begun),
        (kind, kinds),
        (site, (keys & _CALLER).astype(np.uint32)),
        (made, np.ones(len(begun), dtype=np.bool_)),
    ]
    time, kind, site, made = (np.concatenate(pair)[order] for pair in columns)
    return _with_lines(store, time, kind, site, made)


def _with_lines(
    store: Store, time: Ints, kind: Bytes, site: npt.NDArray[np.uint32], made: Bools
) -> CallEvents:
    where = np.flatnonzero(_TELL_LINES[kind])
    tags, keys, values = store.segments.columns_at(time[where], "ktag", "key", "value")
    blocks = kind[where] == Kind.BLOCK
    left = np.zeros(len(time), dtype=np.bool_)
    left[where] = blocks & (tags != 0)
    raised = np.zeros(len(time), dtype=np.int64)
    raised[where] = np.where(blocks & (tags == 0), 0, np.clip(keys, 0, SITE_LINE - 1))
    exception = np.zeros(len(time), dtype=np.int64)
    exception[where] = values
    return CallEvents(time, kind, site, made, raised, left, exception)
