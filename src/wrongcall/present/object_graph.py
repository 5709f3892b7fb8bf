"""Objects that refer to each other as a graph to draw: linked lists, trees, graphs of instances.

A *node* is an instance of one of the program's classes, or a container that is not merely part of one: the first
object, and lists, dicts and sets that several objects share. Other containers are passed through: an edge is labelled
``.children[0]``. Plain values and objects of libraries are *fields*: lines in a node's box.

Compared with another time, the graph has what is there then, too. What is there only at the later of the two times is
*new*, what is there only at the earlier one is *gone*; fields have both values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypedDict

from wrongcall.events import Layout
from wrongcall.languages.paths import PathStep
from wrongcall.present.forms.libraries import is_closed
from wrongcall.present.forms.records import names_of
from wrongcall.present.graph_layout import Size, place
from wrongcall.present.text import columns, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import Attr, Entry, Item, Member, Recording, Ref, Value
from wrongcall.replay.frames import frame_of
from wrongcall.replay.heap import Peek
from wrongcall.replay.literals import is_value_type

MOST_NODES = 300
MOST_FIELDS = 8
MOST_HELD = 200
"""Parts of one object that are looked at."""
FIELD_WIDTH = 28
_LINE, _HEAD, _BELOW, _CHARACTER, _PADDING, _NARROWEST = 17, 22, 4, 7, 20, 70
"""Pixels of a line, of the head, below the fields, of a character, beside the text, and of the smallest box."""
_CONTAINERS = frozenset(
    {Layout.LIST, Layout.TUPLE, Layout.DICT, Layout.SET, Layout.FROZENSET, Layout.DEQUE}
)
_BOXED = frozenset({Layout.INSTANCE, Layout.ELEMENT})
"""Layouts of objects that have a box of their own."""
_MOST_PASSED = 3
"""Containers inside containers that are passed through."""

State = Literal["same", "new", "gone", "changed"]


class GraphField(TypedDict):
    """A plain part of a node."""

    label: str
    text: str
    other: str | None
    """What it is at the other time, if that is something else; null: the same, or nothing is compared."""


class GraphNode(TypedDict):
    """A box."""

    object: int
    title: str
    path: str
    """What leads to it from the first one."""
    fields: list[GraphField]
    more: int
    """Fields that are left out."""
    here: bool
    """It is there at the time that was asked for, not only at the other one."""
    state: State
    x: int
    y: int
    width: int
    height: int


class GraphEdge(TypedDict):
    """An arrow, between nodes by their numbers in the list."""

    source: int
    target: int
    label: str
    state: State


class ObjectGraph(TypedDict):
    """A graph of objects, placed to be drawn."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    width: int
    height: int
    more: int
    """Objects that are referred to and left out."""


@dataclass(frozen=True)
class _Held:
    """What an object holds at one time: its edges by label, and its fields."""

    edges: dict[str, int]
    fields: dict[str, str]
    more: int = 0


_NOTHING = _Held({}, {})


def object_graph(
    recording: Recording, oid: int, time: int, other: int | None = None
) -> ObjectGraph:
    """Return the graph of the objects that an object leads to; with ``other``, compared with that time."""
    viewers = [Viewer(recording, time), *([] if other is None else [Viewer(recording, other)])]
    readers = [_Reader(recording, viewer, oid) for viewer in viewers]
    shared = set().union(*(reader.shared for reader in readers))
    for reader in readers:
        reader.shared = shared
    numbers: dict[int, int] = {oid: 0}
    paths = {oid: ""}
    edges: list[GraphEdge] = []
    left_out: set[int] = set()
    for source in _growing(numbers):
        held = [reader.held(source) for reader in readers]
        for label, target, state in _edges(held, _only(time, other)):
            if target not in numbers and len(numbers) >= MOST_NODES:
                left_out.add(target)
                continue
            numbers.setdefault(target, len(numbers))
            paths.setdefault(target, paths[source] + label)
            edges.append(
                {
                    "source": numbers[source],
                    "target": numbers[target],
                    "label": label,
                    "state": state,
                }
            )
    nodes = [_node(o, paths[o], readers, _only(time, other)) for o in numbers]
    return _placed(nodes, edges, len(left_out))


