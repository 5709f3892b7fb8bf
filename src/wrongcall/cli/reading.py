"""What the commands that read a trace share: their arguments, and finding calls and functions."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import wrongcall.recording
from wrongcall.cli.output import Output, shown
from wrongcall.errors import UsageError
from wrongcall.present.questions import short_path
from wrongcall.present.text import fit, safe
from wrongcall.recording import Function, Recording

Commands = argparse._SubParsersAction
_NAMES = 300


def add_command(
    commands: Commands[argparse.ArgumentParser],
    name: str,
    help: str,
    show: Callable[[Recording, argparse.Namespace, Output], None],
) -> argparse.ArgumentParser:
    """Describe a command that reads a trace to argparse."""
    parser = commands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.")
    parser.add_argument("trace", metavar="TRACE", help="a file made by run or record")
    parser.add_argument("--json", action="store_true", help="print JSON (docs/reference/json.md)")

    def run(args: argparse.Namespace) -> int:
        with wrongcall.recording.open(args.trace) as recording:
            return shown(lambda output: show(recording, args, output))

    parser.set_defaults(run=run)
    return parser


def add_call(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a call."""
    parser.add_argument("call", metavar="CALL", type=number, help="the number of a call")


def add_place(parser: argparse.ArgumentParser, examples: str, at: str) -> None:
    """Add a call, a place in it, and a time; ``at``: what there is of it at that time."""
    add_call(parser)
    parser.add_argument("place", metavar="PLACE", help=f"for example {examples}")
    parser.add_argument(
        "--at",
        type=number,
        metavar="TIME",
        help=f"{at} at this time (default: the end of the call)",
    )


def number(text: str) -> int:
    """Return a number as an argument gives it: ``12`` or ``#12``."""
    return int(text.removeprefix("#").replace(",", ""))


def find_functions(recording: Recording, name: str) -> list[Function]:
    """Return the functions with a name, or a qualified name."""
    functions = recording.program.functions.values()
    found = [f for f in functions if name in (f.qualname, f.name)]
    if not found:
        known = sorted({safe(f.qualname) for f in functions if f.kind != "module"})
        raise UsageError(f"no function named {name!r}: {fit(_listed(known), _NAMES)}")
    return found


def _listed(names: list[str]) -> str:
    return "there are " + ", ".join(names) if names else "the program has none"


def place_of(recording: Recording, function: Function) -> str:
    """Return where a function is, as ``prog.py:12``, below the folder of the program."""
    return f"{short_path(recording, recording.program.files[function.file].path)}:{function.line}"
