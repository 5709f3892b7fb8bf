"""The keys: what can be answered, and how it is written in a pipe.

On a terminal a key is one stroke, and what it needs besides is asked for. In a pipe it is a line: the key
(or its word), then the rest, as in ``p result[2]``. Empty lines and lines that begin with ``#`` say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A key, and what was written after it."""

    key: str
    argument: str = ""


@dataclass(frozen=True)
class Key:
    """A key that can be pressed somewhere."""

    key: str
    word: str
    """Stands for the key in a pipe."""
    help: str
    wants: str = ""
    """What it needs besides, in words; asked for on a terminal."""


QUESTION = (
    Key("y", "yes", "right: it did what it should do"),
    Key("n", "no", "wrong: it should have done something else"),
    Key("d", "dont-know", "don't know: ask about other calls"),
    Key("t", "trust", "trust this function: its calls are not asked any more"),
    Key("T", "trust-module", "trust all functions of this module"),
    Key("i", "inadmissible", "it should never have been called like this"),
    Key("p", "part", "this part is wrong: result[2], say"),
    Key("e", "expected", "wrong, and this would have been right", "what should it be?"),
    Key("u", "undo", "take back the last answer"),
    Key("s", "strategy", "change the strategy"),
    Key("w", "why", "why this question, and how many are left"),
    Key("v", "source", "show the source, with what was executed"),
    Key("o", "open", "open the source in $EDITOR"),
    Key("b", "browse", "browse the tree, and judge any call"),
    Key("m", "moments", "step through the events of this call"),
    Key("h", "history", "every value that a place had: c[2], say", "history of which place?"),
    Key("f", "from", "from where a value came", "origin of which place?"),
    Key("x", "examine", "show a value, opened", "which place?"),
    Key("+", "more", "open what is folded"),
    Key("-", "less", "fold it again"),
    Key("?", "help", "this help"),
    Key("q", "quit", "save and quit"),
)

_LOOKING = tuple(key for key in QUESTION if key.key in "vombhfx+-?q")

FINDING = (
    Key("y", "yes", "yes, that is the bug: done"),
    Key("n", "no", "no, it is not: ask the weakest answers again"),
    Key("g", "go-on", "it is, and there is another one: go on"),
    Key("u", "undo", "take back the last answer"),
    Key("r", "report", "write a report (.md, .html or .json)", "to which file?"),
    *_LOOKING,
)

ENDED = (
    Key("u", "undo", "take back the last answer"),
    Key("s", "strategy", "change the strategy"),
    *(key for key in _LOOKING if key.key in "b?q"),
)

CONFLICT = (
    Key("y", "yes", "yes, this answer counts; the earlier ones are taken back"),
    Key("n", "no", "no, keep the earlier ones"),
)


def parsed(line: str, keys: tuple[Key, ...]) -> Command | None:
    """Return what a line of a pipe says; None: nothing."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    first, _, rest = text.partition(" ")
    words = {key.word: key.key for key in keys}
    return Command(words.get(first, first), rest.strip())
