"""``wrongcall history``: every value that a place had, over the whole run."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present.json_shapes import version_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.screens.trails import history_lines
from wrongcall.recording import Recording


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands, "history", "show every value that a variable, attribute or item had", show
    )
    add_call(parser)
    parser.add_argument(
        "place", metavar="PLACE", help='for example c[2], self.root.left or config["x"]'
    )
    parser.add_argument(
        "--at",
        type=number,
        metavar="TIME",
        help="the place as it was at this time (default: the end of the call)",
    )


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the history."""
    call = find_call(trace, args.call)
    versions = trace.places.history(call.id, args.place, check_time(call, args.at))
    if args.json:
        found = [version_data(trace, version) for version in versions]
        output.json({"call": call.id, "place": args.place, "versions": found})
        return
    output.lines(history_lines(trace, args.place, versions, output.width, times=True))
