"""Views to move in: each has a position, shows what is around it, and has keys to move."""

from __future__ import annotations

from typing import Protocol

from wrongcall.cli.ask.keys import Command
from wrongcall.present.key_map import Key
from wrongcall.present.lines import Line
from wrongcall.present.screens.question import Size


class View(Protocol):
    """Something to move in."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys of this view."""

    @property
    def prompt(self) -> str:
        """The most important ones, in words."""

    def lines(self, size: Size) -> list[Line]:
        """Return what is shown at the current position."""

    def move(self, command: Command) -> bool:
        """Move, if the command is one of this view's that move; return whether it was."""

    @property
    def call(self) -> int:
        """The call that other keys are about; 0: none."""
