"""The key map: which key does what, where. The one source for the terminal, the page and their docs.

A *place* is where keys are pressed: a kind of screen of the terminal, or the page. A key means one command
everywhere; the help can differ by place. In a pipe the command's name stands for the key.

`keys_at` has the keys of a place in the order of the help, `VERDICTS` the verdict that a command gives.
``tools/write_keys.py`` writes the page's part to web/src/keys.ts, the texts of its buttons included.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.session.answers import Verdict

QUESTION, FINDING, ENDED, CONFLICT = "question", "finding", "ended", "conflict"
TREE, STEPS, TEXT = "tree", "steps", "text"
"""Views of the terminal to move in: the tree of calls, the steps of a call, a long text."""
PAGE = "page"
PLACES = (QUESTION, FINDING, ENDED, CONFLICT, TREE, STEPS, TEXT, PAGE)

HOW_TO_ANSWER = "Is the result correct for these arguments? Answer y or n. You don't need to know how the code works."
"""What every user needs to know; the terminal shows it at the start, the page in its help."""

_JUDGED = (QUESTION, TREE, TEXT, PAGE)
_VIEWS = (TREE, STEPS, TEXT)


@dataclass(frozen=True)
class Key:
    """A key that can be pressed somewhere."""

    key: str
    command: str
    """What it does, in one word; stands for the key in a pipe."""
    label: str
    """On the page's button, which begins it with a capital letter; for a verdict also what was said."""
    help: str
    places: tuple[str, ...]
    wants: str = ""
    """What the command needs, as a question to the user of the terminal."""


