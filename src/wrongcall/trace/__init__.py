"""The trace of a run: one file, its writer and its reader.

Writing: a `Ring` that the recorded program fills, a `TraceWriter` that owns the file, and a
`Drain` that moves from one to the other. Reading: `open` gives a `Trace`, also while it is being
written; `Trace.refresh` looks again. What other layers ask of it:

    trace.calls()             every call as numpy columns: id, parent, function, entry, exit, outcome
    trace.call(n)             one call: function, parent, children, caller_line, thread, entry, exit,
                              outcome and value, yielded, prints; cheap in a trace of any size
    trace.input(n)            arguments and receiver, globals and closure variables that were read
    trace.effect(n)           what it changed: `Changed` objects with their `Change`s, and apart from that
                              what others changed `Meanwhile`
    trace.printed(n)          what was printed meanwhile, by the call and those below it
    trace.key(n)              equal for calls that ask the same question
    trace.steps(n)            the events of a call in order; lines(n): the lines it executed
    trace.coverage(n)         the edges and def-use chains it covered
    trace.stopped(n)          where it was when the trace ended, if it did not end before
    trace.covered()           the same of all calls at once
    trace.processes(n)        which processes it started that are not recorded
    trace.locals(n, time)     its variables at a time; globals(module, time)
    trace.state(oid, time)    what an object held; values that are objects are a `Ref`
    trace.history(n, "c[2]")  every write of a place over the whole run
    trace.marks(n, "c[2]")    which of the call's events changed it
    trace.origin(n, "c[2]")   where what is there came from, back to the expression that made it

Who is interested in how: `schema` (the tables), `segment` and `columns` (how events are packed),
`digest` and `ledger` (what lives long), `contents` (texts), `store` (the file as readers see it),
`callindex` and `calls`, `replay` and `heap` (states of objects), `variables`, `execution` and
`flow` (lines, blocks, branches), `telling`, `steps` and `timeline` (a call's events), `source`
(syntax trees), `inputs`, `effects`, `sharing`, `turns`, `changes` and `equality` (questions), `paths` and
`places` (how people name places), `histories`, `origins`. Only this package knows SQL.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path as FilePath

from wrongcall.trace.call import Call, Passed, Printed
from wrongcall.trace.calls import Calls, Outcome
from wrongcall.trace.changes import Change, ChangeKind, Run
from wrongcall.trace.coverage import Coverage, DefUse, Edge
from wrongcall.trace.drain import Drain
from wrongcall.trace.effects import Changed, Effect, Meanwhile, Rebound
from wrongcall.trace.execution import BlockEntry
from wrongcall.trace.heap import Object, State
from wrongcall.trace.histories import Version, Versions
from wrongcall.trace.inputs import Captured, Global, Input
from wrongcall.trace.marks import Marks
from wrongcall.trace.moments import Moment
from wrongcall.trace.origins import EndKind, Link, LinkKind, Operand, Origin
from wrongcall.trace.paths import Member, Path, Step, parse_path
from wrongcall.trace.places import ObjectSlot, Result, Target, Variable
from wrongcall.trace.processes import Process
from wrongcall.trace.program import File, Function, Site, Thread, Type
from wrongcall.trace.reader import Trace
from wrongcall.trace.replay import Attr, Entry, Item, Place
from wrongcall.trace.ring import ProgramState, Ring
from wrongcall.trace.segments import Found
from wrongcall.trace.steps import CallStep, StepKind, Steps
from wrongcall.trace.stopping import Pause, Stopped
from wrongcall.trace.values import UNKNOWN, UNSET, Clipped, Missing, Ref, TupleKey, Value
from wrongcall.trace.writer import TraceWriter
from wrongcall.trace.writes import Write

__all__ = [
    "UNKNOWN",
    "UNSET",
    "Attr",
    "BlockEntry",
    "Call",
    "CallStep",
    "Calls",
    "Captured",
    "Change",
    "ChangeKind",
    "Changed",
    "Clipped",
    "Coverage",
    "DefUse",
    "Drain",
    "Edge",
    "Effect",
    "EndKind",
    "Entry",
    "File",
    "Found",
    "Function",
    "Global",
    "Input",
    "Item",
    "Link",
    "LinkKind",
    "Marks",
    "Meanwhile",
    "Member",
    "Missing",
    "Moment",
    "Object",
    "ObjectSlot",
    "Operand",
    "Origin",
    "Outcome",
    "Passed",
    "Path",
    "Pause",
    "Place",
    "Printed",
    "Process",
    "ProgramState",
    "Rebound",
    "Ref",
    "Result",
    "Ring",
    "Run",
    "Site",
    "State",
    "Step",
    "StepKind",
    "Steps",
    "Stopped",
    "Target",
    "Thread",
    "Trace",
    "TraceWriter",
    "TupleKey",
    "Type",
    "Value",
    "Variable",
    "Version",
    "Versions",
    "Write",
    "open",
    "parse_path",
]


def open(path: str | PathLike[str]) -> Trace:
    """Open a trace to read it."""
    return Trace(FilePath(path))
