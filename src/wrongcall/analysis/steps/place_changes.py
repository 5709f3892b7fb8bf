"""Which steps of a call changed a place: writes, and calls inside which it was written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.analysis.steps.steps import StepKind, Steps, step_table
from wrongcall.trace.format.event_records import Bools, Ints, call_ids
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_CHANGING = step_table(StepKind.WRITE, StepKind.DELETE, StepKind.GIVEN)
_CALLS = step_table(StepKind.CALL)


class Marks(NamedTuple):
    """Steps by time that changed a place, as columns."""

    at: Ints
    """Their positions among the steps, in ascending order."""
    time: Ints
    inside: Bools
    """It changed inside the call that was made."""


def marked(store: Store, calls: CallTable, steps: Steps, written: Ints) -> Marks:
    """Return the steps, which must be by time, that changed a place written at these times."""
    columns = steps.columns
    changing = np.flatnonzero(columns.has(_CHANGING))
    changing = changing[_among(columns.time[changing], written)]
    made = np.flatnonzero(columns.has(_CALLS))
    made = made[_holding(store, calls, columns.time[made], written)]
    at = np.concatenate([changing, made])
    order = np.argsort(at)
    inside = (np.arange(len(at)) >= len(changing))[order]
    return Marks(at[order], columns.time[at[order]], inside)


def _among(times: Ints, written: Ints) -> Bools:
    """Return which times are among others (in ascending order)."""
    if not len(written):
        return np.zeros(len(times), dtype=np.bool_)
    place = np.minimum(np.searchsorted(written, times), len(written) - 1)
    found: Bools = written[place] == times
    return found


def _holding(store: Store, calls: CallTable, entries: Ints, written: Ints) -> Bools:
    """Return which calls, by entry, were the last to begin before a write in their span."""
    found = np.zeros(len(entries), dtype=np.bool_)
    last = np.searchsorted(entries, written, "right") - 1
    written, last = written[last >= 0], last[last >= 0]
    found[last] = True
    began = np.flatnonzero(found)
    low, high = store.segments.columns_at(entries[began], "call", "hi")
    ends = calls.lasts(call_ids({"call": low, "hi": high}), entries[began])
    # The first write after an entry decides: later ones are in the span only if that one is.
    first = np.searchsorted(last, began)
    found[began] = written[first] <= ends if len(began) else False
    return found
