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

from wrongcall.cli.parser import parser_of
from wrongcall.errors import RecorderError, WrongcallError
from wrongcall.trace.read.gc_pause import collect_rarely

TAKING_PROGRAMS = ("record", "run", "regress")
"""Commands whose arguments end where those of a program begin."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    try:
        _check_interpreter()
        arguments = sys.argv[1:] if argv is None else argv
        with _interrupts_wait():
            parser = parser_of(arguments[0] if arguments else "")
        args = _parsed(parser, arguments)
        if args.command is None:
            parser.print_help()
            return 2
        collect_rarely()
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
def _interrupts_wait() -> Iterator[None]:
    """Defer SIGINT during imports: libraries turn it into other errors.

    Threads that they start defer it, too: they leave signals to the thread that waits for them (`signals`).
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _check_interpreter() -> None:
    """Check that this interpreter is one that the recorder supports."""
    name, version = platform.python_implementation(), platform.python_version()
    if name != "CPython":
        raise RecorderError(f"{name} {version} is not supported; use CPython 3.11 or newer")
    if sys.version_info < (3, 11):  # noqa: UP036 - a copy of the sources may be run
        raise RecorderError(f"CPython {version} is too old; use CPython 3.11 or newer")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RecorderError(
            f"free-threaded CPython {version} is not supported; use the default build"
        )
    if importlib.util.find_spec("wrongcall.recorder._native") is None:
        raise RecorderError(
            f"not built for CPython {version}; install wrongcall with this interpreter"
        )


def _parsed(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    """The arguments; those of a program to be run are kept apart."""
    program: list[str] = []
    if arguments and arguments[0] in TAKING_PROGRAMS:
        from wrongcall.cli import record  # noqa: PLC0415 - as in parser_of

        own, program = record.split(arguments[1:], _subparser(parser, arguments[0]))
        arguments = [arguments[0], *own]
    return parser.parse_args(arguments, argparse.Namespace(program=program))


def _subparser(parser: argparse.ArgumentParser, command: str) -> argparse.ArgumentParser:
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    found: argparse.ArgumentParser = groups[0].choices[command]
    return found
