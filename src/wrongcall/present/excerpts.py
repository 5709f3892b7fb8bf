"""Source with what happened in it: executed lines, values, and a marked line."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from wrongcall.present.questions import short_path
from wrongcall.present.text import fit, safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.trace import UNSET, CallStep, StepKind, Trace

VALUES = 3
"""So many values are shown on a line; the last ones."""
_SHOWN = frozenset({StepKind.WRITE, StepKind.GIVEN})


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
    trace: Trace,
    call: int,
    *,
    marked: int = 0,
    around: int | None = None,
    width: int = 30,
    steps: list[CallStep] | None = None,
) -> Excerpt:
    """Return the source of the function of a call, or so many lines around the marked one."""
    view = trace.call(call)
    function = view.function
    source = trace.sources.of_function(function)
    steps = trace.steps(call) if steps is None else steps
    counts = Counter(step.line for step in steps if step.kind is StepKind.LINE)
    values = _values(trace, steps, width)
    first, last = function.line, function.end_line or len(source.lines) - 1
    if around is not None and marked:
        first, last = max(first, marked - around), min(last, marked + around)
    lines = (
        ExcerptLine(
            number,
            source_line(source.line(number)),
            counts[number],
            number == marked,
            tuple(values[number][-VALUES:]),
        )
        for number in range(max(first, 1), last + 1)
    )
    return Excerpt(short_path(trace, trace.files[function.file].path), call, tuple(lines))


def _values(trace: Trace, steps: list[CallStep], width: int) -> dict[int, list[str]]:
    """Return what was written on each line: of each place the last value."""
    latest: defaultdict[int, dict[str, CallStep]] = defaultdict(dict)
    for step in steps:
        if step.kind in _SHOWN and step.value is not UNSET:
            latest[step.line].pop(step.place, None)
            latest[step.line][step.place] = step
    found: defaultdict[int, list[str]] = defaultdict(list)
    for line, places in latest.items():
        for place, step in list(places.items())[-VALUES:]:
            text = Viewer(trace, step.time).line(step.value, width)
            found[line].append(f"{fit(safe(place), width)} = {text}")
    return found
