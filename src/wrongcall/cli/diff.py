"""``wrongcall diff``: align two runs by their calls, and show where they part."""

from __future__ import annotations

import argparse

import wrongcall.recording
from wrongcall.cli.output import Output, shown
from wrongcall.cli.reading import Commands, number
from wrongcall.oracles.run_diff import diff_of
from wrongcall.present.run_diffs import LISTED, DiffView

SAME, DIFFERENT = 0, 1


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "diff",
        help="show where two runs part",
        description="Aligns two recorded runs by their calls, and shows the calls that had another outcome for the "
        "same input, the first one first, and those that only one run made.",
        epilog="Exit code: 0 no difference was found, 1 there is one, 2 usage error.",
    )
    parser.add_argument("good", metavar="TRACE", help="a run, usually one that is right")
    parser.add_argument("bad", metavar="TRACE", help="another run")
    parser.add_argument(
        "--limit", type=number, default=LISTED, metavar="N", help=f"calls to list of each kind ({LISTED})"
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON (docs/reference/json.md)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the differences; 0 if there are none."""
    with (
        wrongcall.recording.open(args.good) as good,
        wrongcall.recording.open(args.bad) as bad,
    ):
        view = DiffView(good, bad, diff_of(good, bad), args.limit)
        status = shown(lambda output: _show(view, output, as_json=args.json))
        return status or (DIFFERENT if view.differs else SAME)


def _show(view: DiffView, output: Output, *, as_json: bool) -> None:
    if as_json:
        output.json(view.data())
        return
    for line in view.lines(output.width):
        output.line(line)
