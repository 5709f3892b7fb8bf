"""``wrongcall origin``: where a value came from, back to the expression that made it."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, add_place
from wrongcall.present.json_shapes import origin_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.screens.trails import origin_lines
from wrongcall.recording import Recording


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "origin", "show where a value came from", show)
    add_place(parser, "c[2], self.root.left or result[0] (the returned value)", "the value")


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the trail."""
    call = find_call(recording, args.call)
    origin = recording.places.origin(call.id, args.place, check_time(call, args.at))
    if args.json:
        output.json({"call": call.id, "place": args.place, **origin_data(recording, origin)})
        return
    output.lines(origin_lines(recording, args.place, origin, output.width, times=True))
