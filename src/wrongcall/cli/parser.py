"""The parser of the command line, put together from what each command says about itself."""

from __future__ import annotations

import argparse
import importlib
from typing import NoReturn

from wrongcall import __version__
from wrongcall.errors import UsageError

COMMANDS = (
    "run", "debug", "web", "dap", "regress", "diff", "report", "answers", "learn", "record", "info", "tree", "show",
    "events", "history", "origin", "print", "eval", "find", "export", "mcp", "completion",
)  # fmt: skip
"""Each is a module beside this one."""


class _Parser(argparse.ArgumentParser):
    """Raises what argparse would print."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parser_of(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of one command; of all of them, if there is no such command."""
    parser: argparse.ArgumentParser = _Parser(
        prog="wrongcall",
        description="Finds the call that is wrong: records a run of a Python program, then asks.",
    )
    parser.add_argument("--version", action="version", version=f"wrongcall {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in (command,) if command in COMMANDS else COMMANDS:
        # Not before the interpreter is known to be one that has the libraries this needs, and only
        # what is needed: the program waits until this is done.
        importlib.import_module(f"wrongcall.cli.{name}").add_parser(commands)
    return parser
