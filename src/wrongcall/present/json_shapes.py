"""Events, histories and origins as plain data for JSON: the shapes of docs/reference/json.md."""

from __future__ import annotations

from typing import TypedDict

from wrongcall.present.text import safe, source_line
from wrongcall.present.unparsed import unparsed_words
from wrongcall.present.values import Viewer
from wrongcall.recording import (
    UNSET,
    CallStep,
    EndKind,
    LinkKind,
    Origin,
    Recording,
    StepKind,
    Version,
)

WIDTH = 200
"""Columns of a value."""


class EventData(TypedDict):
    """One thing that happened in a call."""

    time: int
    kind: StepKind
    line: int
    place: str
    value: str
    call: int
    """The call that was made; 0: none."""
    taken: bool | None
    """Of a branch: how the test came out."""


class VersionData(TypedDict):
    """A value that a place had."""

    time: int
    value: str | None
    """None: the place was removed."""
    line: int
    function: str
    call: int
    seen: bool
    """It was found there, not written then."""
    source: str


LinkData = TypedDict(
    "LinkData",
    {
        "kind": LinkKind,
        "time": int,
        "call": int,
        "function": str,
        "line": int,
        "place": str,
        "from": str,
    },
)
"""One stage of a value's way. (No class: `from` is a keyword.)"""


class OperandData(TypedDict):
    """Part of an expression, and what it was."""

    text: str
    value: str


class OriginData(TypedDict):
    """Where a value came from."""

    value: str
    time: int
    links: list[LinkData]
    end: EndKind
    expression: str
    made_by: int
    made_at: int
    operands: list[OperandData]
    missing: str
    """Why there may be more to it, in words; empty: nothing is missing."""


def event_data(recording: Recording, step: CallStep) -> EventData:
    """Return one thing that happened in a call."""
    value = "" if step.value is UNSET else Viewer(recording, step.time).line(step.value, WIDTH)
    return {
        "time": step.time,
        "kind": step.kind,
        "line": step.line,
        "place": safe(step.place),
        "value": value,
        "call": step.child,
        "taken": step.taken,
    }


def version_data(recording: Recording, version: Version) -> VersionData:
    """Return a value that a place had."""
    removed = version.new is UNSET
    value = None if removed else Viewer(recording, version.time).line(version.new, WIDTH)
    return {
        "time": version.time,
        "value": value,
        "line": version.line,
        "function": safe(version.function.qualname) if version.function else "?",
        "call": version.call,
        "seen": version.seen,
        "source": version_source(recording, version),
    }


def version_source(recording: Recording, version: Version) -> str:
    """Return the line of source that wrote a value, empty if it is not known."""
    if version.function is None:
        return ""
    source = recording.sources.of_function(version.function)
    return source_line(source.line(version.line)).strip()


def origin_data(recording: Recording, origin: Origin) -> OriginData:
    """Return where a value came from."""
    viewer = origin_viewer(recording, origin)
    return {
        "value": Viewer(recording, origin.time).line(origin.value, WIDTH),
        "time": origin.time,
        "links": [
            {
                "kind": link.kind,
                "time": link.time,
                "call": link.call,
                "function": safe(recording.call(link.call).function.qualname) if link.call else "",
                "line": link.line,
                "place": safe(link.place),
                "from": safe(link.source),
            }
            for link in origin.links
        ],
        "end": origin.end,
        "expression": safe(origin.text),
        "made_by": origin.call,
        "made_at": origin.line,
        "operands": [
            {"text": safe(part.text), "value": viewer.line(part.value, WIDTH)}
            for part in origin.operands
        ],
        "missing": origin_missing(recording, origin),
    }


def origin_missing(recording: Recording, origin: Origin) -> str:
    """Say why a trail ends, if it ends in source that can't be parsed."""
    if origin.end is not EndKind.UNKNOWN or not origin.links:
        return ""
    calls = [recording.call(link.call) for link in origin.links[-1:] if link.call]
    parents = [call.parent for call in calls if call.parent is not None]
    why = unparsed_words(recording, {call.function.file for call in (*calls, *parents)})
    return f"the trail ends here: {why}" if why else ""


def origin_viewer(recording: Recording, origin: Origin) -> Viewer:
    """Return what shows the operands of the expression that made a value: as of then."""
    return Viewer(recording, origin.links[-1].time if origin.links else origin.time)
