"""How soon the origin of a wrong value reaches the faulty line: for the planted programs and the examples.

The *slice* is everything that the value depended on; it is explored from near to far (`analysis/origins/exploring`).
Nodes that are alike are shown as one, a *row*; the *rank* of a line is the number of rows after which it was reached.
What `wrongcall origin` shows at first are the nearest `NODES_SHOWN` rows.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import wrongcall.recording
from tests.examples.examples import examples
from tests.examples.planted import HELD_OUT, Planted, planted
from wrongcall.errors import UsageError
from wrongcall.present.origin_tree import ShownNode, shown_tree
from wrongcall.present.values import Viewer
from wrongcall.recording import Call, OriginNode, Recording

MOST_NODES = 1000
"""Nodes of a slice to explore; larger slices are cut there."""


@dataclass(frozen=True)
class Wrong:
    """A value that a user sees to be wrong, and the line because of which it is."""

    name: str
    program: Path
    fixed: Path
    call: str
    """The function whose call is meant."""
    path: str
    line: int
    is_first: bool
    """It is about the first call of the function; else the first one whose value differs in the corrected program."""

    @property
    def lines(self) -> frozenset[int]:
        """The lines that count as the faulty one: `else` has no test of its own, but that of its `if`."""
        source = self.program.read_text().splitlines()
        text = source[self.line - 1]
        if text.strip() != "else:":
            return frozenset({self.line})
        indent = text[: len(text) - len(text.lstrip())]
        before = (n for n in range(self.line - 1, 0, -1) if source[n - 1].startswith(indent))
        return frozenset(
            {next(n for n in before if source[n - 1][len(indent) :].startswith(("if ", "elif ")))}
        )


@dataclass(frozen=True)
class Reach:
    """How the slice of a wrong value reaches the faulty line."""

    rank: int | None
    """The number of rows up to the first one at the line; None if it is not in the slice."""
    is_shown: bool
    """Whether the line is among what is shown at first."""
    nodes: int
    lines: int
    """How many lines of the program the slice has."""


def record(program: Path, trace: Path) -> Recording:
    """Record a program and open the trace."""
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(trace), str(program)]
    subprocess.run(command, capture_output=True, check=True, timeout=60)
    return wrongcall.recording.open(trace)


def reach(wrong: Wrong, folder: Path) -> Reach:
    """Explore the origin of a wrong value."""
    with record(wrong.program, folder / f"{wrong.name}.wrongcall") as recording:
        return explored(wrong, recording, _wrong_call(wrong, recording, folder))


def explored(wrong: Wrong, recording: Recording, call: Call) -> Reach:
    """Explore the origin of a wrong value of a call."""
    root = recording.places.origin_tree(call.id, wrong.path)
    file = call.function.file

    def line_of(node: OriginNode) -> int:
        is_own = node.call and recording.call(node.call).function.file == file
        return node.line if is_own else 0

    found = list(islice(recording.places.origin_slice(root), MOST_NODES))
    lines = [line_of(each.node) for each in found]
    at = next((number for number, line in enumerate(lines) if line in wrong.lines), None)
    rank = None if at is None else len({each.like for each in found[: at + 1]})
    is_shown = any(line_of(node) in wrong.lines for node in _nodes(shown_tree(recording, root)))
    return Reach(rank, is_shown, len(found), len({*lines} - {0}))


def _nodes(shown: ShownNode) -> Iterator[OriginNode]:
    yield shown.node
    for part in shown.parts:
        yield from _nodes(part)


def _wrong_call(wrong: Wrong, recording: Recording, folder: Path) -> Call:
    mine = _calls(recording, wrong.call)
    if wrong.is_first:
        return mine[0]
    with record(wrong.fixed, folder / f"{wrong.name}-fixed.wrongcall") as fixed:
        others = _calls(fixed, wrong.call)
        for number, call in enumerate(mine):
            other = others[number] if number < len(others) else None
            if other is None or _shown(recording, call, wrong) != _shown(fixed, other, wrong):
                return call
    raise AssertionError(f"{wrong.name}: {wrong.path} of {wrong.call} is never wrong")


def _calls(recording: Recording, name: str) -> list[Call]:
    every = (recording.call(number) for number in recording.calls.columns().id.tolist())
    return [call for call in every if call.function.qualname == name]


def _shown(recording: Recording, call: Call, wrong: Wrong) -> str:
    try:
        _, value = recording.places.find(call.id, wrong.path)
    except UsageError:
        return "(nothing)"
    return Viewer(recording, call.last).line(value, 2000)


SEEN = {
    "paper_castling": ("Chess.castling", "king.x"),
    "paper_ordermerge": ("MergeSort.merge", "result"),
    "formulas": ("value_of", "result"),
    "fetcher": ("fetch", "result"),
    "visits": ("totals", "result"),
    "workers": ("report", "result"),
    "webshop": ("total", "result"),
}
"""What is wrong in the examples for which ``bugs.toml`` names no place in the call with the bug."""


def all_wrong() -> dict[str, Wrong]:
    """Return a wrong value for each of the planted programs and the examples, by name."""
    found = _planted(planted())
    for each in examples().values():
        call, path = SEEN.get(each.name, (each.function, each.wrong))
        found[f"examples/{each.name}"] = Wrong(
            each.name, each.path, each.fixed, call, path, each.line, is_first=False
        )
    return found


def held_out() -> dict[str, Wrong]:
    """Return a wrong value for each of the programs that were held out, by name."""
    return _planted(planted(HELD_OUT))


def _planted(programs: dict[str, Planted]) -> dict[str, Wrong]:
    return {
        each.name: Wrong(
            each.name, each.path, each.fixed, each.call, each.wrong, each.line, is_first=True
        )
        for each in programs.values()
    }
