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
    Key("y", "yes", "right: the result is correct for these arguments"),
    Key("n", "no", "wrong: it should have done something else"),
    Key("d", "dont-know", "don't know: ask about other calls"),
    Key("t", "trust", "trust this function: stop asking about its calls"),
    Key("T", "trust-module", "trust every function in this module"),
    Key("i", "inadmissible", "invalid call: it should never have been called with these arguments"),
    Key("p", "part", "this part is wrong, for example result[2]"),
    Key("e", "expected", "wrong; enter what would have been right", "what should it be?"),
    Key("u", "undo", "undo the last answer"),
    Key("s", "strategy", "change the strategy"),
    Key("w", "why", "why this question is asked, and how many are left"),
    Key("v", "source", "show the source, with the executed lines marked"),
    Key("o", "open", "open the source in $EDITOR"),
    Key("b", "browse", "browse the tree of calls, and judge any call"),
    Key("m", "moments", "step through this call"),
    Key(
        "h", "history", "every value that a place had, for example c[2]", "history of which place?"
    ),
    Key("f", "from", "where a value came from", "origin of which place?"),
    Key("x", "examine", "show a value with its parts", "which place?"),
    Key("+", "more", "show everything, nothing folded"),
    Key(" ", "page", "the next page of a long screen"),
    Key("?", "help", "this help"),
    Key("q", "quit", "save and quit"),
)

_LOOKING = tuple(key for key in QUESTION if key.key in "vombhfx+ ?q")

FINDING = (
    Key("y", "yes", "yes, that is the bug; finish"),
    Key("n", "no", "no, it isn't; ask the least certain answers again"),
    Key("g", "go-on", "yes, and there is another bug; continue"),
    Key("u", "undo", "undo the last answer"),
    Key("r", "report", "write a report (.md, .html or .json)", "to which file?"),
    *_LOOKING,
)

ENDED = (
    Key("u", "undo", "undo the last answer"),
    Key("s", "strategy", "change the strategy"),
    *(key for key in _LOOKING if key.key in "b?q"),
)

CONFLICT = (
    Key("y", "yes", "yes, use this answer and discard the earlier ones"),
    Key("n", "no", "no, keep the earlier answers"),
)


def parsed(line: str, keys: tuple[Key, ...]) -> Command | None:
    """Return what a line of a pipe says; None: nothing."""
    text = line.strip()
    if not text or text.startswith("#"):
        return None
    first, _, rest = text.partition(" ")
    words = {key.word: key.key for key in keys}
    return Command(words.get(first, first), rest.strip())
