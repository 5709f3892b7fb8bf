"""``wrongcall debug``: ask about a recorded run until the wrong call is found."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

import wrongcall.recording
from wrongcall.cli import config
from wrongcall.cli.ask.dialogue import Dialogue
from wrongcall.cli.ask.input import Input, PipedLines
from wrongcall.cli.ask.options import add_options, ask_consent, how_of, referenced
from wrongcall.cli.ask.prompt import Prompter
from wrongcall.cli.ask.start_options import start_of
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.cli.ending import ending_orderly
from wrongcall.cli.progress import tell
from wrongcall.cli.running import Program
from wrongcall.errors import UsageError
from wrongcall.oracles.reference.version import Version
from wrongcall.present.failures import failure_entry, failure_lines
from wrongcall.present.groups import member
from wrongcall.present.lines import Line
from wrongcall.present.screens.question import member_line
from wrongcall.present.screens.reading import lines_to_read
from wrongcall.recording import Recording
from wrongcall.session.failures import Failure
from wrongcall.session.search import How, Search
from wrongcall.trace.file.opening import tidy

FOUND, NOT_FOUND = 0, 1
_LISTED = 20
_LARGE = 2_000_000


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "debug",
        help="ask about a recorded run until the wrong call is found",
        description="Asks about the calls of a recorded run until the wrong one is found. Your "
        "answers are saved in the trace; run the same command again to continue.",
        epilog="docs/reference/terminal.md explains the keys. Exit code: 0 found, 1 not found, 2 usage error.",
    )
    parser.add_argument("trace", metavar="TRACE", help="a file made by run or record")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Debug; 0 if a bug was found."""
    with talking() as (terminal, source):
        return debug(Path(args.trace), args, terminal, source)


def debug(
    path: Path,
    args: argparse.Namespace,
    terminal: Terminal,
    source: Input,
    program: Program | None = None,
) -> int:
    """Ask about a trace; ``program``: it is being recorded."""
    prompter = Prompter(terminal, source)
    with (
        _opened(path) as recording,
        referenced(args, config.project_of(recording)) as reference,
        Search(
            recording, _how(recording, args, prompter, reference), measure=lines_to_read
        ) as search,
    ):
        start = start_of(
            recording,
            args,
            lambda calls, why: pick(recording, calls, why, prompter),
            lambda failures: choose(recording, failures, prompter),
        )
        search.begin(start)
        if not search.resumed:
            terminal.show(failure_lines(recording, start, terminal.size.width))
        talk = Dialogue(search, terminal, source, program=program, report=args.report)
        found = talk.run()
        if program is not None:
            leave(program, Prompter(terminal, source))
        return FOUND if found else NOT_FOUND


def _how(
    recording: Recording,
    args: argparse.Namespace,
    prompter: Prompter,
    reference: Version | None,
) -> How:
    settings, root = config.of_recording(recording), config.project_of(recording)
    ask_consent(args, settings, root, lambda wants: prompter.pick([], wants))
    return how_of(args, settings, root, reference)


@contextmanager
def _opened(path: Path) -> Iterator[Recording]:
    """Open a trace, with a message if it is large; leave a single file behind."""
    tidy(path)
    with wrongcall.recording.open(path) as recording:
        if recording.event_count > _LARGE:
            tell(f"wrongcall: reading {recording.calls.count:,} calls ...")
        yield recording
    tidy(path)


@contextmanager
def talking() -> Iterator[tuple[Terminal, Input]]:
    """Open the terminal, or the pipe, to talk to; restore the terminal afterwards."""
    terminal = Terminal()
    with ending_orderly(), _ending_with_the_reader():
        if sys.stdin is None or not (sys.stdin.isatty() and terminal.is_terminal):
            yield terminal, PipedLines(sys.stdin or io.StringIO())
            return
        # Loaded for terminals only: scripts need not wait for prompt_toolkit.
        from wrongcall.cli.ask.keyboard import Keyboard  # noqa: PLC0415

        keys = Keyboard(sys.stdin)
        try:
            yield terminal, keys
        finally:
            keys.end()


@contextmanager
def _ending_with_the_reader() -> Iterator[None]:
    """Exit quietly if the reader of the transcript goes away."""
    try:
        yield
    except BrokenPipeError:
        # Or the interpreter would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)


# -- where to start --------------------------------------------------------------------------------


def pick(recording: Recording, calls: list[int], wants: str, prompter: Prompter) -> int:
    """Let the user pick one of several calls."""
    if len(calls) == 1:
        return calls[0]
    width = prompter.terminal.size.width
    lines: list[Line] = [
        ("  ", *member_line(member(recording, call, width - 8))) for call in calls[:_LISTED]
    ]
    if len(calls) > _LISTED:
        lines.append(((f"  … {len(calls) - _LISTED:,} more", "quiet"),))
    number = _listed(prompter, lines, f"{wants} #", calls)
    if number is None:
        raise UsageError(f"{wants} no call was picked")
    return number


def choose(recording: Recording, failures: list[Failure], prompter: Prompter) -> Failure:
    """Let the user choose one of several failed tests; those of which nothing was recorded come last."""
    width = prompter.terminal.size.width
    failures = sorted(failures, key=lambda failure: not failure.call)
    lines: list[Line] = []
    for number, failure in enumerate(failures[:_LISTED], 1):
        lines += failure_entry(recording, number, failure, width)
    if len(failures) > _LISTED:
        lines.append(((f"  … {len(failures) - _LISTED:,} more", "quiet"),))
    numbers = range(1, len(failures) + 1)
    chosen = _listed(prompter, lines, f"{len(failures):,} tests failed; which one?", numbers)
    if chosen is None:
        raise UsageError(f"{len(failures):,} tests failed; choose one: --test NAME")
    return failures[chosen - 1]


def _listed(
    prompter: Prompter, lines: list[Line], wants: str, numbers: Container[int]
) -> int | None:
    """Ask for one of these numbers until one is entered; None if the user quits instead."""
    while True:
        text = prompter.pick(lines, wants)
        number = text.lstrip("#")
        if number.isdecimal() and int(number) in numbers:
            return int(number)
        if text in ("", "q"):
            return None
        prompter.say(f"{text!r} is not in the list. (q quits.)")


# -- a program that still runs ---------------------------------------------------------------------


def leave(program: Program, prompter: Prompter) -> None:
    """Ask the user whether to end a program that still runs, or wait for it; without a user, end it."""
    if not program.running:
        return
    answer = "e"
    if prompter.source.interactive:
        answer = prompter.ask("The program is still running: e ends it, w waits for it (e)") or "e"
    if answer.startswith("w"):
        prompter.say("Waiting; Ctrl-C ends the program.", "quiet")
        try:
            program.wait(lambda: False)
        except KeyboardInterrupt:
            program.end()
    else:
        program.end()
