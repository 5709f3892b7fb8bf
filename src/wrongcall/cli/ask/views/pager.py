"""A long text to scroll through."""

from __future__ import annotations

from collections.abc import Callable

from wrongcall.cli.ask.keys import Command
from wrongcall.present import key_map
from wrongcall.present.key_map import VERDICTS, Key, keys_at
from wrongcall.present.lines import Line
from wrongcall.present.screens.question import Size

_BELOW = 3
"""Lines of a screen that are not the text: what part of it is shown, the prompt, an empty line."""
_KEYS = keys_at(key_map.TEXT)


class Pager:
    """A place in a long text; the first lines of it stay in sight."""

    def __init__(self, write: Callable[[Size], list[Line]], title: int = 0, call: int = 0) -> None:
        """``write``: the text for a size. ``title``: lines that stay. ``call``: can be judged here."""
        self._write = write
        self._title = title
        self._call = call
        self._first = 0
        self._drawn: tuple[Size, list[Line]] | None = None
        self._room = 1

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of this view."""
        return _KEYS if self._call else tuple(key for key in _KEYS if key.command not in VERDICTS)

    @property
    def prompt(self) -> str:
        """The most important ones, in words."""
        return f"space scrolls, {'y n d, ' if self._call else ''}q goes back, ? for help"

    @property
    def call(self) -> int:
        """The call that can be judged; 0: none."""
        return self._call

    def all_lines(self, size: Size) -> list[Line]:
        """Return the whole text."""
        if self._drawn is None or self._drawn[0] != size:
            self._drawn = size, self._write(size)
        return self._drawn[1]

    def lines(self, size: Size) -> list[Line]:
        """Return what is in sight."""
        text = self.all_lines(size)
        title, body = text[: self._title], text[self._title :]
        self._room = max(size.height - len(title) - _BELOW, 2)
        self._first = min(max(self._first, 0), max(len(body) - self._room, 0))
        shown = body[self._first : self._first + self._room]
        if len(body) <= self._room:
            return [*title, *shown]
        last = self._first + len(shown)
        told = f"lines {self._first + 1:,} to {last:,} of {len(body):,}"
        return [*title, *shown, ((told, "quiet"),)]

    def move(self, command: Command) -> bool:
        """Scroll."""
        page = max(self._room - 1, 1)
        steps = {
            "page": page, "page-down": page, "page-up": -page, "down": 1, "enter": 1, "up": -1,
            "redraw": 0,
        }  # fmt: skip
        if command.name in steps:
            self._first += steps[command.name]
        elif command.name == "home":
            self._first = 0
        elif command.name == "end":
            self._first = len(self._drawn[1]) if self._drawn else 0
        else:
            return False
        return True
