"""The command ``wrongcall``: parses its arguments, runs a command, prints errors.

This is the one place where an error becomes a line on stderr and an exit code.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import signal
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from wrongcall import __version__
from wrongcall.errors import RecorderError, UsageError, WrongcallError


class _Parser(argparse.ArgumentParser):
    """Raises what argparse would print."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: list[str] | None = None) -> int:
    """Run one command; the exit code."""
    try:
        _check_interpreter()
        with _dying_of_interrupts():
            parser = _parser()
        args = _parsed(parser, sys.argv[1:] if argv is None else argv)
        if args.command is None:
            parser.print_help()
            return 2
        return int(args.run(args))
    except WrongcallError as error:
        if sys.stderr is not None:
            print(f"wrongcall: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:  # nothing is running yet that could want it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
        return 128 + signal.SIGINT


@contextmanager
def _dying_of_interrupts() -> Iterator[None]:
    """Ctrl-C ends the process at once: libraries that are being loaded make other errors of it."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_interpreter() -> None:
    """Only what the recorder knows inside out is recorded."""
    name, version = platform.python_implementation(), platform.python_version()
    if name != "CPython":
        raise RecorderError(f"{name} {version} is not supported; CPython 3.11 or newer is")
    if sys.version_info < (3, 11):  # noqa: UP036 - somebody may run a copy of the sources
        raise RecorderError(f"CPython {version} is too old; CPython 3.11 or newer is needed")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RecorderError(f"free-threaded CPython {version} is not supported; the usual build is")
    if importlib.util.find_spec("wrongcall.recorder._native") is None:
        raise RecorderError(f"not built for CPython {version}: install wrongcall with this python")


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """The arguments; those of a program to be run are kept apart."""
    from wrongcall.cli import record  # noqa: PLC0415 - as in _parser

    program: list[str] = []
    if arguments[:1] == ["record"]:
        own, program = record.split(arguments[1:])
        arguments = ["record", *own]
    return parser.parse_args(arguments, argparse.Namespace(program=program))


def _parser() -> argparse.ArgumentParser:
    # Not before the interpreter is known to be one that has the libraries this needs.
    from wrongcall.cli import events, history, info, origin, record, show, tree, web  # noqa: PLC0415

    parser: argparse.ArgumentParser = _Parser(
        prog="wrongcall",
        description="Finds the call that is wrong: records a run of a Python program, then asks.",
    )
    parser.add_argument("--version", action="version", version=f"wrongcall {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for command in (record, info, tree, show, events, history, origin, web):
        command.add_parser(commands)
    return parser
