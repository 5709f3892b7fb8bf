"""One call and what the page can ask about it (docs/reference/api.md)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from wrongcall.errors import UsageError
from wrongcall.present import Viewer, excerpt, question, title
from wrongcall.present.groups import Member
from wrongcall.present.json_shapes import WIDTH, EventData, event_data, origin_data, version_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.output import OutputLine, output_lines
from wrongcall.present.questions import outcome_line, short_path
from wrongcall.present.text import safe, source_line
from wrongcall.recording import Call, CallStep, Outcome, Recording, StepKind, Versions
from wrongcall.trace.format.event_records import Ints
from wrongcall.web import contract
from wrongcall.web.workspace import Workspace

T = TypeVar("T")
MAX_ITEMS = 500
"""The most events, parts or versions in one answer."""
MAX_MARKS = 20_000
VALUE_WIDTH = 400
"""Columns of a value that is sent whole: the page breaks it into lines."""
LINE_WIDTH = 200
"""Columns of a value that is cut, and of a change."""
_MAX_CACHED = 6
_MAX_GLOBALS = 200
_MAIN = "__main__"


class Cache:
    """Results of the last few requests: the next ones are often about the same."""

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def _get(self, trace: Recording, make: Callable[[], T], *key: object) -> T:
        whole = (trace.event_count, *key)
        if whole not in self._cached:
            self._cached[whole] = make()
        self._cached.move_to_end(whole)
        while len(self._cached) > _MAX_CACHED:
            self._cached.popitem(last=False)
        found: T = self._cached[whole]
        return found

    def history(self, trace: Recording, call: int, place: str, time: int) -> Versions:
        """Return every value of a place."""
        return self._get(
            trace, lambda: trace.places.history(call, place, time), "history", call, place, time
        )

    def output(self, trace: Recording) -> list[OutputLine]:
        """Return all printed lines, in the order in which they were begun."""
        return self._get(trace, lambda: sorted(output_lines(trace), key=_begun), "output")


def _begun(line: OutputLine) -> int:
    return line.time


@dataclass(frozen=True)
class Window:
    """The requested part of a long list, and the time to find in it."""

    first: int
    count: int
    time: int | None = None

    @property
    def part(self) -> slice:
        """That part."""
        return slice(self.first, self.first + min(self.count, MAX_ITEMS))

    def index(self, times: Sequence[int] | Ints) -> int:
        """Return the last item that is not later than the time; without a time, the last of all."""
        if self.time is None:
            return len(times) - 1
        return max(int(np.searchsorted(times, self.time, "right")) - 1, 0)


def call_data(workspace: Workspace, number: int) -> contract.Call:
    """Return a call as it is put to an oracle, and what is known about it."""
    trace, snapshot = workspace.trace, workspace.snapshot()
    call = find_call(trace, number)
    node = snapshot.tree.node(number)
    asked = question(trace, number, depth=1, width=VALUE_WIDTH, line_width=LINE_WIDTH)
    shown = {field.name: getattr(asked, field.name) for field in fields(asked)}
    return contract.Call(
        **{**shown, "changed": asked.changed[:MAX_ITEMS]},
        changed_count=len(asked.changed),
        end=contract.CallEnd(asked.outcome),
        called_by_program=_is_program(trace, call.parent),
        status=snapshot.statuses.status(node),
        calls_below=int(snapshot.tree.end[node]) - node - 1,
    )


def _is_program(trace: Recording, call: Call | None) -> bool:
    """Tell whether a call is that of the main module."""
    if call is None or call.function.kind != "module":
        return False
    return trace.program.files[call.function.file].module == _MAIN


def line_data(trace: Recording, number: int) -> Member:
    """Return a call in one line."""
    call = find_call(trace, number)
    return Member(number, title(trace, call, width=120), outcome_line(trace, call, 80))


def title_data(workspace: Workspace, number: int) -> contract.Title:
    """Return a call in one line, for the tree."""
    line = line_data(workspace.trace, number)
    completed = workspace.trace.call(number).outcome != Outcome.NONE
    return contract.Title(line.call, line.title, line.outcome, completed=completed)


def parts_data(trace: Recording, oid: int, time: int, first: int, count: int) -> contract.Parts:
    """Return parts of an object at a time."""
    if not 0 <= time < trace.event_count:
        raise UsageError(f"there is no time {time}: the trace has 0 to {trace.event_count - 1}")
    parts = Viewer(trace, time).parts(oid, first, min(count, MAX_ITEMS))
    return {"object": oid, "time": time, "first": first, "parts": parts}


def time_of(call: Call, time: int | None) -> int:
    """Return a time of the call, checked; without one, its last."""
    found = check_time(call, time)
    return call.last if found is None else found


def variables_data(trace: Recording, number: int, time: int | None) -> contract.Variables:
    """Return the variables of a call and of its module at a time."""
    call = find_call(trace, number)
    when = time_of(call, time)
    viewer = Viewer(trace, when)
    module = trace.program.files[call.function.file].module
    names = trace.states.globals(module, when)
    shown = [name for name in names if not name.startswith("__")]
    return {
        "call": number,
        "time": when,
        "variables": [
            viewer.tree(value, name, depth=0, width=100)
            for name, value in trace.states.locals(number, when).items()
        ],
        "globals": [
            viewer.tree(names[name], name, depth=0, width=100) for name in shown[:_MAX_GLOBALS]
        ],
    }


def events_data(trace: Recording, number: int, window: Window) -> contract.Events:
    """Return some events of a call, and the index of the one at a time."""
    call = find_call(trace, number)
    steps = trace.execution.steps(number).by_time()
    when = time_of(call, window.time)
    before, after = steps.around(when)
    return {
        "call": number,
        "count": len(steps),
        "first": window.first,
        "index": steps.last_at(when),
        "before": before,
        "after": after,
        "events": [_event(trace, step) for step in steps[window.part]],
    }


def _event(trace: Recording, step: CallStep) -> EventData:
    """Return an event; of a call, its title and outcome."""
    data = event_data(trace, step)
    if step.kind is StepKind.CALL:
        made = line_data(trace, step.child)
        data["value"] = f"{made.title} {made.outcome}"
    return data


def history_data(
    trace: Recording, cache: Cache, number: int, place: str, time: int | None, window: Window
) -> contract.History:
    """Return values of a place in a call, and the index of the one at a time."""
    versions = cache.history(trace, number, place, time_of(find_call(trace, number), time))
    return {
        "call": number,
        "place": safe(place),
        "count": len(versions),
        "first": window.first,
        "index": window.index(versions.times),
        "versions": [version_data(trace, version) for version in versions[window.part]],
    }


def marks_data(
    trace: Recording, number: int, place: str, time: int | None, mark: int
) -> contract.Marks:
    """Return the events of a call that changed a place, themselves or in the call they made."""
    find_call(trace, mark)
    when = time_of(find_call(trace, number), time)
    found = trace.places.marks(number, place, when, mark)
    columns = (each[:MAX_MARKS].tolist() for each in (found.at, found.time, found.inside))
    marks: list[contract.Mark] = [
        (at, time, "inside" if inside else "changed")
        for at, time, inside in zip(*columns, strict=True)
    ]
    return {"call": mark, "place": safe(place), "count": len(found.at), "marks": marks}


def output_data(trace: Recording, cache: Cache, window: Window) -> contract.Output:
    """Return some printed lines, and the index of the one at a time."""
    lines = cache.output(trace)
    return {
        "count": len(lines),
        "first": window.first,
        "index": window.index([line.time for line in lines]),
        "lines": [
            {"text": safe(line.text[:WIDTH]), "call": line.call, "time": line.time}
            for line in lines[window.part]
        ],
    }


def trail_data(trace: Recording, number: int, place: str, time: int | None) -> contract.Origin:
    """Return where the value at a place came from."""
    call = find_call(trace, number)
    origin = trace.places.origin(number, place, time_of(call, time))
    return {**origin_data(trace, origin), "call": number, "place": safe(place)}


def source_data(trace: Recording, number: int, time: int | None) -> contract.Source:
    """Return the source of a call with what was executed and written by a time."""
    call = find_call(trace, number)
    when = time_of(call, time)
    steps = trace.execution.steps(number).by_time().until(when)
    line = 0 if time is None else steps.last_line() or call.function.line
    shown = excerpt(trace, number, marked=line, width=24, steps=steps)
    return {
        "call": number,
        "time": when,
        "file": call.function.file,
        "path": shown.file,
        "function": safe(call.function.qualname),
        "line": line,
        "lines": shown.lines,
    }


def file_data(trace: Recording, number: int) -> contract.SourceFile:
    """Return the text of a file of the program as it was."""
    if number not in trace.program.files:
        raise UsageError(f"there is no file {number}")
    file = trace.program.files[number]
    return {
        "file": number,
        "path": short_path(trace, file.path),
        "module": safe(file.module),
        "lines": [source_line(line) for line in file.source.splitlines()],
    }
