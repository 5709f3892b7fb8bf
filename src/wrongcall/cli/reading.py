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
        with wrongcall.recording.open(args.trace) as trace:
            return shown(lambda output: show(trace, args, output))

    parser.set_defaults(run=run)
    return parser


def add_call(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a call."""
    parser.add_argument("call", metavar="CALL", type=number, help="the number of a call")


def number(text: str) -> int:
    """Return a number as an argument gives it: ``12`` or ``#12``."""
    return int(text.removeprefix("#").replace(",", ""))


def find_functions(trace: Recording, name: str) -> list[Function]:
    """Return the functions with a name, or a qualified name."""
    functions = trace.program.functions.values()
    found = [f for f in functions if name in (f.qualname, f.name)]
    if not found:
        known = sorted({safe(f.qualname) for f in functions if f.kind != "module"})
        raise UsageError(f"no function named {name!r}: {fit(_listed(known), _NAMES)}")
    return found


def _listed(names: list[str]) -> str:
    return "there are " + ", ".join(names) if names else "the program has none"


def place_of(trace: Recording, function: Function) -> str:
    """Return where a function is, as ``prog.py:12``, below the folder of the program."""
    return f"{short_path(trace, trace.program.files[function.file].path)}:{function.line}"
