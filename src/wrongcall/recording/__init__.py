"""An opened trace: queries about a recorded run.

`open` gives a `Recording`, even while the trace is being written; `Recording.refresh` takes a new snapshot:

    recording.calls.columns()            every call as numpy columns: id, parent, function, entry, exit, outcome
    recording.call(n)                    one call: function, parent, children, caller_line, thread, entry, exit,
                                         outcome and value, yielded, prints; cheap in a trace of any size
    recording.questions.input(n)         arguments and receiver, globals and closure variables that were read
    recording.questions.effect(n)        what it changed: `Changed` objects with their `Change`s; separately,
                                         what others changed `Meanwhile`
    recording.questions.printed(n)       what was printed by the call and those below it
    recording.questions.key(n)           equal for calls that ask the same question
    recording.questions.processes(n)     the processes that it started
    recording.execution.steps(n)         the steps of a call in order
    recording.execution.lines(n)         the lines it executed
    recording.execution.coverage(n)      the edges and def-use chains it covered
    recording.execution.covered()        those of all calls
    recording.execution.stopped(n)       where it was when the trace ended, if it had not ended before
    recording.inside.of(n)               executions of its loops, rounds, branches and statements, as a tree
    recording.states.locals(n, time)     its variables at a time
    recording.states.globals(module, time)  those of a module
    recording.states.state(oid, time)    what an object held; values that are objects are a `Ref`
    recording.places.history(n, "c[2]")  every write of a place over the whole run
    recording.places.marks(n, "c[2]")    which of the call's steps changed it
    recording.places.origin(n, "c[2]")   where its value came from, back to the expression that made it
    recording.places.origin_tree(n, "c[2]")  the same as a tree of everything it depended on
    recording.at(time).eval("len(xs)")   an expression at a time, with the variables of the call that was running
    recording.print("prog.py:12", "x")   expressions at every execution of a line
    recording.find("value == -1")        values, exceptions, output, conditions that become true
    recording.walk.step_in(stop)         the next line of a thread; over and out, and each of these backwards
    recording.pauses.at_line("p.py:12")  what a walk pauses at: lines, functions, exceptions, writes to a place
    recording.to_columns("calls")        a table as columns: calls, variables, writes, output

It combines the layers below it: `wrongcall.trace` (the file), `wrongcall.languages` (the source), `wrongcall.replay`
(states) and `wrongcall.analysis` (conclusions).
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path as FilePath

from wrongcall.analysis.asking.answers import Answer, Answered
from wrongcall.analysis.asking.executions import Executions
from wrongcall.analysis.coverage.call_coverage import Coverage, DefUse, Edge
from wrongcall.analysis.coverage.run_coverage import Covered
from wrongcall.analysis.effects.effects import Changed, Effect, Meanwhile, Rebound
from wrongcall.analysis.effects.object_diff import Change, ChangeKind, Run
from wrongcall.analysis.effects.processes import Process
from wrongcall.analysis.flow.block_entries import BlockEntry
from wrongcall.analysis.flow.unfinished import Pause, Stopped
from wrongcall.analysis.inputs import Captured, Global, Input
from wrongcall.analysis.origins.exploring import Explored
from wrongcall.analysis.origins.model import NodeKind, Opened, OriginNode, Role
from wrongcall.analysis.provenance.model import EndKind, Link, LinkKind, Operand, Origin
from wrongcall.analysis.steps.place_changes import Marks
from wrongcall.analysis.steps.steps import CallStep, StepKind, Steps
from wrongcall.analysis.walking.stops import CallLines, Stop
from wrongcall.languages.paths import Member, Path, PathStep
from wrongcall.languages.python.path_syntax import parse_path
from wrongcall.recording.asking_queries import AtTime, PrintedLine
from wrongcall.recording.find_queries import FindStep, Match
from wrongcall.recording.pause_queries import Pauses
from wrongcall.recording.recording import Recording
from wrongcall.recording.table_queries import TABLES
from wrongcall.replay.call import Call, Passed, Printed
from wrongcall.replay.heap import Object, ObjectState
from wrongcall.replay.history import Version, Versions
from wrongcall.replay.position import Position
from wrongcall.replay.resolve import ObjectSlot, Result, Target, Variable
from wrongcall.replay.writes import Write
from wrongcall.trace.format.program_tables import File, Function, Site, Thread, Type
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.call_table import Calls, Outcome
from wrongcall.trace.read.places import Attr, Entry, Item, Place
from wrongcall.trace.read.values import UNKNOWN, UNSET, Clipped, Missing, Ref, TupleKey, Value
from wrongcall.trace.write.drain import Drain
from wrongcall.trace.write.ring import ProgramState, Ring
from wrongcall.trace.write.writer import TraceWriter

__all__ = [
    "TABLES",
    "UNKNOWN",
    "UNSET",
    "Answer",
    "Answered",
    "AtTime",
    "Attr",
    "BlockEntry",
    "Call",
    "CallLines",
    "CallStep",
    "Calls",
    "Captured",
    "Change",
    "ChangeKind",
    "Changed",
    "Clipped",
    "Coverage",
    "Covered",
    "DefUse",
    "Drain",
    "Edge",
    "Effect",
    "EndKind",
    "Entry",
    "Executions",
    "Explored",
    "File",
    "FindStep",
    "Found",
    "Function",
    "Global",
    "Input",
    "Item",
    "Link",
    "LinkKind",
    "Marks",
    "Match",
    "Meanwhile",
    "Member",
    "Missing",
    "NodeKind",
    "Object",
    "ObjectSlot",
    "ObjectState",
    "Opened",
    "Operand",
    "Origin",
    "OriginNode",
    "Outcome",
    "Passed",
    "Path",
    "PathStep",
    "Pause",
    "Pauses",
    "Place",
    "Position",
    "Printed",
    "PrintedLine",
    "Process",
    "ProgramState",
    "Rebound",
    "Recording",
    "Ref",
    "Result",
    "Ring",
    "Role",
    "Run",
    "Site",
    "StepKind",
    "Steps",
    "Stop",
    "Stopped",
    "Target",
    "Thread",
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


def open(path: str | PathLike[str]) -> Recording:
    """Open a trace for reading."""
    return Recording(FilePath(path))
