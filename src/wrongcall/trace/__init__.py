"""The trace of a run: one file, its writer and its reader.

Writing: a `Ring` that the recorded program fills, a `TraceWriter` that owns the file, and a
`Drain` that moves from one to the other. Reading: `open` gives a `Trace`, also while it is being
written.

Who is interested in what: `schema` (the tables), `segment` and `columns` (how events are packed),
`contents` (texts), `store` (the file as readers see it), `replay` and `heap` (states of objects),
`calls` and `call`, `variables`, `execution` (lines and blocks), `values` (descriptions of the
program's values). Only this package knows SQL.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from wrongcall.trace.call import Call, Passed, Printed
from wrongcall.trace.calls import Calls, Outcome
from wrongcall.trace.drain import Drain
from wrongcall.trace.execution import BlockEntry
from wrongcall.trace.heap import Object, State, Write
from wrongcall.trace.program import File, Function, Site, Thread, Type
from wrongcall.trace.reader import Trace
from wrongcall.trace.replay import Attr, Entry, Item, Place
from wrongcall.trace.ring import ProgramState, Ring
from wrongcall.trace.segments import Found
from wrongcall.trace.values import UNKNOWN, UNSET, Clipped, Missing, Ref, TupleKey, Value
from wrongcall.trace.writer import TraceFullError, TraceWriter

__all__ = [
    "UNKNOWN",
    "UNSET",
    "Attr",
    "BlockEntry",
    "Call",
    "Calls",
    "Clipped",
    "Drain",
    "Entry",
    "File",
    "Found",
    "Function",
    "Item",
    "Missing",
    "Object",
    "Outcome",
    "Passed",
    "Place",
    "Printed",
    "ProgramState",
    "Ref",
    "Ring",
    "Site",
    "State",
    "Thread",
    "Trace",
    "TraceFullError",
    "TraceWriter",
    "TupleKey",
    "Type",
    "Value",
    "Write",
    "open",
]


def open(path: str | PathLike[str]) -> Trace:
    """Open a trace to read it."""
    return Trace(Path(path))
