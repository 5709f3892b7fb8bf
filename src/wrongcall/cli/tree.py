"""``wrongcall tree``: the calls, with what each was given and how it ended."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import islice
from typing import Any

from wrongcall.cli.output import Output
from wrongcall.cli.reading import (
    Commands,
    add_command,
    find_functions,
    number,
    place_of,
)
from wrongcall.present.lookup import find_call
from wrongcall.present.processes import process_note
from wrongcall.present.questions import outcome_line, title
from wrongcall.present.text import columns
from wrongcall.recording import Call, Recording

DEPTH = 3
CHILDREN = 40
"""Calls of one caller that are shown; the others are counted."""


def add_parser(commands: Commands[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = add_command(commands, "tree", "show the tree of calls", show)
    parser.add_argument(
        "--depth", type=number, default=DEPTH, metavar="N", help=f"levels to show ({DEPTH})"
    )
    parser.add_argument("--function", metavar="NAME", help="start with the calls to this function")
    parser.add_argument("--call", type=number, metavar="CALL", help="start with this call")


def show(recording: Recording, args: argparse.Namespace, output: Output) -> None:
    """Show the tree."""
    roots, more = _roots(recording, args)
    if args.json:
        data = {"calls": [_node(recording, call, args.depth) for call in roots], "more": more}
        output.json(data)
        return
    for call in roots:
        _show(recording, call, args.depth, 0, output)
    _show_more(more, 0, output)


def _roots(recording: Recording, args: argparse.Namespace) -> tuple[Sequence[Call], int]:
    """Return the calls to begin with, and how many more there are."""
    if args.function is not None:
        chosen = [f.id for f in find_functions(recording, args.function)]
        found = recording.calls.of_functions(chosen, below=args.call or 0)
        return [recording.call(n) for n in islice(found, CHILDREN)], sum(1 for _ in found)
    if args.call is not None:
        return [find_call(recording, args.call)], 0
    return _cut(recording.calls.roots())


def _cut(calls: Sequence[Call]) -> tuple[Sequence[Call], int]:
    return calls[:CHILDREN], max(len(calls) - CHILDREN, 0)


def _show(recording: Recording, call: Call, depth: int, level: int, output: Output) -> None:
    line = f"  line {call.caller_line}" if call.caller_line else ""
    note = process_note(recording, call)
    line += f"  {note}" if note else ""
    room = max(output.width - 2 * level - len(f"#{call.id} ") - len(line) - 1, 40)
    # The outcome has a third of the room for sure, and what the title leaves.
    least = columns(outcome_line(recording, call, room // 3))
    head = title(recording, call, width=room - least)
    end = outcome_line(recording, call, room - columns(head))
    style = "wrong" if end.startswith("raised") else "quiet"
    number_text = (f"#{call.id} ", "number")
    output.line("  " * level, number_text, (head, "name"), " ", (end, style), (line, "quiet"))
    children, more = _cut(call.children)
    if depth <= 1:
        _show_more(len(children) + more, level + 1, output)
        return
    for child in children:
        _show(recording, child, depth - 1, level + 1, output)
    _show_more(more, level + 1, output)


def _show_more(more: int, level: int, output: Output) -> None:
    if more:
        output.line("  " * level, (f"… {more:,} more", "quiet"))


def _node(recording: Recording, call: Call, depth: int) -> dict[str, Any]:
    children, more = _cut(call.children)
    if depth <= 1:
        children, more = [], len(children) + more
    return {
        "call": call.id,
        "title": title(recording, call),
        "function": call.function.qualname,
        "place": place_of(recording, call.function),
        "caller_line": call.caller_line,
        "thread": call.thread,
        "process": call.process,
        "entry": call.entry,
        "exit": call.exit,
        "outcome": outcome_line(recording, call),
        "children": [_node(recording, child, depth - 1) for child in children],
        "more": more,
    }
