"""Views to move in: they have a place, show what is around it, and keys lead to other places."""

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
        """Return what is shown at the present place."""

    def move(self, command: Command) -> bool:
        """Go where a key says; tell whether it was a key of this view that moves."""

    @property
    def call(self) -> int:
        """The call that other keys are about; 0: none."""
