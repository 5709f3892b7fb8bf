"""How soon the origin of a wrong value reaches the faulty line: for the planted programs and the examples.

The *slice* is everything that the value depended on; it is explored from near to far (`analysis/origins/exploring`),
and the *rank* of a line is the number of nodes after which it was reached. What `wrongcall origin` shows at first are
the nearest `NODES_SHOWN` nodes: the shown path.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import wrongcall.recording
from tests.examples.examples import examples
from tests.examples.planted import planted
from wrongcall.errors import UsageError
from wrongcall.present.origin_tree import NODES_SHOWN
from wrongcall.present.values import Viewer
from wrongcall.recording import Call, Recording

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
    """The number of nodes up to the first one at the line; None if it is not in the slice."""
    nodes: int
    lines: int
    """How many lines of the program the slice has."""

    @property
    def is_shown(self) -> bool:
        """Whether the line is among what is shown at first."""
        return self.rank is not None and self.rank <= NODES_SHOWN


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
    rank, lines, count = None, set(), 0
    for each in islice(recording.places.origin_slice(root), MOST_NODES):
        count += 1
        node = each.node
        if node.call and recording.call(node.call).function.file == file:
            lines.add(node.line)
            if rank is None and node.line in wrong.lines:
                rank = count
    return Reach(rank, count, len(lines))


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
    found = {
        each.name: Wrong(
            each.name, each.path, each.fixed, each.call, each.wrong, each.line, is_first=True
        )
        for each in planted().values()
    }
    for each in examples().values():
        call, path = SEEN.get(each.name, (each.function, each.wrong))
        found[f"examples/{each.name}"] = Wrong(
            each.name, each.path, each.fixed, call, path, each.line, is_first=False
        )
    return found
