"""What the user enters: keys of a terminal, or lines of a pipe.

On a terminal a key is one stroke; what its command needs is asked for. In a pipe it is a line: the key (or
its command), then the rest, as in ``p result[2]``. Empty lines and lines that begin with ``#`` are skipped.
The keys themselves are in `present.key_map`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.present.key_map import Key

RESIZED = "resized"
"""Stands for a key where the terminal got another size."""


@dataclass(frozen=True)
class Pressed:
    """A key, and what was written after it."""

    key: str
    argument: str = ""


@dataclass(frozen=True)
class Command:
    """What to do: a command of the key map, or the name of a key that moves, such as ``page-down``."""

    name: str
    argument: str = ""


def parsed(line: str, keys: tuple[Key, ...]) -> Pressed | None:
    """Return what a line of a pipe says; None: nothing."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    first, _, rest = text.partition(" ")
    commands = {key.command: key.key for key in keys}
    return Pressed(commands.get(first, first), rest.strip())
