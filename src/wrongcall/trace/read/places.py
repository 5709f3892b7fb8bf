"""Places inside objects: an element, an attribute, a dict's value."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.trace.read.values import Value


@dataclass(frozen=True)
class Item:
    """The place of an element of a sequence."""

    index: int


@dataclass(frozen=True)
class Attr:
    """The place of an attribute; globals are attributes of their module."""

    name: str


@dataclass(frozen=True)
class Entry:
    """The place of a dict's value."""

    key: Value


Place = Item | Attr | Entry
