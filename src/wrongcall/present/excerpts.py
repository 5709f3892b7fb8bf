"""Source with what happened in it: executed lines, values, and a marked line."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from wrongcall.analysis.steps.line_windows import all_told
from wrongcall.errors import UsageError
from wrongcall.present.questions import short_path
from wrongcall.present.text import fit, safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import CallStep, Recording, Ref, Steps, Value
from wrongcall.replay.frames import FRAME_PART, frame_of

_INSIDE_FRAME = f".{FRAME_PART.name}"
VALUES = 3
_LOOKED_AT = 4 * VALUES
"""Values shown beside a line; the last ones."""


@dataclass(frozen=True)
class ExcerptLine:
    """A line of source."""

    number: int
    text: str
    executed: int
    """How often the call executed it."""
    marked: bool
    values: tuple[str, ...]
    """What was written on it, the last writes: ``lb = 3``."""


@dataclass(frozen=True)
class Excerpt:
    """The source of a call's function."""

    file: str
    call: int
    lines: tuple[ExcerptLine, ...]


def excerpt(
    recording: Recording,
    call: int,
    *,
    marked: int = 0,
    also: Collection[int] = (),
    around: int | None = None,
    width: int = 30,
    steps: Steps | None = None,
) -> Excerpt:
    """Return the source of a call's function, or ``around`` lines on either side of the marked one.

    ``also``: more lines to mark. ``steps``: only these steps have happened; None: all of them.
    """
    view = recording.call(call)
    function = view.function
    source = recording.sources.of_function(function)
    end = len(source.lines) - 1
    first, last = function.line, min(function.end_line or end, end)
    if around is not None and marked:
        first, last = max(first, marked - around), min(last, marked + around)
    if steps is None:
        counts, written = recording.execution.line_activity(call, VALUES, first, last)
    else:
        counts, written = all_told(steps, VALUES, first, last)
    lines = (
        ExcerptLine(
            number,
            source_line(source.line(number)),
            counts.get(number, 0),
            number == marked or number in also,
            _values(recording, call, _own(recording, written.get(number, [])), width),
        )
        for number in range(max(first, 1), last + 1)
    )
    return Excerpt(
        short_path(recording, recording.program.files[function.file].path), call, tuple(lines)
    )


def _own(recording: Recording, steps: list[CallStep]) -> list[CallStep]:
    """Return the last writes that are the program's, not inside a library."""
    return [step for step in steps if not recording.questions.insides.has_write(step.time)][
        -VALUES:
    ]


def _values(recording: Recording, call: int, steps: list[CallStep], width: int) -> tuple[str, ...]:
    """Return what was written; of the parts of a frame that only its library knows, the frame after all of them."""
    texts: dict[str, None] = {}
    for step in steps:
        place, value, time = step.place, step.value, step.time
        frame = _frame_around(recording, call, place, steps[-1].time)
        if frame is not None:
            place, value, time = *frame, steps[-1].time
        texts[f"{fit(safe(place), width)} = {Viewer(recording, time).line(value, width)}"] = None
    return tuple(texts)


def _frame_around(
    recording: Recording, call: int, place: str, time: int
) -> tuple[str, Value] | None:
    """Return the frame whose inside a place is in, with its own place; None: there is none."""
    around, inside, _ = place.partition(_INSIDE_FRAME)
    if not inside or not around:
        return None
    try:
        _, value = recording.places.find(call, around, time)
    except UsageError:
        return None
    is_frame = isinstance(value, Ref) and frame_of(recording.states.heap, value.oid, time)
    return (around, value) if is_frame else None
