"""Where a search starts: at a call, at what printed a line, at a failed test, at an exception."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from wrongcall.cli.reading import find_functions, number
from wrongcall.errors import UsageError
from wrongcall.present.lookup import find_call
from wrongcall.present.output import output_lines
from wrongcall.present.stopping import is_over
from wrongcall.recording import Call, Outcome, Recording
from wrongcall.session.failures import Failure, endings_of, failures_of
from wrongcall.session.search import Start
from wrongcall.session.starts import BY_EXCEPTION, frames_of, start_at
from wrongcall.session.storage import call_of_test
from wrongcall.trace.read.session_store import session_names
from wrongcall.tree.pretrusted import is_definition, is_reporting

MOST = 1000
"""Calls that the user can pick from."""
FRAMES = 3
"""Calls asked about from the inside out before the strategy takes over."""


Pick = Callable[[list[int], str], int]
"""Chooses one of several calls; the text says what for."""
Choose = Callable[[list[Failure]], Failure]
"""Chooses one of several failed tests."""


def start_of(recording: Recording, args: argparse.Namespace, pick: Pick, choose: Choose) -> Start:
    """Return where to start, by the options of the command line."""
    chosen = [n for n in ("call", "printed", "exception", "test") if getattr(args, n)]
    if len(chosen) > 1 and set(chosen) != {"exception", "test"}:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} can't be combined")
    if args.inside and not args.call:
        raise UsageError("--inside needs the call to search in: --call NAME --inside")
    if args.call:
        wrong = pick(named_calls(recording, args.call), "Which call is wrong?")
        return Start(wrong=wrong, inside=args.inside)
    if args.printed:
        printed = pick(printing_calls(recording, args.printed), "Which call printed it?")
        return Start(first=tuple(inside_out(recording, printed)))
    failure = _failure(recording, args, choose)
    if failure is None:
        return Start()
    start = start_at(recording, failure, ask_tests=bool(args.ask_tests))
    if args.exception and failure.call:
        way = tuple(frames_of(recording.call(failure.call)))
        start = replace(start, first=(), way=way, note=BY_EXCEPTION)
    return start


def _failure(recording: Recording, args: argparse.Namespace, choose: Choose) -> Failure | None:
    """Return the failure to start at; None: none is known, and none was asked for."""
    found = failures_of(recording) if is_over(recording) else []
    if args.test:
        found = [each for each in found if args.test in each.test]
        if not found:
            raise UsageError(f"no failed test has {args.test!r} in its name")
    if args.exception and not found:
        found = endings_of(recording)
    if args.exception and not found:
        raise UsageError("the program didn't end with an uncaught exception")
    is_saved = not args.restart and args.session in session_names(recording.path)
    if is_saved and not args.test:
        found = _continued(recording, args.session, found)
    if len(found) > 1:
        return choose(found)
    return found[0] if found else None


def _continued(recording: Recording, session: str, found: list[Failure]) -> list[Failure]:
    """Return what a saved session began with: a test, or the exception that ended the program."""
    call = call_of_test(recording.path, session)
    return [each for each in found if not each.is_test or (call and each.call == call)]


def named_calls(recording: Recording, name: str) -> list[int]:
    """Return the calls of a function by its name that can be judged; or that of a number (``#12``)."""
    if name.lstrip("#").isdecimal():
        found = [find_call(recording, number(name)).id]
    else:
        functions = [function.id for function in find_functions(recording, name)]
        found = list(islice(recording.calls.of_functions(functions), MOST))
    settled = [call for call in found if is_over(recording) or recording.call(call).exit >= 0]
    if not settled:
        raise UsageError(f"{name} was never called, or none of its calls finished")
    return settled


def printing_calls(recording: Recording, text: str) -> list[int]:
    """Return the calls that printed the lines with this text, the last ones first."""
    lines = (line for line in output_lines(recording) if text in line.text and line.call)
    found = {line.call: None for line in lines if not is_reporting(recording.call(line.call))}
    if not found:
        raise UsageError(f"no printed line contains {text!r}")
    return list(reversed(found))[:MOST]


def inside_out(recording: Recording, call: int) -> list[int]:
    """Return a call and its callers, the innermost first; of definitions only the call itself."""
    outer = _outwards(recording.call(call), is_over(recording))
    led_here = (c for c in outer if c.id == call or not _is_body(recording, c))
    return [each.id for each in islice(led_here, FRAMES)]


def _is_body(recording: Recording, call: Call) -> bool:
    return is_definition(recording.program, call.function.id) and call.outcome == Outcome.RETURNED


def _outwards(call: Call | None, over: bool) -> Iterator[Call]:
    while call is not None:
        if over or call.exit >= 0:
            yield call
        call = call.parent
