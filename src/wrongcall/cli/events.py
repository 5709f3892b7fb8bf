"""``wrongcall events``: what happened in a call, in order."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command
from wrongcall.present.json_shapes import event_data
from wrongcall.present.lines import Part
from wrongcall.present.lookup import find_call
from wrongcall.present.questions import outcome_line, title
from wrongcall.present.text import safe, source_line
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, CallStep, Recording, StepKind


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    add_call(add_command(commands, "events", "show what happened in a call, step by step", show))


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the events."""
    call = find_call(trace, args.call)
    steps = trace.execution.steps(call.id)
    source = trace.sources.of_function(call.function)
    if args.json:
        output.json({"call": call.id, "events": [event_data(trace, step) for step in steps]})
        return
    output.line((f"#{call.id} ", "number"), (title(trace, call), "heading"))
    for step in steps:
        time = (f"{step.time:>8} ", "number")
        if step.kind is StepKind.LINE:
            text = source_line(source.line(step.line)).strip()
            output.line(time, (f"{step.line:>5}  ", "quiet"), text)
        else:
            output.line(time, " " * 9, *words(trace, step, output.width - 24))


def words(trace: Recording, step: CallStep, width: int) -> list[Part]:
    """Return what happened, on one line."""
    value = _value(trace, step, max(width - len(step.place) - 6, 20))
    if step.kind is StepKind.BRANCH:
        return [(f"line {step.line} is {'true' if step.taken else 'false'}", "quiet")]
    if step.kind is StepKind.CALL:
        child = trace.call(step.child)
        head = title(trace, child, width=max(width * 2 // 3, 40))
        end = outcome_line(trace, child, max(width - len(head), 20))
        return [(f"#{child.id} ", "number"), (head, "name"), " ", (end, "quiet")]
    if step.kind in (StepKind.WRITE, StepKind.GIVEN):
        return [(safe(step.place), "name"), " = ", (value, "new")]
    if step.kind is StepKind.DELETE:
        return ["del ", (safe(step.place), "name")]
    style = "wrong" if step.kind in (StepKind.RAISE, StepKind.CAUGHT) else "quiet"
    return [(step.kind.value, style), " ", value]


def _value(trace: Recording, step: CallStep, width: int) -> str:
    return "" if step.value is UNSET else Viewer(trace, step.time).line(step.value, width)
