"""One call and what the page can ask about it (docs/reference/api.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from wrongcall.errors import UsageError
from wrongcall.present import QuestionView, Viewer, excerpt, origin_tree, question, title
from wrongcall.present.compared_calls import compared_calls
from wrongcall.present.groups import Member
from wrongcall.present.json_shapes import WIDTH, EventData, event_data, origin_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.output import OutputLine, output_lines
from wrongcall.present.questions import outcome_line, short_path
from wrongcall.present.text import safe, source_line
from wrongcall.recording import Call, CallStep, Outcome, Recording, StepKind, Versions
from wrongcall.trace.format.event_records import Ints
from wrongcall.tree.tree import Tree
from wrongcall.web import contract, inside_contract
from wrongcall.web.recent import Recent
from wrongcall.web.workspace import Workspace

MAX_ITEMS = 500
"""The most events, parts or versions in one answer."""
MAX_MARKS = 20_000
VALUE_WIDTH = 400
"""Columns of a value that is sent whole: the page breaks it into lines."""
LINE_WIDTH = 200
"""Columns of a value that is cut."""
CHANGE_WIDTH = 800
"""Columns of a change, place and values together: the page breaks it into lines."""
SOURCE_WIDTH = 60
"""Columns of a value beside a line of source."""
_MAX_CACHED = 6
_MAX_GLOBALS = 200
_MAIN = "__main__"


class Cache:
    """Histories and output of the last few requests."""

    def __init__(self) -> None:
        self._recent = Recent(_MAX_CACHED)

    def history(self, recording: Recording, call: int, place: str, time: int) -> Versions:
        """Return every value of a place."""
        return self._recent.get(
            recording,
            lambda: recording.places.history(call, place, time),
            "history",
            call,
            place,
            time,
        )

    def output(self, recording: Recording) -> list[OutputLine]:
        """Return all printed lines, in the order in which they were begun."""
        make = lambda: sorted(output_lines(recording), key=_begun)  # noqa: E731
        return self._recent.get(recording, make, "output")


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
    recording, snapshot = workspace.recording, workspace.snapshot()
    call = find_call(recording, number)
    node = snapshot.tree.node(number)
    asked = workspace.questions.get(recording, lambda: _asked(recording, number), number)
    shown = {field.name: getattr(asked, field.name) for field in fields(asked)}
    return contract.Call(
        **{**shown, "changed": asked.changed[:MAX_ITEMS]},
        changed_count=len(asked.changed),
        end=contract.CallEnd(asked.outcome),
        called_by_program=_is_program(recording, call.parent),
        status=snapshot.statuses.status(node),
        calls_below=_calls_below(snapshot.tree, node),
    )


def _asked(recording: Recording, number: int) -> QuestionView:
    return question(
        recording,
        number,
        depth=1,
        width=VALUE_WIDTH,
        line_width=LINE_WIDTH,
        change_width=CHANGE_WIDTH,
    )


def _calls_below(tree: Tree, node: int) -> int:
    """Return how many calls a call made, directly or not; groups are no calls."""
    first, end = node + 1, int(tree.end[node])
    return end - first if tree.kind is None else int((tree.kind[first:end] == 0).sum())


def _is_program(recording: Recording, call: Call | None) -> bool:
    """Tell whether a call is that of the main module."""
    if call is None or call.function.kind != "module":
        return False
    return recording.program.files[call.function.file].module == _MAIN


def line_data(recording: Recording, number: int) -> Member:
    """Return a call in one line."""
    call = find_call(recording, number)
    return Member(number, title(recording, call, width=120), outcome_line(recording, call, 80))


def title_data(workspace: Workspace, number: int) -> contract.Title:
    """Return a call in one line, for the tree."""
    line = line_data(workspace.recording, number)
    completed = workspace.recording.call(number).outcome != Outcome.NONE
    return contract.Title(line.call, line.title, line.outcome, completed=completed)


def compared_data(workspace: Workspace, first: int, second: int) -> contract.Compared:
    """Return two calls side by side."""
    for number in (first, second):
        find_call(workspace.recording, number)
    rows = compared_calls(workspace.recording, first, second, VALUE_WIDTH)
    return {
        "calls": [title_data(workspace, number) for number in (first, second)],
        "rows": rows,
        "differences": sum(row.same is False for row in rows),
        "unknown": sum(row.same is None for row in rows),
    }


def parts_data(
    recording: Recording, oid: int, time: int, first: int, count: int
) -> inside_contract.Parts:
    """Return parts of an object at a time."""
    if not 0 <= time < recording.event_count:
        raise UsageError(f"there is no time {time}: the trace has 0 to {recording.event_count - 1}")
    parts = Viewer(recording, time).parts(oid, first, min(count, MAX_ITEMS))
    return {"object": oid, "time": time, "first": first, "parts": parts}


def time_of(call: Call, time: int | None) -> int:
    """Return a time of the call, checked; without one, its last."""
    found = check_time(call, time)
    return call.last if found is None else found


def variables_data(
    recording: Recording, number: int, time: int | None
) -> inside_contract.Variables:
    """Return the variables of a call and of its module at a time."""
    call = find_call(recording, number)
    when = time_of(call, time)
    viewer = Viewer(recording, when)
    module = recording.program.files[call.function.file].module
    names = recording.states.globals(module, when)
    shown = [name for name in names if not name.startswith("__")]
    return {
        "call": number,
        "time": when,
        "variables": [
            viewer.tree(value, name, depth=0, width=100)
            for name, value in recording.states.locals(number, when).items()
        ],
        "globals": [
            viewer.tree(names[name], name, depth=0, width=100) for name in shown[:_MAX_GLOBALS]
        ],
    }


def events_data(recording: Recording, number: int, window: Window) -> inside_contract.Events:
    """Return some events of a call, and the index of the one at a time."""
    call = find_call(recording, number)
    steps = recording.execution.steps(number).by_time()
    when = time_of(call, window.time)
    before, after = steps.around(when)
    return {
        "call": number,
        "count": len(steps),
        "first": window.first,
        "index": steps.last_at(when),
        "before": before,
        "after": after,
        "events": [_event(recording, step) for step in steps[window.part]],
    }


def _event(recording: Recording, step: CallStep) -> EventData:
    """Return an event; of a call, its title and outcome."""
    data = event_data(recording, step)
    if step.kind is StepKind.CALL:
        made = line_data(recording, step.child)
        data["value"] = f"{made.title} {made.outcome}"
    return data


def marks_data(
    recording: Recording, number: int, place: str, time: int | None, mark: int
) -> inside_contract.Marks:
    """Return the events of a call that changed a place, themselves or in the call they made."""
    find_call(recording, mark)
    when = time_of(find_call(recording, number), time)
    found = recording.places.marks(number, place, when, mark)
    columns = (each[:MAX_MARKS].tolist() for each in (found.at, found.time, found.inside))
    marks: list[inside_contract.Mark] = [
        (at, time, "inside" if inside else "changed")
        for at, time, inside in zip(*columns, strict=True)
    ]
    return {"call": mark, "place": safe(place), "count": len(found.at), "marks": marks}


def output_data(recording: Recording, cache: Cache, window: Window) -> inside_contract.Output:
    """Return some printed lines, and the index of the one at a time."""
    lines = cache.output(recording)
    return {
        "count": len(lines),
        "first": window.first,
        "index": window.index([line.time for line in lines]),
        "lines": [
            {"text": safe(line.text[:WIDTH]), "call": line.call, "time": line.time}
            for line in lines[window.part]
        ],
    }


def trail_data(
    recording: Recording, number: int, place: str, time: int | None
) -> inside_contract.Origin:
    """Return where the value at a place came from."""
    call = find_call(recording, number)
    origin = recording.places.origin(number, place, time_of(call, time))
    return {**origin_data(recording, origin), "call": number, "place": safe(place)}


def origin_parts_data(
    recording: Recording, number: int, place: str, time: int | None, at: str
) -> inside_contract.OriginParts:
    """Return a node of the tree of everything that the value at a place depended on, and what it came from."""
    call = find_call(recording, number)
    root = recording.places.origin_tree(number, place, time_of(call, time))
    node = recording.places.origin_node(root, [int(each) for each in at.split(".") if each])
    return {
        **origin_tree.parts_data(recording, recording.places.open_origin(node)),
        "call": number,
        "place": safe(place),
        "node": origin_tree.node_data(recording, node),
        "at": at,
    }


def source_data(
    recording: Recording, number: int, time: int | None, since: int | None = None
) -> inside_contract.Source:
    """Return the source of a call with what was executed and written by a time, or since another one."""
    call = find_call(recording, number)
    when = time_of(call, time)
    steps = recording.execution.steps(number).by_time().until(when)
    line = 0 if time is None else steps.last_line() or call.function.line
    if since is not None:
        steps = steps.since(since)
    shown = excerpt(recording, number, marked=line, width=SOURCE_WIDTH, steps=steps)
    return {
        "call": number,
        "time": when,
        "file": call.function.file,
        "path": shown.file,
        "function": safe(call.function.qualname),
        "line": line,
        "lines": shown.lines,
    }


def file_data(recording: Recording, number: int) -> inside_contract.SourceFile:
    """Return the text of a file of the program as it was."""
    if number not in recording.program.files:
        raise UsageError(f"there is no file {number}")
    file = recording.program.files[number]
    return {
        "file": number,
        "path": short_path(recording, file.path),
        "full_path": safe(file.path),
        "module": safe(file.module),
        "lines": [source_line(line) for line in file.source.splitlines()],
    }
