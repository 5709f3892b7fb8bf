"""Take snapshots of what calls are given and leave, inside a recorded program, but without being recorded.

`sys.setprofile` reports the calls. For every n-th one (except generators), the arguments are written down with
everything they lead to, when it begins and again when it ends, then with what it returned. `fidelity.replay` compares
the trace of the same run with these snapshots. They are made by `heap_witness` of the recorder's tests, which runs no
code of the program.
"""

from __future__ import annotations

import atexit
import json
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import heap_witness  # type: ignore[import-not-found]
from watch_tree import GENERATORS, INSIDE, NEW_LOCALS, RETURNS  # type: ignore[import-not-found]

MOST_NODES = 300


class Watch:
    """Takes snapshots of sampled calls."""

    def __init__(self, folders: list[str], every: int, names: list[str]) -> None:
        self.folders = tuple(f"{folder}/" for folder in folders)
        self.every = every
        self.names = names
        self.counted = 0
        self.open: dict[FrameType, tuple[int, dict[str, Any]]] = {}
        self.lines: list[str] = []
        self.own: dict[CodeType, bool] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Handle an event of the interpreter."""
        if event == "call" and self.is_function(frame.f_code):
            if self.counted % self.every == 0:
                given = arguments(frame)
                self.open[frame] = (self.counted, given)
                self.draw(self.counted, frame, "entry", given)
            self.counted += 1
        elif event == "return" and frame in self.open:
            number, given = self.open.pop(frame)
            if ends_by_return(frame):
                given = {**given, "return": arg}
            self.draw(number, frame, "exit", given)

    def is_function(self, code: CodeType) -> bool:
        """Return whether this code is a function of the program, and not a generator."""
        if code not in self.own:
            kind = code.co_flags & NEW_LOCALS and not code.co_flags & GENERATORS
            here = code.co_filename.startswith(self.folders) and code.co_name not in INSIDE
            self.own[code] = bool(kind and here)
        return self.own[code]

    def draw(self, number: int, frame: FrameType, when: str, given: dict[str, Any]) -> None:
        """Write down a snapshot, unless it is too large to compare in reasonable time."""
        graph = Picture(self.names)
        values = {name: graph.value(value) for name, value in given.items()}
        if len(graph.nodes) > MOST_NODES:
            return
        told = {"number": number, "name": frame.f_code.co_qualname, "when": when}
        self.lines.append(json.dumps({**told, "values": values, "nodes": graph.nodes}))


class Picture(heap_witness.Graph):  # type: ignore[misc]
    """A snapshot that notes attributes of which it is unclear whether the instance itself has them."""

    def describe(self, o: Any, node: dict[str, Any]) -> None:
        """Fill in what an object holds."""
        super().describe(o, node)
        if "others" in node and not isinstance(o, type):
            told = {name for base in type(o).__mro__ for name in base.__dict__}
            node["others"] = [*node["others"], *sorted(told - set(node.get("attrs", ())))]


def arguments(frame: FrameType) -> dict[str, Any]:
    """Return the arguments of a call."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    values = frame.f_locals
    return {name: values[name] for name in names if name in values}


def ends_by_return(frame: FrameType) -> bool:
    """Return whether a frame that is left returned, and was not left by an exception."""
    import dis  # noqa: PLC0415 - not before it is needed: the program may have its own

    return dis.opname[frame.f_code.co_code[frame.f_lasti]] in RETURNS


def start(path: str, folders: str, every: str, names: str) -> None:
    """Watch from now on; the snapshots are written when the program ends."""
    watch = Watch(folders.split(":"), int(every), Path(names).read_text().split())

    def write() -> None:
        sys.setprofile(None)
        Path(path).write_text("\n".join(watch.lines))

    atexit.register(write)
    sys.setprofile(watch)
