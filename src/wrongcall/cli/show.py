"""``wrongcall show``: a call with its arguments and outcome; or its variables at a time."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present import Viewer, as_json, excerpt, question, title
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.screens.call import call_lines, variables_lines
from wrongcall.recording import Call, Recording

DEPTH = 1
_AROUND = 5
_ALL_COLUMNS = 2_000
"""Columns of a value or a change: no more than this of a long one is shown."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands, "show", "show a call: its arguments, its outcome and its source", show
    )
    add_call(parser)
    parser.add_argument(
        "--at", type=number, metavar="TIME", help="show its variables at this time instead"
    )
    parser.add_argument(
        "--depth",
        type=number,
        default=DEPTH,
        metavar="N",
        help=f"levels of nesting to expand ({DEPTH})",
    )
    parser.add_argument("--all", action="store_true", help="show the inside of library objects too")


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the call."""
    call = find_call(recording, args.call)
    if args.at is not None:
        _show_variables(recording, call, args, output)
        return
    asked = question(
        recording,
        call.id,
        depth=args.depth,
        width=_ALL_COLUMNS,
        line_width=output.width,
        change_width=_ALL_COLUMNS,
        everything=args.all,
    )
    source = excerpt(recording, call.id)
    if args.json:
        output.json({**as_json(asked), "source": as_json(source)})
    else:
        output.lines(call_lines(asked, source, output.width))


def _show_variables(
    recording: Recording, call: Call, args: argparse.Namespace, output: Output
) -> None:
    """Show the variables of a call at a time, and the line it was at."""
    time = check_time(call, args.at)
    assert time is not None
    viewer = Viewer(recording, time, everything=args.all)
    steps = recording.execution.steps(call.id).until(time)
    line = steps.last_line() or call.function.line
    nodes = tuple(
        viewer.tree(value, name, depth=args.depth, width=output.width - 20)
        for name, value in recording.states.locals(call.id, time).items()
    )
    source = excerpt(recording, call.id, marked=line, around=_AROUND, steps=steps)
    if args.json:
        data = {"call": call.id, "time": time, "line": line, "variables": as_json(nodes)}
        output.json({**data, "source": as_json(source)})
        return
    when = f"at time {time}, line {line}"
    output.lines(
        variables_lines(call.id, title(recording, call), when, nodes, source, output.width)
    )
