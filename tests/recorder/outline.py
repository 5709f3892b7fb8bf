"""A recorded run as text, one line for each call, for tests to compare with what must be there.

    module __main__ -> None
      sort(items=[2, 1]) @start -> [1, 2]
        less(a=2, b=1) @compare -> False

Indented under its parent, in the order of entry: what was called with which arguments (as they were
at entry), at which line it was called, what it yielded, and how it ended. A line of the program is
named by the word in the comment at its end; without one, by its number. Atoms are shown as
Python shows them, lists, tuples and dicts with their contents, exceptions with their arguments,
functions by their name, other objects by their type.

Whoever asks for an outline also has the trace checked for what must hold in every trace: `check`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tests.recorder.conftest import Recorded
from wrongcall.events import SEEN, SITE_LINE, Kind, Layout
from wrongcall.recording import Call, ObjectState, Outcome, Recording, Ref, Value
from wrongcall.trace.format.event_records import call_ids

DEPTH = 4


def lines(text: str) -> str:
    """Return an expected outline, written as an indented literal."""
    return textwrap.dedent(text).strip("\n").rstrip()


def outline(recorded: Recorded, of: str | None = None) -> str:
    """Return the calls of a run, or those below and including the calls of one function."""
    check(recorded.recording)
    roots = recorded.calls(of) if of else _children(recorded.recording, 0)
    return "\n".join(line for root in roots for line in _walk(recorded.recording, root, 0))


def arguments(recorded: Recorded, call: Call) -> dict[str, str]:
    """Return a call's arguments as they were when it began."""
    return {p.name: show(recorded.recording, p.value, call.entered) for p in call.args}


def names(calls: Iterable[Call]) -> list[str]:
    """Return the functions called."""
    return [call.function.qualname for call in calls]


def _children(recording: Recording, call: int) -> list[Call]:
    return [recording.call(number) for number in recording.calls.columns().children(call).tolist()]


def _walk(recording: Recording, call: Call, depth: int) -> Iterator[str]:
    yield "  " * depth + describe(recording, call)
    for child in _children(recording, call.id):
        yield from _walk(recording, child, depth + 1)


def describe(recording: Recording, call: Call) -> str:
    """Return one call as a line."""
    function = call.function
    if function.kind == "module":
        head = f"module {recording.program.files[function.file].module}"
    elif function.kind == "class":
        head = f"class {function.qualname}"
    else:
        given = (f"{p.name}={show(recording, p.value, call.entered)}" for p in call.args)
        head = f"{function.qualname}({', '.join(given)})"
    place = f" @{place_of(recording, call)}" if call.parent is not None else ""
    yielded = ", ".join(show(recording, p.value, p.time) for p in call.yielded)
    return head + place + (f" yields {yielded}" if yielded else "") + _ending(recording, call)


def place_of(recording: Recording, call: Call) -> str:
    """Return the name, or number, of the line at which a call was made."""
    assert call.parent is not None
    return line_name(recording, call.parent, call.caller_line)


def line_name(recording: Recording, call: Call, line: int) -> str:
    """Return the word in the comment at the end of a line of a call's file, or its number."""
    source = recording.program.files[call.function.file].source.splitlines()
    found = re.search(r"# (\w+)$", source[line - 1]) if 0 < line <= len(source) else None
    return found[1] if found else str(line)


def _ending(recording: Recording, call: Call) -> str:
    if call.outcome == Outcome.RETURNED:
        return f" -> {show(recording, call.value, call.exit)}"
    if call.outcome == Outcome.RAISED:
        return f" raises {show(recording, call.value, call.exit)}"
    return " dropped" if call.outcome == Outcome.DROPPED else " unfinished"


# -- values ----------------------------------------------------------------------------------------


def show(recording: Recording, value: Value, time: int | None = None, depth: int = DEPTH) -> str:
    """Return a value as text."""
    if not isinstance(value, Ref):
        return repr(value)
    state = recording.states.state(value.oid, time)
    if depth == 0:
        return "..."
    inner = [show(recording, item, time, depth - 1) for item in state.items]
    if state.layout == Layout.LIST and state.type.qualname == "list":
        return f"[{', '.join(inner)}]"
    if state.layout == Layout.TUPLE and state.type.qualname == "tuple":
        return f"({', '.join(inner)}{',' * (len(inner) == 1)})"
    if state.layout == Layout.DICT and state.type.qualname == "dict":
        return f"{{{', '.join(_pairs(recording, state, time, depth - 1))}}}"
    return _named(recording, state, time, depth - 1)


def _pairs(recording: Recording, state: ObjectState, time: int | None, depth: int) -> Iterator[str]:
    for key, value in state.entries:
        yield f"{show(recording, key, time, depth)}: {show(recording, value, time, depth)}"


