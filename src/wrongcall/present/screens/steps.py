"""A step of a call as a line: a write, the outcome of a branch, a call, an exception."""

from __future__ import annotations

from wrongcall.present.lines import Line
from wrongcall.present.questions import outcome_line, title
from wrongcall.present.text import safe
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, CallStep, Recording, StepKind


def step_line(recording: Recording, step: CallStep, width: int) -> Line:
    """Return what happened in a step, on one line; the step is not a line of source."""
    value = _value(recording, step, max(width - len(step.place) - 6, 20))
    if step.kind is StepKind.BRANCH:
        return ((f"line {step.line} is {'true' if step.taken else 'false'}", "quiet"),)
    if step.kind is StepKind.CALL:
        child = recording.call(step.child)
        head = title(recording, child, width=max(width * 2 // 3, 40))
        end = outcome_line(recording, child, max(width - len(head), 20))
        return ((f"#{child.id} ", "number"), (head, "name"), " ", (end, "quiet"))
    if step.kind in (StepKind.WRITE, StepKind.GIVEN):
        return ((safe(step.place), "name"), " = ", (value, "new"))
    if step.kind is StepKind.DELETE:
        return ("del ", (safe(step.place), "name"))
    style = "wrong" if step.kind in (StepKind.RAISE, StepKind.CAUGHT) else "quiet"
    return ((step.kind.value, style), " ", value)


def _value(recording: Recording, step: CallStep, width: int) -> str:
    return "" if step.value is UNSET else Viewer(recording, step.time).line(step.value, width)
