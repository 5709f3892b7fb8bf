"""Writes: how one place changed, event by event, built for many events at a time.

Vocabulary: a *write* is a change of a place, or (``seen``) the first sight of what was there. Between two writes the
place holds one `Slot`, or None if there is nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.trace.format.event_records import Bools, Bytes, call_ids, kind_table
from wrongcall.trace.format.program_tables import Program
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.values import UNKNOWN, UNSET, Value, Values

_BY_NUMBER = {number: Kind(number & ~SEEN) for kind in Kind for number in (kind, kind | SEEN)}
_FIRST_SIGHTS = kind_table({Kind.OBJ, Kind.EXPLORED, *range(SEEN, 256)})


def read_slot(values: Values, slot: Slot | None) -> Value:
    """Return the value in a slot."""
    if slot is None:
        return UNSET
    return UNKNOWN if slot == UNKNOWN_SLOT else values.read(slot.tag, slot.bits)


class Write(NamedTuple):
    """A change of one place, or (``seen``) the first sight of what was there."""

    time: int
    call: int
    site: int
    line: int
    kind: Kind
    seen: bool
    before: Slot | None
    after: Slot | None
    values: Values

    @property
    def old(self) -> Value:
        """The value before; read on demand, because growing texts make long histories."""
        return read_slot(self.values, self.before)

    @property
    def new(self) -> Value:
        """The value from then on."""
        return read_slot(self.values, self.after)


def _known(numbers: Bytes) -> list[Kind]:
    kinds = numbers.tolist()
    unknown = set(kinds) - _BY_NUMBER.keys()
    if unknown:
        raise TraceError(f"damaged trace: an event has the unknown kind {unknown.pop() & ~SEEN}")
    return list(map(_BY_NUMBER.__getitem__, kinds))


def slots_of(found: Found, gone: Bools) -> list[Slot | None]:
    """Return what each event leaves in its place: its value, or nothing where it is ``gone``."""
    columns = (found.events["vtag"].tolist(), found.events["value"].tolist())
    slots: list[Slot | None] = list(map(Slot, *columns, found.times.tolist()))
    for i in np.flatnonzero(gone).tolist():
        slots[i] = None
    return slots


def writes_of(
    program: Program,
    values: Values,
    found: Found,
    before: Sequence[Slot | None],
    after: Sequence[Slot | None],
) -> list[Write]:
    """Return the writes for events, with the values before and after each."""
    kinds, sites = found.events["kind"], found.events["site"].tolist()
    lines = {site: program.line(site) for site in set(sites)}
    return list(
        map(
            Write,
            found.times.tolist(),
            call_ids(found.events).tolist(),
            sites,
            [lines[site] for site in sites],
            _known(kinds),
            _FIRST_SIGHTS[kinds].tolist(),
            before,
            after,
            repeat(values),
        )
    )