KEYS = (
    Key("y", "yes", "right", "right: the result is correct for these arguments", _JUDGED),
    Key("n", "no", "wrong", "wrong: it should have done something else", _JUDGED),
    Key("y", "yes", "that is it", "yes, that is the bug; finish", (FINDING,)),
    Key("n", "no", "it is not", "no, it isn't; ask the least certain answers again", (FINDING,)),
    Key("a", "another", "find another bug", "yes, and there is another bug; continue", (FINDING,)),
    Key("y", "yes", "yes", "yes, use this answer and discard the earlier ones", (CONFLICT,)),
    Key("n", "no", "no", "no, keep the earlier answers", (CONFLICT,)),
    Key("d", "dont-know", "don't know", "don't know: ask about other calls", _JUDGED),
    Key("t", "trust", "trust function", "trust this function: stop asking about its calls", _JUDGED),
    Key("T", "trust-module", "trust module", "trust every function in this module", _JUDGED),
    Key(
        "i", "inadmissible", "invalid call",
        "invalid call: it should never have been called with these arguments", _JUDGED,
    ),
    Key("I", "inside", "search inside", "wrong; search inside this call now", (QUESTION, PAGE)),
    Key("f", "found", "stop at the call", "inside a call: stop there, and show the call", (QUESTION, PAGE)),
    Key("p", "part", "wrong part", "this part is wrong, for example result[2]", (QUESTION,)),
    Key("p", "part", "this part is wrong", "the picked part is wrong", (PAGE,)),
    Key(
        "e", "expected", "expected", "wrong; enter what would have been right", (QUESTION, PAGE),
        "what should it be?",
    ),
    Key("u", "undo", "undo the last answer", "undo the last answer", (QUESTION, FINDING, ENDED, TREE, PAGE)),
    Key("s", "strategy", "strategy", "change the strategy", (QUESTION, ENDED)),
    Key("r", "report", "report", "write a report (.md, .html, .json or .sarif)", (FINDING,), "to which file?"),
    Key("w", "why", "why this question?", "why this question is asked, and how many are left", (QUESTION, PAGE)),
    Key(
        "v", "source", "source", "show the source, with the executed lines marked",
        (QUESTION, FINDING, TREE),
    ),
    Key("E", "edit", "edit", "open the source in $EDITOR", (QUESTION, FINDING, TREE)),
    Key(
        "b", "browse", "browse", "browse the tree of calls, and judge any call",
        (QUESTION, FINDING, ENDED),
    ),
    Key("j", "down", "down", "the next one (also: the arrow keys)", (TREE, TEXT)),
    Key("k", "up", "up", "the previous one", (TREE, TEXT)),
    Key(">", "in", "into", "into the call, to the calls it made (also: right, Enter)", (TREE,)),
    Key("<", "caller", "caller", "back to the caller (also: left)", (TREE,)),
    Key("m", "steps", "steps", "step through this call", (QUESTION, FINDING, TREE, PAGE)),
    Key(".", "next", "next", "the next step (also: right, down, Enter)", (STEPS,)),
    Key(",", "previous", "previous", "the previous step (also: left, up)", (STEPS,)),
    Key(".", "next", "next", "the next step", (PAGE,)),
    Key(",", "previous", "previous", "the previous step", (PAGE,)),
    Key(
        "=", "evaluate", "evaluate", "show an expression at every step, for example len(xs); again: hide it",
        (STEPS,), "which expression?",
    ),
    Key("]", "next-change", "next change", "the next change of the picked value", (PAGE,)),
    Key("[", "previous-change", "previous change", "its previous change", (PAGE,)),
    Key(
        "]", "next-change", "next change", "go to the next change of a place, for example c[2]",
        (STEPS,), "the next change of which place?",
    ),
    Key(
        "[", "previous-change", "previous change", "go to its previous change",
        (STEPS,), "the previous change of which place?",
    ),
    Key(
        "c", "condition", "condition", "go to where a condition becomes true next, for example i > 3",
        (STEPS,), "until which condition is true?",
    ),
    Key(
        "C", "previous-condition", "previous condition", "go back to where a condition became true",
        (STEPS,), "back to where which condition became true?",
    ),
    Key(":", "go", "go to", "go to the call with this number", (TREE,), "to which call?"),
    Key(":", "go", "go to", "go to the step with this number", (STEPS,), "to which step?"),
    Key("l", "line", "line", "go to the next time this line ran", (STEPS,), "to which line?"),
    Key("L", "previous-line", "previous line", "go to the previous time this line ran", (STEPS,), "to which line?"),
    Key(
        "h", "history", "history", "every value that a place had, for example c[2]",
        (QUESTION, FINDING, TREE, STEPS), "history of which place?",
    ),
    Key("h", "history", "history", "every value that the picked place had", (PAGE,)),
    Key(
        "o", "origin", "origin", "where a value came from",
        (QUESTION, FINDING, TREE, STEPS), "origin of which place?",
    ),
    Key("o", "origin", "where from?", "where the picked value came from", (PAGE,)),
    Key(
        "x", "examine", "examine", "show a value with its parts",
        (QUESTION, FINDING, TREE, STEPS), "which place?",
    ),
    Key("x", "examine", "variables", "show the variables with their parts", (PAGE,)),
    Key("O", "output", "output", "what the program printed", (PAGE,)),
    Key("/", "search", "search", "search the calls", (PAGE,)),
    Key("+", "more", "more", "show everything, nothing folded", (QUESTION, FINDING)),
    Key("+", "more", "more", "show the call in full, as a question", (TREE,)),
    Key("-", "less", "less", "fold again: back to the question", (TEXT,)),
    Key(" ", "page", "next page", "the next page of a long screen", (QUESTION, FINDING, TEXT)),
    Key("K", "page-up", "previous page", "the page before (also: page up)", (TEXT,)),
    Key("g", "back", "back to the question", "back to the question", (*_VIEWS, PAGE)),
    Key("?", "help", "help", "this help", (QUESTION, FINDING, ENDED, *_VIEWS, PAGE)),
    Key("q", "quit", "quit", "save and quit", (QUESTION, FINDING, ENDED)),
    Key("q", "quit", "quit", "back (also: Escape)", _VIEWS),
)  # fmt: skip

VERDICTS = {
    "yes": Verdict.RIGHT,
    "no": Verdict.WRONG,
    "dont-know": Verdict.DONT_KNOW,
    "trust": Verdict.TRUST_FUNCTION,
    "trust-module": Verdict.TRUST_MODULE,
    "inadmissible": Verdict.INADMISSIBLE,
}
"""The verdict that each command gives, without anything else to enter; in the order of the buttons."""
USUAL_VERDICTS = ("yes", "no", "dont-know")
"""The page shows these at once, the others on demand."""


def keys_at(place: str) -> tuple[Key, ...]:
    """Return the keys of a place."""
    return tuple(key for key in KEYS if place in key.places)


def name_of(key: str) -> str:
    """Return what is printed on a key."""
    return "space" if key == " " else key