def _named(recording: Recording, state: ObjectState, time: int | None, depth: int) -> str:
    if state.layout == Layout.EXCEPTION:
        args = state.attrs.get("args")
        given = recording.states.state(args.oid, time).items if isinstance(args, Ref) else ()
        texts = (show(recording, item, time, depth) for item in given)
        return f"{state.type.qualname}({', '.join(texts)})"
    if state.layout == Layout.FUNCTION:
        return f"<{text(state.attrs['__qualname__'])}>"
    return f"<{state.type.qualname}>"


def text(value: Value) -> str:
    """Return a value that must be text."""
    assert isinstance(value, str)
    return value


def integer(value: Value) -> int:
    """Return a value that must be a whole number."""
    assert isinstance(value, int)
    return value


def exception(recording: Recording, value: Value, time: int | None = None) -> dict[str, Any]:
    """Return an exception's type, arguments, cause and context as text."""
    assert isinstance(value, Ref)
    attrs = recording.states.state(value.oid, time).attrs
    return {
        "is": show(recording, value, time),
        "cause": show(recording, attrs.get("__cause__"), time),
        "context": show(recording, attrs.get("__context__"), time),
    }


# -- what holds in every trace ---------------------------------------------------------------------


def check(recording: Recording) -> None:
    """Fail if calls and events contradict each other."""
    calls = recording.calls.columns()
    ended = calls.exit >= 0
    assert (calls.entry[ended] < calls.exit[ended]).all(), "a call ends before it begins"
    assert (np.diff(calls.entry) > 0).all(), "calls are not numbered by their entries"
    _check_parents(recording)
    _check_events(recording)


def _check_parents(recording: Recording) -> None:
    calls = recording.calls.columns()
    has_parent = calls.parent > 0
    rows = np.searchsorted(calls.id, calls.parent[has_parent])
    begun = calls.entry[has_parent]
    assert (calls.entry[rows] < begun).all(), "a call begins before its parent"
    over = (calls.exit[rows] >= 0) & (calls.exit[rows] < begun)
    guilty = [describe(recording, recording.call(int(n))) for n in calls.id[has_parent][over]]
    assert not guilty, f"begun under a parent that was over: {guilty}"


def _check_events(recording: Recording) -> None:
    """Every event lies in the life of its call, and at a site of its function."""
    calls = recording.calls.columns()
    last = max(recording.program.sites, default=0)
    function_of = np.zeros(last + 1, dtype=np.int64)
    for number, site in recording.program.sites.items():
        function_of[number] = site.function
    for first, events in recording.events.segments():
        owners = call_ids(events)
        times = np.flatnonzero(owners > 0) + first
        rows = np.searchsorted(calls.id, owners[owners > 0])
        sites = events["site"][owners > 0].astype(np.int64)
        _refuse(recording, times[times < calls.entry[rows]], "before the call began")
        over = (calls.exit[rows] >= 0) & (calls.exit[rows] < times)
        _refuse(recording, times[over], "after the call was over")
        is_line = sites >= SITE_LINE
        strange = function_of[np.where(is_line, 0, sites)] != calls.function[rows]
        _refuse(recording, times[strange & (sites > 0) & ~is_line], "at a site of another function")
        inside = [
            function.line <= line - SITE_LINE <= function.end_line or function.kind == "module"
            for line, function in zip(
                sites[is_line].tolist(),
                (recording.program.functions[f] for f in calls.function[rows][is_line].tolist()),
                strict=True,
            )
        ]
        outside = times[is_line][~np.array(inside, dtype=bool)]
        _refuse(recording, outside, "at a line of another function")


def _refuse(recording: Recording, times: Iterable[int], why: str) -> None:
    found = _events(recording, times)
    assert not found, f"{why}: {found}"


def _events(recording: Recording, times: Iterable[int]) -> list[str]:
    """Return the events at these times as text."""
    found = []
    for time in list(times)[:10]:
        (event,) = recording.events.between(int(time), int(time) + 1)
        call = recording.call(int(call_ids(event.reshape(1))[0]))
        kind = Kind(int(event["kind"]) & ~SEEN).name
        site = int(event["site"])
        line = (
            f" at line {recording.program.sites[site].line}"
            if site in recording.program.sites
            else ""
        )
        found.append(f"{kind}{line} of {call.function.qualname}, call {call.id}")
    return found


def parent_name(call: Call) -> str:
    """Return the function that the caller of a call is an activation of."""
    return call.parent.function.qualname if call.parent else ""


def left_at(done: Recorded, call: Call) -> str:
    """Return the line at which an exception left a call."""
    found = done.recording.events.select({Kind.RAISE}, call=call.id)
    return line_name(done.recording, call, int(found.events["key"][-1]))


def children(call: Call) -> list[str]:
    """Return the functions of the calls that a call made, in order."""
    return [c.function.qualname for c in call.children]
