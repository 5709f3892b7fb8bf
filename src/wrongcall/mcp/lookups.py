"""The tools that read recordings: `call`, `search`, `origin`, `print_after` and `compare`.

Each returns the lines that the terminal shows for the same question.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from wrongcall.cli.reading import find_functions, place_of
from wrongcall.errors import UsageError
from wrongcall.mcp.searches import WIDTH
from wrongcall.oracles.run_diff import diff_of
from wrongcall.present import excerpt, question
from wrongcall.present.groups import member
from wrongcall.present.lines import Line, text_of
from wrongcall.present.lookup import check_time, find_call
from wrongcall.present.origin_tree import NODES_SHOWN, shown_tree
from wrongcall.present.questions import short_path
from wrongcall.present.run_diffs import DiffView
from wrongcall.present.screens.answers import printed_lines
from wrongcall.present.screens.call import call_lines
from wrongcall.present.screens.matches import matches_lines
from wrongcall.present.screens.origin_tree import origin_tree_lines
from wrongcall.present.screens.trails import origin_lines
from wrongcall.present.text import safe
from wrongcall.recording import Recording

MOST_MATCHES = 50
MOST_ROWS = 200
_VALUE_COLUMNS = 2_000
_CHILDREN = 30


def call_text(recording: Recording, number: int, *, depth: int = 2) -> tuple[str, str, list[str]]:
    """Return a call's function and place, and its whole life: input, outcome, changes, source, calls made."""
    call = find_call(recording, number)
    asked = question(
        recording,
        call.id,
        depth=depth,
        width=_VALUE_COLUMNS,
        line_width=WIDTH,
        change_width=_VALUE_COLUMNS,
    )
    lines = _texts(call_lines(asked, excerpt(recording, call.id), WIDTH))
    children = list(islice(call.children, _CHILDREN + 1))
    if children:
        lines += ["", "Calls it made:"]
        lines += [_line(recording, child.id) for child in children[:_CHILDREN]]
        lines += ["  … more"] if len(children) > _CHILDREN else []
    return safe(call.function.qualname), place_of(recording, call.function), lines


def _line(recording: Recording, call: int) -> str:
    shown = member(recording, call, WIDTH)
    return f"  #{call} {shown.title} {shown.outcome}".rstrip()


def search_text(
    recording: Recording, text: str, *, newest: bool = False
) -> tuple[list[int], bool, list[str]]:
    """Return calls and writes that match, whether there are more, and the lines that show them.

    ``text``: the name of a function, or what ``wrongcall find`` takes.
    """
    if text.replace(".", "").isidentifier():
        return _calls_of(recording, text, newest=newest)
    found = recording.find(text, newest=newest)
    matches = list(islice(found, MOST_MATCHES))
    more = next(found, None) is not None
    lines = _texts(matches_lines(recording, text, matches, more, WIDTH))
    return [match.call for match in matches], more, lines


def _calls_of(
    recording: Recording, name: str, *, newest: bool
) -> tuple[list[int], bool, list[str]]:
    functions = [function.id for function in find_functions(recording, name)]
    every = recording.calls.of_functions(functions)
    calls = list(every)
    shown = (calls[::-1] if newest else calls)[:MOST_MATCHES]
    lines = [f"{len(calls):,} calls to {safe(name)}", *(_line(recording, call) for call in shown)]
    return shown, len(calls) > len(shown), lines


def origin_text(recording: Recording, number: int, place: str, at: int = 0) -> list[str]:
    """Return where the value of a place came from, and everything that it depended on."""
    call = find_call(recording, number)
    time = check_time(call, at or None)
    origin = recording.places.origin(call.id, place, time)
    lines = _texts(origin_lines(recording, place, origin, WIDTH, times=True))
    tree = shown_tree(recording, recording.places.origin_tree(call.id, place, time), NODES_SHOWN)
    if tree.parts:
        lines += ["", "It depended on:", *_texts(origin_tree_lines(recording, tree, WIDTH))]
    return lines


@dataclass(frozen=True)
class Printed:
    """What to print afterwards."""

    line: str
    """As in ``prog.py:12``."""
    expressions: tuple[str, ...]
    where: str = ""
    """Only where this is true."""
    last: int = 0
    """Only so many executions, the last ones; 0: the first ones."""
    below: int = 0
    """Only in this call and the calls below it; 0: anywhere."""


def printed_text(recording: Recording, wanted: Printed) -> list[str]:
    """Return expressions at every execution of a line, as print would have shown them."""
    if not wanted.expressions:
        raise UsageError("no expression given; for example x, or len(items)")
    printed = recording.print(
        wanted.line,
        *wanted.expressions,
        where=wanted.where,
        first=None if wanted.last else MOST_ROWS,
        last=min(wanted.last, MOST_ROWS) if wanted.last else None,
        below=find_call(recording, wanted.below).id if wanted.below else 0,
    )
    return _texts(printed_lines(recording, printed, WIDTH))


def compared(good: Recording, bad: Recording) -> DiffView:
    """Return where two runs part."""
    return DiffView(good, bad, diff_of(good, bad), MOST_MATCHES)


def source_text(recording: Recording, name: str) -> str:
    """Return the source of a recorded file, as it was when the program ran."""
    for file in recording.program.files.values():
        if name in (short_path(recording, file.path), file.path):
            return file.source
    known = ", ".join(
        sorted(short_path(recording, file.path) for file in recording.program.files.values())
    )
    raise UsageError(f"no recorded file {name!r}; there are {known}")


def _texts(lines: list[Line]) -> list[str]:
    return [text_of(line) for line in lines]
