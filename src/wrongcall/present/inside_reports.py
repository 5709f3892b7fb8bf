"""The inside of a finding for a report: the values in the buggy call, their histories and their origins.

A report is read without the trace, perhaps on another machine: whatever its reader may ask next has to be in it. The
places come in the order in which they matter: what the faulty statement wrote, what the call changed and returned, then
its arguments and variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wrongcall.errors import WrongcallError
from wrongcall.present.findings import FindingView
from wrongcall.present.lines import Line
from wrongcall.present.origin_tree import shown_tree
from wrongcall.present.screens.origin_tree import origin_tree_lines
from wrongcall.present.screens.question import Size, value_lines
from wrongcall.present.screens.trails import history_lines
from wrongcall.present.text import safe
from wrongcall.present.values import Viewer
from wrongcall.recording import Outcome, Recording

MAX_PLACES = 40
MAX_CHANGED = 20
"""Changed places that are included; there may be thousands."""
MAX_VERSIONS = 200
MAX_ORIGINS = 60
"""Nodes of an origin."""
DEPTH = 3
"""Levels of nesting of a value."""
RESULT = "result"


@dataclass(frozen=True)
class PlaceReport:
    """Everything about a place in the buggy call."""

    place: str
    value: tuple[Line, ...]
    """As of the finding's time."""
    history: tuple[Line, ...]
    origin: tuple[Line, ...]


def place_reports(recording: Recording, found: FindingView, size: Size) -> tuple[PlaceReport, ...]:
    """Return what is known about the places in the buggy call; empty if several calls were found."""
    if found.question is None:
        return ()
    number = found.question.call
    time = found.statement.time if found.statement is not None else recording.call(number).last
    places = list(dict.fromkeys(_places(recording, found, number, time)))[:MAX_PLACES]
    return tuple(_report(recording, number, place, time, size) for place in places)


def _places(recording: Recording, found: FindingView, number: int, time: int) -> Iterator[str]:
    if found.statement is not None:
        yield from (line.place for line in found.statement.changed if not line.more)
    asked = found.question
    if asked is not None:
        yield from (line.place for line in asked.changed[:MAX_CHANGED] if not line.more)
    call = recording.call(number)
    if call.outcome is Outcome.RETURNED and found.statement is None:
        yield RESULT
    yield from map(safe, recording.states.locals(number, time))


def _report(recording: Recording, call: int, place: str, time: int, size: Size) -> PlaceReport:
    return PlaceReport(
        place,
        tuple(_tried(lambda: _value(recording, call, place, time, size))),
        tuple(_tried(lambda: _history(recording, call, place, time, size))),
        tuple(_tried(lambda: _origin(recording, call, place, time, size))),
    )


def _tried(make: Callable[[], list[Line]]) -> list[Line]:
    """Return lines, or why there are none: a place may be gone by then, or not have been recorded."""
    try:
        return make()
    except WrongcallError as error:
        return [((safe(str(error)), "quiet"),)]


def _value(recording: Recording, call: int, place: str, time: int, size: Size) -> list[Line]:
    _, value = recording.places.find(call, place, time)
    node = Viewer(recording, time).tree(value, place, depth=DEPTH, width=size.width)
    return value_lines((node,), size)


def _history(recording: Recording, call: int, place: str, time: int, size: Size) -> list[Line]:
    versions = recording.places.history(call, place, time)
    return history_lines(recording, place, versions, size.width, most=MAX_VERSIONS)


def _origin(recording: Recording, call: int, place: str, time: int, size: Size) -> list[Line]:
    root = recording.places.origin_tree(call, place, time)
    return origin_tree_lines(recording, shown_tree(recording, root, MAX_ORIGINS), size.width)
