"""Events, histories and origins as plain data for JSON: the shapes of docs/reference/json.md."""

from __future__ import annotations

from typing import Any

from wrongcall.present.text import safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, CallStep, Origin, Recording, Version

WIDTH = 200
"""Columns of a value."""


def event_data(trace: Recording, step: CallStep) -> dict[str, Any]:
    """Return one thing that happened in a call."""
    value = "" if step.value is UNSET else Viewer(trace, step.time).line(step.value, WIDTH)
    return {
        "time": step.time,
        "kind": step.kind.value,
        "line": step.line,
        "place": safe(step.place),
        "value": value,
        "call": step.child,
        "taken": step.taken,
    }


def version_data(trace: Recording, version: Version) -> dict[str, Any]:
    """Return a value that a place had."""
    removed = version.new is UNSET
    value = None if removed else Viewer(trace, version.time).line(version.new, WIDTH)
    return {
        "time": version.time,
        "value": value,
        "line": version.line,
        "function": safe(version.function.qualname) if version.function else "?",
        "call": version.call,
        "seen": version.seen,
        "source": version_source(trace, version),
    }


def version_source(trace: Recording, version: Version) -> str:
    """Return the line of source that wrote a value, empty if it is not known."""
    if version.function is None:
        return ""
    source = trace.sources.of_function(version.function)
    return source_line(source.line(version.line)).strip()


def origin_data(trace: Recording, origin: Origin) -> dict[str, Any]:
    """Return where a value came from."""
    viewer = origin_viewer(trace, origin)
    return {
        "value": Viewer(trace, origin.time).line(origin.value, WIDTH),
        "time": origin.time,
        "links": [
            {
                "kind": link.kind.value,
                "time": link.time,
                "call": link.call,
                "function": safe(trace.call(link.call).function.qualname) if link.call else "",
                "line": link.line,
                "place": safe(link.place),
                "from": safe(link.source),
            }
            for link in origin.links
        ],
        "end": origin.end.value,
        "expression": safe(origin.text),
        "made_by": origin.call,
        "made_at": origin.line,
        "operands": [
            {"text": safe(part.text), "value": viewer.line(part.value, WIDTH)}
            for part in origin.operands
        ],
    }


def origin_viewer(trace: Recording, origin: Origin) -> Viewer:
    """Return what shows the operands of the expression that made a value: as of then."""
    return Viewer(trace, origin.links[-1].time if origin.links else origin.time)
