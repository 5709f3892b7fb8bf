"""Paths: how a person writes a place, as in ``c[2]``, ``self.root.left`` or ``config["x"]``.

Vocabulary: a path has a *root*, the name of a variable, and *steps* that lead from there through objects, each a place
(`Item`, `Attr`, `Entry`, `Member`) of the object before. `Key` is a step whose kind depends on the object: an index or
a dict's key.

Invariant: the text of a path has no control characters, whatever the program's names and keys are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from wrongcall.trace.read.places import Attr, Item, Place
from wrongcall.trace.read.values import Clipped, Missing, Ref, TupleKey, Value

RETURNED = "return"
"""The root that means what a call returned or raised, whatever its variables are called."""
_KEY_LENGTH = 40


@dataclass(frozen=True)
class Member:
    """The place of an element of a set: the element itself."""

    key: Value


@dataclass(frozen=True)
class Key:
    """A subscript as written: a constant, the name of a variable, a tuple, or other source."""

    value: Value = None
    name: str = ""
    parts: tuple[Key, ...] | None = None
    """If it is a tuple: its elements."""
    text: str = ""
    """If it is neither: its source."""


PathStep: TypeAlias = Place | Member | Key


@dataclass(frozen=True)
class Path:
    """A variable, and the way from it to a place."""

    root: str
    steps: tuple[PathStep, ...] = ()

    def to(self, step: PathStep) -> Path:
        """Return the path extended by one step."""
        return Path(self.root, (*self.steps, step))

    def __str__(self) -> str:
        return plain(self.root) + "".join(map(step_text, self.steps))


def plain(text: str) -> str:
    """Return a name, quoted if it has unprintable characters."""
    return text if text.isprintable() else ascii(text)


def step_text(step: PathStep) -> str:
    """Return a step as text."""
    if isinstance(step, Attr):
        return f".{plain(step.name)}"
    if isinstance(step, Item):
        return f"[{step.index}]"
    if isinstance(step, Key) and (step.name or step.parts is not None or step.text):
        return f"[{_written(step)}]"
    text = key_text(step.value if isinstance(step, Key) else step.key)
    return f"{{{text}}}" if isinstance(step, Member) else f"[{text}]"


def _written(key: Key) -> str:
    if key.parts is None:
        return plain(key.name or key.text) if key.name or key.text else key_text(key.value)
    parts = [_written(part) for part in key.parts]
    nested = [
        f"({text})" if k.parts is not None else text
        for k, text in zip(key.parts, parts, strict=True)
    ]
    return f"({nested[0]},)" if len(nested) == 1 else ", ".join(nested) or "()"


def key_text(key: Value) -> str:
    """Return a key in source notation, shortened if it is long."""
    if isinstance(key, Ref):
        return f"#{key.oid}"
    if isinstance(key, Clipped):
        return f"{key.beginning[:_KEY_LENGTH]!r}..."
    if isinstance(key, TupleKey):
        return "(...)"
    if isinstance(key, Missing):
        return "?"
    if isinstance(key, str | bytes) and len(key) > _KEY_LENGTH:
        return f"{key[:_KEY_LENGTH]!r}..."
    if isinstance(key, int) and abs(key) >> 128:
        return f"{key:#x}"[:_KEY_LENGTH] + "..."
    return repr(key)
