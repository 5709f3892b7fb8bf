"""``wrongcall history``: every value that a place had, over the whole run."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, add_place
from wrongcall.present.json_shapes import version_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.screens.trails import history_lines
from wrongcall.recording import Recording


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands, "history", "show every value that a variable, attribute or item had", show
    )
    add_place(parser, 'c[2], self.root.left or config["x"]', "the place as it was")


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the history."""
    call = find_call(recording, args.call)
    versions = recording.places.history(call.id, args.place, check_time(call, args.at))
    if args.json:
        found = [version_data(recording, version) for version in versions]
        output.json({"call": call.id, "place": args.place, "versions": found})
        return
    output.lines(history_lines(recording, args.place, versions, output.width, times=True))
