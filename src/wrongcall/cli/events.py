"""``wrongcall events``: what happened in a call, in order."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command
from wrongcall.present.json_shapes import event_data
from wrongcall.present.lookup import find_call
from wrongcall.present.questions import title
from wrongcall.present.screens.steps import step_line
from wrongcall.present.text import source_line
from wrongcall.recording import Recording, StepKind


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    add_call(add_command(commands, "events", "show what happened in a call, step by step", show))


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the events."""
    call = find_call(recording, args.call)
    steps = recording.execution.steps(call.id)
    source = recording.sources.of_function(call.function)
    if args.json:
        output.json({"call": call.id, "events": [event_data(recording, step) for step in steps]})
        return
    output.line((f"#{call.id} ", "number"), (title(recording, call), "heading"))
    for step in steps:
        time = (f"{step.time:>8} ", "number")
        if step.kind is StepKind.LINE:
            text = source_line(source.line(step.line)).strip()
            output.line(time, (f"{step.line:>5}  ", "quiet"), text)
        else:
            output.line(time, " " * 9, *step_line(recording, step, output.width - 24))
