"""One call and what can be asked about it, as plain data for JSON (docs/reference/api.md)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from wrongcall.errors import UsageError
from wrongcall.present import Viewer, as_json, excerpt, question, title
from wrongcall.present.json_shapes import WIDTH, event_data, origin_data, version_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.output import OutputLine, output_lines
from wrongcall.present.questions import outcome_line, short_path
from wrongcall.present.text import safe, source_line
from wrongcall.recording import Call, CallStep, Recording, StepKind, Versions
from wrongcall.trace.format.event_records import Ints
from wrongcall.web.desk import Desk

T = TypeVar("T")
MOST = 500
"""So many events, parts or versions are given at once."""
MOST_MARKS = 20_000
VALUE = 400
"""Columns of a value that is given whole: the page breaks it into lines."""
WIDE = 200
"""Columns of one that is not, and of a change."""
_KEPT = 6
_GLOBALS = 200


class Kept:
    """What was worked out for the last few requests: the next ones are often about the same."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def _get(self, trace: Recording, make: Callable[[], T], *key: object) -> T:
        whole = (trace.event_count, *key)
        if whole not in self._kept:
            self._kept[whole] = make()
        self._kept.move_to_end(whole)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        found: T = self._kept[whole]
        return found

    def history(self, trace: Recording, call: int, place: str, time: int) -> Versions:
        """Return every value of a place."""
        return self._get(
            trace, lambda: trace.places.history(call, place, time), "history", call, place, time
        )

    def output(self, trace: Recording) -> list[OutputLine]:
        """Return all lines that were printed, in the order in which they were begun."""
        return self._get(trace, lambda: sorted(output_lines(trace), key=_begun), "output")


def _begun(line: OutputLine) -> int:
    return line.time


@dataclass(frozen=True)
class Some:
    """Which part of a long list is asked for, and as of when."""

    first: int
    count: int
    time: int | None = None

    @property
    def part(self) -> slice:
        """That part."""
        return slice(self.first, self.first + min(self.count, MOST))

    def index(self, times: Sequence[int] | Ints) -> int:
        """Return the last one that is not later; the last of all, if no time is given."""
        if self.time is None:
            return len(times) - 1
        return max(int(np.searchsorted(times, self.time, "right")) - 1, 0)


def call_data(desk: Desk, number: int) -> dict[str, Any]:
    """Return a call as it is put to an oracle, and what is known about it."""
    find_call(desk.trace, number)
    glance = desk.glance()
    node = glance.tree.node(number)
    asked = question(desk.trace, number, depth=1, width=VALUE, line_width=WIDE)
    shown: dict[str, Any] = as_json(replace(asked, changed=asked.changed[:MOST]))
    shown["changed_count"] = len(asked.changed)
    shown["shade"] = glance.shading.shade(node)
    shown["calls_below"] = int(glance.tree.end[node]) - node - 1
    return shown


def line_data(trace: Recording, number: int) -> dict[str, Any]:
    """Return a call in one line."""
    call = find_call(trace, number)
    return {
        "call": number,
        "title": title(trace, call, width=120),
        "outcome": outcome_line(trace, call, 80),
    }


def title_data(desk: Desk, number: int) -> dict[str, Any]:
    """Return a call in one line, for the tree."""
    return line_data(desk.trace, number)


def parts_data(trace: Recording, oid: int, time: int, first: int, count: int) -> dict[str, Any]:
    """Return parts of an object at a time."""
    if not 0 <= time < trace.event_count:
        raise UsageError(f"there is no time {time}: the trace has 0 to {trace.event_count - 1}")
    parts = Viewer(trace, time).parts(oid, first, min(count, MOST))
    return {"object": oid, "time": time, "first": first, "parts": as_json(parts)}


def time_of(call: Call, time: int | None) -> int:
    """Return a time if it is one of the call's; none: its last."""
    found = check_time(call, time)
    return call.last if found is None else found


def variables_data(trace: Recording, number: int, time: int | None) -> dict[str, Any]:
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
            as_json(viewer.tree(value, name, depth=0, width=100))
            for name, value in trace.states.locals(number, when).items()
        ],
        "globals": [
            as_json(viewer.tree(names[name], name, depth=0, width=100)) for name in shown[:_GLOBALS]
        ],
    }


def events_data(trace: Recording, number: int, some: Some) -> dict[str, Any]:
    """Return some events of a call, and where among them a time is."""
    call = find_call(trace, number)
    steps = trace.execution.steps(number).by_time()
    when = time_of(call, some.time)
    before, after = steps.around(when)
    return {
        "call": number,
        "count": len(steps),
        "first": some.first,
        "index": steps.last_at(when),
        "before": before,
        "after": after,
        "events": [_event(trace, step) for step in steps[some.part]],
    }


def _event(trace: Recording, step: CallStep) -> dict[str, Any]:
    """Return an event; that of a call says which."""
    data = event_data(trace, step)
    if step.kind is StepKind.CALL:
        made = line_data(trace, step.child)
        data["value"] = f"{made['title']} {made['outcome']}"
    return data


def history_data(
    trace: Recording, kept: Kept, number: int, place: str, time: int | None, some: Some
) -> dict[str, Any]:
    """Return values of a place in a call, and where among them a time is."""
    versions = kept.history(trace, number, place, time_of(find_call(trace, number), time))
    return {
        "call": number,
        "place": safe(place),
        "count": len(versions),
        "first": some.first,
        "index": some.index(versions.times),
        "versions": [version_data(trace, version) for version in versions[some.part]],
    }


def marks_data(
    trace: Recording, number: int, place: str, time: int | None, mark: int
) -> dict[str, Any]:
    """Return which events of a call changed a place: themselves, or inside of the call they made."""
    find_call(trace, mark)
    when = time_of(find_call(trace, number), time)
    found = trace.places.marks(number, place, when, mark)
    ways = ["inside" if inside else "changed" for inside in found.inside[:MOST_MARKS].tolist()]
    columns = (found.at[:MOST_MARKS].tolist(), found.time[:MOST_MARKS].tolist(), ways)
    marks = [list(mark) for mark in zip(*columns, strict=True)]
    return {"call": mark, "place": safe(place), "count": len(found.at), "marks": marks}


def output_data(trace: Recording, kept: Kept, some: Some) -> dict[str, Any]:
    """Return some lines that were printed, and where among them a time is."""
    lines = kept.output(trace)
    return {
        "count": len(lines),
        "first": some.first,
        "index": some.index([line.time for line in lines]),
        "lines": [
            {"text": safe(line.text[:WIDTH]), "call": line.call, "time": line.time}
            for line in lines[some.part]
        ],
    }


def trail_data(trace: Recording, number: int, place: str, time: int | None) -> dict[str, Any]:
    """Return where the value at a place came from."""
    call = find_call(trace, number)
    origin = trace.places.origin(number, place, time_of(call, time))
    return {"call": number, "place": safe(place), **origin_data(trace, origin)}


def source_data(trace: Recording, number: int, time: int | None) -> dict[str, Any]:
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
        "lines": as_json(shown.lines),
    }


def file_data(trace: Recording, number: int) -> dict[str, Any]:
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
