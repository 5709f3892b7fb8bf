"""``wrongcall run``: run a program, then ask about its calls until the wrong one is found."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wrongcall.cli import config
from wrongcall.cli.ask.options import add_options
from wrongcall.cli.debug import FOUND, NOT_FOUND, debug, talking
from wrongcall.cli.ending import ending_orderly
from wrongcall.cli.progress import tell, tell_python
from wrongcall.cli.record import (
    add_recording_options,
    default_name,
    program_of,
    program_python,
    project_root,
)
from wrongcall.cli.running import Program, words_of
from wrongcall.cli.web import serve_page
from wrongcall.errors import TraceError, UsageError
from wrongcall.trace.file.replacing import check_room
from wrongcall.trace.format.schema import format_version

HINT = "wrongcall: recording; press Ctrl-\\ to start the questions while the program runs"
"""Told on a terminal before the program starts: from then on the terminal is the program's."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "run",
        help="run a program, then ask until the wrong call is found",
        usage="wrongcall run [options] [--] (prog.py | -m module) [arguments]",
        description="Runs a program as python would and records it; then asks about its calls until "
        "the wrong one is found. The program's exit code is ignored.",
        epilog="docs/reference/terminal.md explains the keys. Exit code: 0 found, 1 not found, 2 usage error.",
        allow_abbrev=False,
    )
    add_recording_options(parser)
    parser.add_argument(
        "--live", action="store_true",
        help="ask while the program runs; its input is empty and its output is held back",
    )  # fmt: skip
    parser.add_argument(
        "--stdin", metavar="FILE", type=Path,
        help="file for the program's input (default: the terminal, or nothing if answers are piped)",
    )  # fmt: skip
    parser.add_argument(
        "--web", action="store_true", help="ask in the browser instead of the terminal"
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run and debug; 0 if a bug was found."""
    kind, target = program_of(args)
    _check_web(args)
    root = project_root(kind, target[0])
    settings = config.read(Path(root))  # report a mistake before anything runs
    path = Path(args.output or default_name(kind, target[0]))
    check_room(path, force=args.force)
    earlier = _trace_at(path)
    tell_python(program_python(args, root, settings, quiet=False))
    with ending_orderly():
        program = _run_until_questions(args, path, earlier)
        with program:
            return _ask(program, args, earlier)


def _ask(program: Program, args: argparse.Namespace, earlier: object) -> int:
    path = program.trace
    if not program.running and _trace_at(path) in (None, earlier):
        tell("wrongcall: nothing was recorded, so there is nothing to ask about")
        return NOT_FOUND
    if not args.live and not program.running:
        tell(f"wrongcall: recorded in {path}")
    if args.web:
        serve_page(path, args)
        return FOUND
    with talking() as (terminal, source):
        return debug(path, args, terminal, source, program)


def _check_web(args: argparse.Namespace) -> None:
    if args.web and args.report:
        raise UsageError("--report can't be used with --web; use the page's report button")


def _trace_at(path: Path) -> tuple[int, int] | None:
    """Return which trace is there, None if there is none: a new one is another file than the earlier one."""
    try:
        if format_version(path) is None:
            return None
        found = path.stat()
    except (TraceError, OSError):  # the recorder is just making room for it
        return None
    return found.st_dev, found.st_ino


def _run_until_questions(args: argparse.Namespace, path: Path, earlier: object) -> Program:
    """Start the program; return it when it has ended, or the questions should begin."""
    with _signals() as pressed:
        if pressed.is_terminal and not args.live and sys.stderr is not None and sys.stderr.isatty():
            tell(HINT)
        program = Program(words_of(args), path, live=args.live, stdin=args.stdin)
        try:
            pressed.listen()
            program.wait(
                lambda: (args.live or pressed.yes) and _trace_at(path) not in (None, earlier)
            )
        except BaseException:
            program.end()
            raise
    return program


class _Pressed:
    """Whether Ctrl-\\ was pressed to begin the questions. The program ignores it."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self.yes = False
        if self.is_terminal:
            signal.signal(signal.SIGQUIT, signal.SIG_IGN)  # which the program inherits

    def listen(self) -> None:
        """Begin to notice, when the program has been started."""
        if self.is_terminal:
            signal.signal(signal.SIGQUIT, self._note)

    def _note(self, number: int, frame: object) -> None:
        self.yes = True


@contextmanager
def _signals() -> Iterator[_Pressed]:
    """Handle the terminal's signals as long as the program runs."""
    before = {number: signal.getsignal(number) for number in (signal.SIGQUIT, signal.SIGINT)}
    try:
        pressed = _Pressed()
        if before[signal.SIGINT] is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, _leave)
        yield pressed
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _leave(number: int, frame: object) -> None:
    """Do nothing about Ctrl-C: it is meant for the program, which gets it as well."""
