"""Messages of the dialogue: help, introduction, why a question is asked, the strategies."""

from __future__ import annotations

from wrongcall.present.estimates import why_text
from wrongcall.present.key_map import HOW_TO_ANSWER, Key, name_of
from wrongcall.present.lines import Line, paragraph
from wrongcall.present.text import fit
from wrongcall.session.steps import Why
from wrongcall.session.strategies import descriptions

INTRODUCTION = f"wrongcall asks about calls that your program made. {HOW_TO_ANSWER} Press ? for the other keys."


_NOW = "Now it is about what happened inside it: is the state right up to each place, given the call's arguments? "
INSIDE = f"{_NOW}Press f to stop at the call."
INSIDE_FIRST = f"{_NOW}Press f to be asked about the calls instead."


def help_lines(keys: tuple[Key, ...], width: int) -> list[Line]:
    """Return what the keys do."""
    named = [(name_of(key.key), key.help) for key in keys]
    return [((f"  {name:<5} ", "key"), fit(help, width - 8)) for name, help in named]


def introduction_lines(width: int) -> list[Line]:
    """Return what a new user needs to know."""
    return paragraph(INTRODUCTION, width, "quiet")


def why_lines(why: Why, width: int, word: str = "call") -> list[Line]:
    """Return why a question is asked; ``word``: what is suspected."""
    note = [*paragraph(why.note, width, "quiet")] if why.note else []
    return [*paragraph(why_text(why, word), width), *note]


def strategy_lines(now: str, width: int) -> list[Line]:
    """Return the strategies, with the current one marked."""
    found: list[Line] = []
    for name, about in descriptions().items():
        mark = ("> ", "marked") if name == now else "  "
        found.append((mark, (f"{name:18}", "name"), fit(about, width - 20)))
    return found
