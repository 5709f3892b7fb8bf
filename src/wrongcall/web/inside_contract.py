"""The contract's answers about the inside of a call: its variables, steps and source, and values opened.

A part of `contract`, which says what the types are for and which requests they answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from wrongcall.present.excerpts import ExcerptLine
from wrongcall.present.grids import GridRow, Head
from wrongcall.present.images import Image
from wrongcall.present.json_shapes import EventData, OriginData
from wrongcall.present.long_text import LongText
from wrongcall.present.object_graph import ObjectGraph
from wrongcall.present.origin_tree import OriginNodeData, OriginPartsData
from wrongcall.present.values import ValueNode
from wrongcall.present.written_rounds import RoundedVersion


class Variables(TypedDict):
    """The variables of a call and of its module at a time."""

    call: int
    time: int
    variables: list[ValueNode]
    globals: list[ValueNode]


class Events(TypedDict):
    """Some events of a call."""

    call: int
    count: int
    first: int
    index: int
    """Of the event at the time that was asked for."""
    before: int | None
    after: int | None
    events: list[EventData]


class History(TypedDict):
    """Some values that a place had."""

    call: int
    place: str
    count: int
    """How many there are that match the filter."""
    first: int
    index: int
    """Of the version at the time that was asked for; -1: a filter was asked for."""
    columns: list[str]
    """The variables of the loops in which it was written, and ``round``; empty: in none."""
    searched: int
    """How many versions were compared with the filter: of very many, the first."""
    versions: list[RoundedVersion]


class Series(TypedDict):
    """The numbers that a variable of a call had."""

    name: str
    count: int
    """How many values it had; of very many only some are points."""
    points: list[tuple[int, float]]
    """Time and number of each."""


class AllSeries(TypedDict):
    """The variables of a call that are numbers and had several values up to a time."""

    call: int
    time: int
    series: list[Series]


Mark = tuple[int, int, Literal["changed", "inside"]]
"""Index and time of an event, and whether it changed the place itself or inside the call it made."""


class Marks(TypedDict):
    """The events of a call that changed a place."""

    call: int
    place: str
    count: int
    marks: list[Mark]


class Origin(OriginData):
    """Where the value at a place came from."""

    call: int
    place: str


class OriginParts(OriginPartsData):
    """A node of the tree of everything that the value at a place depended on, and what it came from."""

    call: int
    place: str
    node: OriginNodeData
    at: str
    """The numbers of the nodes that lead to it, such as ``0.2``, each among the operands, conditions and kept of its
    parent, counted together; empty for the value itself."""


class Source(TypedDict):
    """The source of a call with what was executed and written by a time."""

    call: int
    time: int
    file: int
    path: str
    function: str
    line: int
    """The line at that time; 0: none was asked for."""
    lines: Sequence[ExcerptLine]


class LineRun(TypedDict):
    """One execution of a line."""

    call: int
    function: str
    round: int
    """Of the loop around it, from 1; 0: there is none."""
    time: int
    """When it began."""
    values: list[str]
    """What each expression was, right before."""
    numbers: list[float | None]
    """The same, if it was a number that can be drawn."""


class LineRuns(TypedDict):
    """Some executions of a line."""

    file: int
    line: int
    expressions: list[str]
    count: int
    first: int
    index: int
    """Of the last one up to the time that was asked for; -1: none."""
    here: bool
    """It ran at that time, not before."""
    runs: list[LineRun]


class Rounds(TypedDict):
    """A round of a loop in a call."""

    call: int
    header: int
    """The first line of the loop; 0: there is no loop."""
    last: int
    count: int
    round: int
    start: int
    end: int
    """The last time of the round."""


class Evaluated(TypedDict):
    """What an expression was in a call at a time."""

    call: int
    time: int
    expression: str
    text: str
    known: bool


class SourceFile(TypedDict):
    """A file of the program as it was."""

    file: int
    path: str
    full_path: str
    """To open it in an editor."""
    module: str
    lines: list[str]


class OutputLine(TypedDict):
    """A line that the program printed."""

    text: str
    call: int
    time: int


class Output(TypedDict):
    """Some of the lines that the program printed."""

    count: int
    first: int
    index: int
    lines: list[OutputLine]


class Parts(TypedDict):
    """Some parts of an object at a time."""

    object: int
    time: int
    first: int
    parts: Sequence[ValueNode]


class Grid(TypedDict):
    """Some rows of an object that is a table; no columns: it is none."""

    object: int
    time: int
    first: int
    heads: Sequence[Head]
    more_columns: int
    rows: int
    known: int
    """How many rows were recorded, from the first on."""
    some: list[GridRow]


class Views(TypedDict):
    """The ways in which an object can be looked at, besides the list of its parts."""

    object: int
    time: int
    views: list[Literal["table", "graph", "image"]]


class DrawnGraph(ObjectGraph):
    """The objects that an object leads to, placed to be drawn."""

    object: int
    time: int


class DrawnImage(Image):
    """An array as an image."""

    object: int
    time: int


class Rebuilt(TypedDict):
    """A value as Python source."""

    call: int
    place: str
    text: str
    """An expression, or statements that leave it in ``value``; empty: it can't be rebuilt."""
    trouble: str
    """Why it can't be rebuilt; empty: it can."""


class TextPart(LongText):
    """A part of the text at a place."""

    call: int
    place: str
