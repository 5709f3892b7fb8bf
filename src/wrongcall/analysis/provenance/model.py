"""The trail of a value: links from the place where it is back to the expression that made it.

Vocabulary: a *link* is one write (or passing, or returning) with its call and line, the newest first. The trail *ends*
where the value was made, with the expression that made it and the operands it had.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from wrongcall.languages.expressions import Loop, Node
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import Source as Read
from wrongcall.trace.read.values import Value


class LinkKind(Enum):
    """How a value reached a place."""

    WRITTEN = "written"
    PASSED = "passed"
    RETURNED = "returned"
    SEEN = "first seen"


class EndKind(Enum):
    """Why a trail ends."""

    LITERAL = "literal"  # written out in the source
    EXPRESSION = "expression"  # computed
    CALL = "call"  # made by code that is not recorded: a builtin, a library, a class
    UNKNOWN = "unknown"  # the source does not tell


class Operand(NamedTuple):
    """Part of an expression, and its value."""

    text: str
    value: Value


@dataclass(frozen=True)
class Link:
    """One stage on the path of a value."""

    kind: LinkKind
    time: int
    call: int
    line: int
    place: str
    """Where it arrived, in its function's own words."""
    source: str
    """The expression it came from; empty if there is none in the source."""


@dataclass(frozen=True)
class Origin:
    """The trail of a value, the newest link first, and how it ends."""

    value: Value
    time: int
    links: tuple[Link, ...]
    end: EndKind
    text: str
    """The expression that made it."""
    call: int
    """The call in which it was made; 0 if not known."""
    line: int
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class At:
    """A value at a place: the search continues from here."""

    target: Read
    time: int
    name: str


@dataclass(frozen=True)
class Given:
    """The expression that gave a value, its call, and when it was evaluated."""

    call: Call
    node: Node
    time: int
    at: At | None = None
    """Where the value is, if the expression is only part of the way there."""
    text: str = ""
    """How to name the value, if not by the expression alone."""
    elsewhere: bool = False
    """It was evaluated at another time and in another call, as defaults are: nothing is known about it."""
    loop: Loop | None = None
    """The loop that took the value out of what the expression gave."""
