"""``wrongcall history``: every write of a variable or slot, over the whole run."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_call, add_command, number
from wrongcall.present.json_shapes import version_data, version_source
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.text import safe
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, Recording, Version


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "history", "show every write of a variable or slot", show)
    add_call(parser)
    parser.add_argument("place", metavar="PLACE", help='as in c[2], self.root.left, config["x"]')
    parser.add_argument(
        "--at",
        type=number,
        metavar="TIME",
        help="the place as it was at this time (default: the end of the call)",
    )


def show(trace: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the history."""
    call = find_call(trace, args.call)
    versions = trace.history(call.id, args.place, check_time(call, args.at))
    if args.json:
        found = [version_data(trace, version) for version in versions]
        output.json({"call": call.id, "place": args.place, "versions": found})
        return
    output.line((safe(args.place), "heading"), (f"  {_count(len(versions))}", "quiet"))
    for version in versions:
        text = _value(trace, version, 40)
        line = version_source(trace, version)
        who = f"{_name(version)} #{version.call}" if version.call else "?"
        how = " (first seen)" if version.seen else ""
        output.line(
            (f"{version.time:>8} ", "number"),
            (f"{text:20}", "new" if version.new is not UNSET else "old"),
            f"  line {version.line:<5} ",
            (f"{who}{how}", "name"),
            (f"  {line}", "quiet"),
        )


def _count(count: int) -> str:
    return "1 value" if count == 1 else f"{count:,} values"


def _value(trace: Recording, version: Version, width: int) -> str:
    if version.new is UNSET:
        return "(removed)"
    return Viewer(trace, version.time).line(version.new, width)


def _name(version: Version) -> str:
    return safe(version.function.qualname) if version.function else "?"
