"""``wrongcall origin``: where a value came from, and everything that it depended on."""

from __future__ import annotations

import argparse

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, add_place, number
from wrongcall.present.json_shapes import origin_data
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.origin_tree import NODES_SHOWN, shown_tree, tree_data
from wrongcall.present.screens.origin_tree import origin_tree_lines
from wrongcall.present.screens.trails import origin_lines
from wrongcall.recording import Recording


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "origin", "show where a value came from", show)
    add_place(parser, "c[2], self.root.left or result[0] (the returned value)", "the value")
    parser.add_argument(
        "--nodes",
        type=number,
        metavar="N",
        default=NODES_SHOWN,
        help="show at most N nodes of what the value depended on, the nearest ones (default: %(default)s)",
    )
    parser.add_argument(
        "--depth", type=number, metavar="N", help="go back at most N steps (default: no limit)"
    )


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the trail, and the tree of everything that the value depended on."""
    call = find_call(recording, args.call)
    time = check_time(call, args.at)
    origin = recording.places.origin(call.id, args.place, time)
    root = recording.places.origin_tree(call.id, args.place, time)
    tree = shown_tree(recording, root, args.nodes, args.depth)
    if args.json:
        trail = origin_data(recording, origin)
        data = {"call": call.id, "place": args.place, **trail, "tree": tree_data(recording, tree)}
        output.json(data)
        return
    output.lines(origin_lines(recording, args.place, origin, output.width, times=True))
    if tree.parts:
        output.lines([(), (("depended on", "heading"),)])
        output.lines(origin_tree_lines(recording, tree, output.width))
