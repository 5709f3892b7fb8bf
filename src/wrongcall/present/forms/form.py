"""What a form is: how an object is written on one line.

A *writer* is a function that looks at an object and returns its `Form`, or None if the object is
none of its kinds. To teach the presentation a new kind of object, add a writer to a module of this
package and list it in `wrongcall.present.forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from wrongcall.analysis.effects.library_insides import Insides
from wrongcall.present.text import safe
from wrongcall.recording import Value
from wrongcall.replay.heap import Heap, Peek
from wrongcall.replay.series import Written

_HANDFUL = 16
T = TypeVar("T")


@dataclass(frozen=True)
class Form:
    """An object as text around its parts: ``Point(``, ``x=1``, ``y=2``, ``)``."""

    opening: str
    closing: str = ""
    parts: Iterable[tuple[str, Value | Written]] = ()
    """The values inside, each with the text before it."""
    count: int = 0
    """How many parts there are; the line shows those that fit."""
    rather: Iterable[tuple[str, Value]] | None = None
    """The same parts in the order to show them in if there is no room for all."""


class Sight(Protocol):
    """What a writer can ask about the time at which an object is shown."""

    @property
    def first(self) -> tuple[str, ...]:
        """The attributes that matter most here."""

    @property
    def heap(self) -> Heap:
        """The objects of the trace."""

    @property
    def time(self) -> int:
        """When the object is shown."""

    @property
    def insides(self) -> Insides:
        """What belongs to libraries."""

    def peek(self, oid: int) -> Peek:
        """Look into another object at the same time."""

    def line(self, value: Value, width: int = ...) -> str:
        """Write a value on one line."""


Writer: TypeAlias = Callable[[Peek, Sight], Form | None]


def few(read: Callable[[int, int], list[T]]) -> Iterator[T]:
    """Read one after the other, a handful at a time: most lines need no more."""
    first = 0
    while part := read(first, first + _HANDFUL):
        yield from part
        first += _HANDFUL


def type_name(peek: Peek) -> str:
    """Return the name of an object's type, safe to show."""
    return safe(peek.type.qualname)


def is_type(peek: Peek, module: str, name: str) -> bool:
    """Return whether an object is of exactly this type."""
    return peek.type.qualname == name and peek.type.module == module


def word(value: Value) -> str:
    """Return a name that the recorder read off an object."""
    return safe(value) if isinstance(value, str) else "?"
