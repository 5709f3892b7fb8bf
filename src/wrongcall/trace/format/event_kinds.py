"""What kinds of events mean for packing and indexing.

Reading and writing share these; only reading has numpy, so the tables are plain bytes here: one byte for each kind, for
indexing with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag

from wrongcall.events import SEEN, Kind

DICTIONARY_END = int(Kind.ENTER)
"""Kinds below this one describe the program and its values; the others are what happened."""


def with_seen(kinds: Iterable[int]) -> frozenset[int]:
    """Return these kinds and their variants at first sight."""
    chosen = frozenset(int(kind) for kind in kinds)
    return chosen | {kind | SEEN for kind in chosen}


BEGINNINGS = frozenset({Kind.ENTER, Kind.CREATE})
"""A call begins."""
ENDS = frozenset({Kind.RETURN, Kind.RAISE, Kind.DROP})
"""A call ends, unless another of these follows."""
OBJECT_KINDS = with_seen(kind for kind in Kind if Kind.ATTR <= kind <= Kind.KEY) | {
    Kind.OBJ,
    Kind.EXPLORED,
    Kind.ALIAS,
    Kind.CELL,
    Kind.ACTIVATION,
}
"""Events whose ``obj`` is an object."""
VARIABLE_KINDS = with_seen({Kind.LOCAL, Kind.LOCAL_DEL})
WRITES = with_seen({Kind.ATTR, Kind.ITEM, Kind.ENTRY})
"""Events that a later write to the same slot makes irrelevant."""
BARRIERS = with_seen(
    {Kind.OBJ, Kind.EXPLORED, Kind.ALIAS, Kind.CLEAR, Kind.FILL, Kind.INSERT, Kind.REMOVE}
    | {Kind.PATCH, Kind.SPLICE, Kind.ATTR_DEL, Kind.ENTRY_DEL}
)
"""Events that move or remove slots."""
WITHOUT_OBJECT = frozenset({*range(DICTIONARY_END), *BEGINNINGS})
"""Kinds whose ``obj`` is neither an object nor the call that owns the variable; parents are in `call_index`."""

SLOT_GROUPS = {
    Kind.ATTR: 1,
    Kind.ITEM: 2,
    Kind.ENTRY: 3,
    Kind.LOCAL: 4,
    Kind.LOCAL_DEL: 4,
}
"""The kinds of events that write to a slot of their own; events with the same slot have the same number here."""


class Trait(IntFlag):
    """What the native code has to know about a kind; ``native/packing.h`` has the same numbers."""

    OF_OBJECT = 1
    OF_VARIABLE = 2
    FIRST_SIGHT = 4
    BEGINNING = 8
    END = 16
    WRITE = 32
    BARRIER = 64
    HAS_OBJECT = 128


_KINDS: dict[Trait, Iterable[int]] = {
    Trait.OF_OBJECT: OBJECT_KINDS,
    Trait.OF_VARIABLE: VARIABLE_KINDS,
    Trait.FIRST_SIGHT: {Kind.OBJ},
    Trait.BEGINNING: BEGINNINGS,
    Trait.END: ENDS,
    Trait.WRITE: WRITES,
    Trait.BARRIER: BARRIERS,
    Trait.HAS_OBJECT: set(range(256)) - WITHOUT_OBJECT,
}


def _traits() -> bytes:
    table = bytearray(256)
    for trait, kinds in _KINDS.items():
        for kind in kinds:
            table[kind] |= trait
    return bytes(table)


def _groups() -> bytes:
    table = bytearray(256)
    for kind, group in SLOT_GROUPS.items():
        table[kind] = table[kind | SEEN] = group
    return bytes(table)


TRAITS = _traits()
"""The traits of each kind."""
GROUPS = _groups()
"""The slot group of each kind; 0: it has none."""