def has_graph(recording: Recording, oid: int, time: int) -> bool:
    """Return whether there is something to draw: an instance, and another node beside it."""
    reader = _Reader(recording, Viewer(recording, time), oid)
    if not reader.is_node(oid):
        return False
    found = reader.held(oid).edges.values()
    instances = [o for o in (oid, *found) if reader.peek(o).layout in _BOXED]
    return bool(instances) and any(o != oid for o in found)


def _growing(numbers: dict[int, int]) -> Iterator[int]:
    """Go through the nodes in the order in which they are found, also those that come meanwhile."""
    at = 0
    order = list(numbers)
    while at < len(order):
        yield order[at]
        at += 1
        if at == len(order):
            order += list(numbers)[at:]


def _only(time: int, other: int | None) -> tuple[State, State]:
    """Return what something is that is there at this time only, and at the other one only."""
    return ("gone", "new") if other is not None and other > time else ("new", "gone")


def _edges(held: list[_Held], only: tuple[State, State]) -> Iterator[tuple[str, int, State]]:
    now, *others = held
    for label, target in now.edges.items():
        is_only_here = bool(others) and others[0].edges.get(label) != target
        yield label, target, only[0] if is_only_here else "same"
    for other in others:
        for label, target in other.edges.items():
            if now.edges.get(label) != target:
                yield label, target, only[1]


class _Reader:
    """Reads what objects hold at one time."""

    def __init__(self, recording: Recording, viewer: Viewer, root: int) -> None:
        self._recording = recording
        self._viewer = viewer
        self._root = root
        self._cached: dict[int, _Held] = {}
        self.reached = {root}
        self.shared = self._shared()

    def peek(self, oid: int) -> Peek:
        """Look into an object."""
        return self._viewer.peek(oid)

    def is_node(self, oid: int) -> bool:
        """Return whether an object has a box of its own, or is passed through to what does."""
        peek = self.peek(oid)
        if is_closed(peek) or is_value_type(peek.type) or "_value_" in peek.names():
            return False
        if frame_of(self._recording.states.heap, oid, self._viewer.time) is not None:
            return False  # what it consists of is its library's
        return peek.layout in _CONTAINERS or (
            peek.layout in _BOXED and bool(names_of(peek, self._viewer.insides).shown)
        )

    def _shared(self) -> set[int]:
        """Find the containers that more than one object refers to, and what is reached at this time."""
        seen: set[int] = {self._root}
        shared: set[int] = set()
        waiting = [self._root]
        while waiting and len(seen) < 20 * MOST_NODES:
            for _, value in self._parts(waiting.pop(0)):
                if not isinstance(value, Ref) or not self.is_node(value.oid):
                    continue
                if value.oid not in seen:
                    seen.add(value.oid)
                    waiting.append(value.oid)
                elif self.peek(value.oid).layout in _CONTAINERS:
                    shared.add(value.oid)
        self.reached = seen
        return shared

    def held(self, oid: int) -> _Held:
        """Return what a node holds; nothing if it is not reached at this time."""
        if oid not in self.reached:
            return _NOTHING
        if oid not in self._cached:
            self._cached[oid] = self._read(oid)
        return self._cached[oid]

    def _read(self, oid: int) -> _Held:
        edges: dict[str, int] = {}
        fields: dict[str, str] = {}
        for label, value in self._through(oid, "", 0):
            if isinstance(value, Ref) and self._has_box(value.oid):
                edges[label] = value.oid
            else:
                fields[label] = self._viewer.line(value, FIELD_WIDTH)
        more = len(fields) - MOST_FIELDS
        return _Held(edges, fields, max(more, 0))

    def _has_box(self, oid: int) -> bool:
        if not self.is_node(oid):
            return False
        return self.peek(oid).layout in _BOXED or oid in self.shared or oid == self._root

    def _through(self, oid: int, before: str, depth: int) -> Iterator[tuple[str, Value]]:
        """Go through the parts of an object, and through containers that are part of it and hold nodes."""
        for step, value in self._parts(oid):
            label = before + self._recording.states.keys.step(step, self._viewer.time)
            is_passed = (
                isinstance(value, Ref)
                and depth < _MOST_PASSED
                and self.is_node(value.oid)
                and not self._has_box(value.oid)
                and self._leads_on(value.oid, depth)
            )
            if is_passed and isinstance(value, Ref):
                yield from self._through(value.oid, label, depth + 1)
            else:
                yield label, value

    def _leads_on(self, oid: int, depth: int) -> bool:
        """Return whether a container holds a node, directly or in other containers."""
        for _, value in self._parts(oid):
            if not isinstance(value, Ref) or not self.is_node(value.oid):
                continue
            if self._has_box(value.oid) or (
                depth + 1 < _MOST_PASSED and self._leads_on(value.oid, depth + 1)
            ):
                return True
        return False

    def _parts(self, oid: int) -> list[tuple[PathStep, Value]]:
        peek = self.peek(oid)
        names = names_of(peek, self._viewer.insides).shown[:MOST_HELD]
        parts: list[tuple[PathStep, Value]] = [(Attr(name), peek.attr(name)) for name in names]
        parts += [(Item(i), value) for i, value in enumerate(peek.items(0, MOST_HELD))]
        for key, value in peek.entries(0, MOST_HELD):
            parts.append((Entry(key), value))
        return [*parts, *((Member(value), value) for value in peek.members(0, MOST_HELD))]


