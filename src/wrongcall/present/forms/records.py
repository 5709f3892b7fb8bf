"""In which order the attributes of an object are shown, and which of them are folded away.

Declared fields come first, in the order of their declaration; then what the program's statements
store, then the rest. Attributes that a library keeps in the program's objects for itself are *folded*:
they are no part of a line, and come last, marked, where an object is opened in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wrongcall.analysis.effects.library_insides import Insides
from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.present.text import safe
from wrongcall.replay.heap import Peek
from wrongcall.trace.read.values import Value

_UNORDERED = frozenset({Layout.MODULE, Layout.CLASS, Layout.FUNCTION})


class Names(NamedTuple):
    """The names of an object's attributes, in the order in which they are shown."""

    shown: list[str]
    folded: list[str]


def names_of(peek: Peek, insides: Insides) -> Names:
    """Return the names of an object's attributes."""
    names = peek.names()
    if peek.layout in _UNORDERED:
        return Names(names, [])
    there = set(names)
    declared = [name for name in dict.fromkeys(peek.type.fields) if name in there]
    others = [name for name in names if name not in set(declared)]
    folded = {n for n in others if insides.is_bookkeeping(peek.type, peek.layout, n)}
    others = [name for name in others if name not in folded]
    if peek.type.kind == "derived":
        others.sort(key=lambda name: not insides.is_stored(name))
    return Names([*declared, *others], [name for name in names if name in folded])


def record(peek: Peek, sight: Sight) -> Form:
    """Write an object by its attributes; where there is no room for all, those that matter first."""
    names = names_of(peek, sight.insides).shown
    if not names and peek.type.kind == "sqlalchemy":
        return Form(f"{type_name(peek)}(<not loaded>)")
    matter = [name for name in dict.fromkeys(sight.first) if name in names]
    rather = [*matter, *(name for name in names if name not in sight.first)]
    return Form(
        f"{type_name(peek)}(",
        ")",
        _parts(peek, names),
        len(names),
        _parts(peek, rather) if rather != names else None,
    )


def _parts(peek: Peek, names: list[str]) -> Iterator[tuple[str, Value]]:
    return ((f"{safe(name)}=", peek.attr(name)) for name in names)
