"""``wrongcall find``: where a value, an exception or some output occurs, or a condition becomes true."""

from __future__ import annotations

import argparse
from itertools import islice

from wrongcall.cli.output import Output
from wrongcall.cli.reading import Commands, add_command, number
from wrongcall.present.matches import match_data
from wrongcall.present.screens.matches import matches_lines
from wrongcall.recording import Recording

MOST = 20


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(
        commands,
        "find",
        "find a value, an exception, some output, or where a condition becomes true",
        show,
    )
    parser.add_argument(
        "search",
        metavar="SEARCH",
        help="'value == -1' (written or returned), 'raised KeyError', 'printed /pattern/', or a condition "
        "on variables: 'len(xs) > 100'",
    )
    parser.add_argument("--newest", action="store_true", help="show the newest match first")
    parser.add_argument(
        "--first",
        type=number,
        default=MOST,
        metavar="N",
        help=f"stop after N matches (default: {MOST})",
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--calls", action="store_true", help="for values: only those that calls returned"
    )
    kinds.add_argument(
        "--writes", action="store_true", help="for values: only those that were written"
    )


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the matches."""
    what = "calls" if args.calls else "writes" if args.writes else ""
    found = recording.find(args.search, newest=args.newest, what=what)
    matches = list(islice(found, args.first))
    more = next(found, None) is not None
    if args.json:
        data = [match_data(recording, match) for match in matches]
        output.json({"search": args.search, "matches": data, "more": more})
        return
    output.lines(matches_lines(recording, args.search, matches, more, output.width))