def _node(oid: int, path: str, readers: list[_Reader], only: tuple[State, State]) -> GraphNode:
    now, *others = (reader.held(oid) for reader in readers)
    is_here = oid in readers[0].reached
    is_there = bool(others) and oid in readers[1].reached
    shown, reader = (now, readers[0]) if is_here else (others[0], readers[1])
    fields: list[GraphField] = [
        {
            "label": label.removeprefix("."),
            "text": text,
            "other": _other(label, text, others[0]) if is_here and is_there else None,
        }
        for label, text in list(shown.fields.items())[:MOST_FIELDS]
    ]
    state: State = "same"
    if others and not (is_here and is_there):
        state = only[0] if is_here else only[1]
    elif others and (now.edges, now.fields) != (others[0].edges, others[0].fields):
        state = "changed"
    title = safe(reader.peek(oid).type.qualname)
    size = _size(f"{title} #{oid}", fields, shown.more)
    return {
        "object": oid,
        "title": title,
        "path": path,
        "fields": fields,
        "more": shown.more,
        "here": is_here,
        "state": state,
        "x": 0,
        "y": 0,
        "width": size.width,
        "height": size.height,
    }


def _size(head: str, fields: list[GraphField], more: int) -> Size:
    """Return how much room a box takes."""
    lines = [
        f"{f['label']} = {f['text']}" + (f" -> {f['other']}" if f["other"] is not None else "")
        for f in fields
    ]
    widest = max(columns(line) for line in (head, *lines))
    height = _HEAD + _LINE * (len(fields) + bool(more)) + (_BELOW if fields else 0)
    return Size(max(_NARROWEST, _PADDING + _CHARACTER * widest), height)


def _other(label: str, text: str, other: _Held) -> str | None:
    """Return what a field is at the other time; None: the same."""
    found = other.fields.get(label, "nothing")
    if label in other.edges:
        found = f"#{other.edges[label]}"
    return None if found == text else found


def _placed(nodes: list[GraphNode], edges: list[GraphEdge], more: int) -> ObjectGraph:
    sizes = [Size(node["width"], node["height"]) for node in nodes]
    for node, where in zip(
        nodes, place(sizes, [(e["source"], e["target"]) for e in edges]), strict=True
    ):
        node["x"], node["y"] = where.x, where.y
    return {
        "nodes": nodes,
        "edges": edges,
        "width": max(node["x"] + node["width"] for node in nodes),
        "height": max(node["y"] + node["height"] for node in nodes),
        "more": more,
    }
