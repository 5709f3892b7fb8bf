"""``wrongcall run``: run a program, then ask about its calls until the wrong one is found."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wrongcall.cli.ask.options import Defaults, add_options
from wrongcall.cli.debug import NOT_FOUND, debug, talking
from wrongcall.cli.progress import tell
from wrongcall.cli.record import add_recording_options, default_name, program_of
from wrongcall.cli.running import Program
from wrongcall.trace.lock import DebuggerLock
from wrongcall.trace.schema import format_version
from wrongcall.trace.writer import make_room

_HINT_AFTER = 2.0
"""Seconds until somebody is told how to begin before the program has ended."""
_NAP = 0.02
HINT = "wrongcall: recording; Ctrl-\\ begins the questions while the program runs"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "run",
        help="run a program, then ask until the wrong call is found",
        usage="wrongcall run [options] [--] (prog.py | -m module) [arguments]",
        description="Runs a program as python would and records it; then asks about its calls until "
        "the wrong one is found. The program's own exit code does not matter.",
        epilog="docs/terminal.md explains the keys. Exit code: 0 found, 1 not found, 2 usage.",
        allow_abbrev=False,
    )
    add_recording_options(parser)
    parser.add_argument(
        "--live", action="store_true",
        help="begin the questions while the program runs; its input is empty, its output held back",
    )  # fmt: skip
    parser.add_argument(
        "--stdin", metavar="FILE", type=Path,
        help="what the program reads (by default the terminal, or nothing if answers are piped)",
    )  # fmt: skip
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run and debug; 0 if a bug was found."""
    defaults = Defaults()
    kind, target = program_of(args)
    path = Path(args.output or default_name(kind, target[0]))
    _make_room(path, args.force)
    with _asking_key() as asked:
        program = Program(_words(args), path, live=args.live, stdin=args.stdin)
        _await_questions(program, args.live, asked)
    if not program.running and not _is_trace(path):
        tell("wrongcall: nothing was recorded, so there is nothing to ask about")
        return NOT_FOUND
    if not args.live and not program.running:
        tell(f"wrongcall: recorded in {path}")
    with talking() as (stage, source):
        return debug(path, args, defaults, stage, source, program)


def _make_room(path: Path, force: bool) -> None:
    """Remove an older trace, unless somebody is asking about it: a trace that is there is the new one."""
    if _is_trace(path):
        DebuggerLock(path).release()
    make_room(path, force)


def _is_trace(path: Path) -> bool:
    return path.is_file() and format_version(path) is not None


def _words(args: argparse.Namespace) -> list[str]:
    """Return the arguments of the recorder."""
    words = [word for name in args.include for word in ("--include", name)]
    words += [word for glob in args.exclude for word in ("--exclude", glob)]
    words += ["--force"] if args.force else []
    words += ["--stats", args.stats] if args.stats else []
    return [*words, "--", *args.program]


@contextmanager
def _asking_key() -> Iterator[list[int]]:
    """Note when Ctrl-\\ is pressed; the program, which gets it as well, ignores it."""
    pressed: list[int] = []
    if not sys.stdin.isatty():
        yield pressed
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGQUIT, signal.SIGINT)}
    signal.signal(signal.SIGQUIT, signal.SIG_IGN)  # which the program inherits
    try:
        yield pressed
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _await_questions(program: Program, live: bool, pressed: list[int]) -> None:
    """Wait until the program has ended, or the questions are to begin."""
    if live:
        program.wait(lambda: _is_trace(program.trace))
        return
    terminal = sys.stdin.isatty()
    if terminal:
        signal.signal(signal.SIGQUIT, lambda number, frame: pressed.append(number))
        signal.signal(signal.SIGINT, lambda number, frame: None)  # meant for the program
    hint_at = time.monotonic() + _HINT_AFTER if terminal else float("inf")

    def begins() -> bool:
        nonlocal hint_at
        if time.monotonic() >= hint_at:
            tell(HINT)
            hint_at = float("inf")
        return bool(pressed) and _is_trace(program.trace)

    program.wait(begins)
