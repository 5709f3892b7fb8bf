"""Where a search starts: at a call, at what printed a line, at what an exception went through."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from wrongcall.cli.reading import find_functions, number
from wrongcall.errors import UsageError
from wrongcall.present.lookup import find_call
from wrongcall.present.output import output_lines
from wrongcall.present.stopping import is_over
from wrongcall.recording import Call, Outcome, Recording, Ref
from wrongcall.session.search import Start
from wrongcall.tree.pretrusted import is_definition, is_reporting

MOST = 1000
"""Calls that the user can pick from."""
FRAMES = 3
"""Calls asked about from the inside out before the strategy takes over."""


Pick = Callable[[list[int], str], int]
"""Chooses one of several calls; the text says what for."""


def start_of(trace: Recording, args: argparse.Namespace, pick: Pick) -> Start:
    """Return where to start, by the options of the command line."""
    chosen = [name for name in ("call", "printed", "exception") if getattr(args, name)]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} can't be combined")
    if args.call:
        return Start(wrong=pick(named_calls(trace, args.call), "Which call is wrong?"))
    if args.printed:
        printed = pick(printing_calls(trace, args.printed), "Which call printed it?")
        return Start(first=tuple(inside_out(trace, printed)))
    return Start(first=tuple(first_few(raising_calls(trace)))) if args.exception else Start()


def named_calls(trace: Recording, name: str) -> list[int]:
    """Return the calls of a function by its name that can be judged; or that of a number (``#12``)."""
    if name.lstrip("#").isdecimal():
        found = [find_call(trace, number(name)).id]
    else:
        functions = [function.id for function in find_functions(trace, name)]
        found = list(islice(trace.calls.of_functions(functions), MOST))
    settled = [call for call in found if is_over(trace) or trace.call(call).exit >= 0]
    if not settled:
        raise UsageError(f"{name} was never called, or none of its calls finished")
    return settled


def printing_calls(trace: Recording, text: str) -> list[int]:
    """Return the calls that printed the lines with this text, the last ones first."""
    lines = (line for line in output_lines(trace) if text in line.text and line.call)
    found = {line.call: None for line in lines if not is_reporting(trace.call(line.call))}
    if not found:
        raise UsageError(f"no printed line contains {text!r}")
    return list(reversed(found))[:MOST]


def raising_calls(trace: Recording) -> list[int]:
    """Return the calls that the uncaught exception went through, the innermost first."""
    roots = (call for call in trace.calls.roots() if not is_reporting(call))
    crashed = [call for call in roots if call.outcome == Outcome.RAISED]
    if not crashed:
        raise UsageError("the program didn't end with an uncaught exception")
    return _innermost_first(crashed[-1])


def _innermost_first(call: Call) -> list[int]:
    raised, frames = call.value, [call.id]
    while True:
        made = reversed(call.children)
        inner = next((c for c in made if _same_exception(c, raised)), None)
        if inner is None:
            return list(reversed(frames))
        call = inner
        frames.append(call.id)


def _same_exception(call: Call, raised: object) -> bool:
    if call.outcome != Outcome.RAISED:
        return False
    value = call.value
    return isinstance(value, Ref) and isinstance(raised, Ref) and value.oid == raised.oid


def inside_out(trace: Recording, call: int) -> list[int]:
    """Return a call and its callers, the innermost first; of definitions only the call itself."""
    outer = _outwards(trace.call(call), is_over(trace))
    led_here = (c for c in outer if c.id == call or not _is_body(trace, c))
    return [each.id for each in islice(led_here, FRAMES)]


def _is_body(trace: Recording, call: Call) -> bool:
    return is_definition(trace.program, call.function.id) and call.outcome == Outcome.RETURNED


def _outwards(call: Call | None, over: bool) -> Iterator[Call]:
    while call is not None:
        if over or call.exit >= 0:
            yield call
        call = call.parent


def first_few(calls: Iterable[int]) -> list[int]:
    """Return the calls to ask about before the strategy takes over."""
    return list(islice(calls, FRAMES))
