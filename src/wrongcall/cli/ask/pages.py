"""Screens that may be longer than the terminal: a page at a time, each under the title."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.present.lines import Line

_BELOW = 2
"""Lines of a terminal below a page: an empty one, and the prompt."""


@dataclass(frozen=True)
class Pages:
    """The lines of a screen, of which the first ones are its title."""

    lines: list[Line]
    title: int
    """How many lines stand at the top of each page."""
    height: int
    """Lines of the terminal; 0: there is no end to it, as in a pipe."""

    @property
    def _room(self) -> int:
        return max(self.height - _BELOW, self.title + 2)

    @property
    def _step(self) -> int:
        """How many lines of a page are below the title, besides the one that says what follows."""
        return self._room - self.title - 1

    @property
    def count(self) -> int:
        """How many pages there are."""
        if not self.height or len(self.lines) <= self._room:
            return 1
        return -(-(len(self.lines) - self.title) // self._step)

    def page(self, number: int) -> list[Line]:
        """Return a page; the one after the last is the first again."""
        if self.count == 1:
            return self.lines
        at = number % self.count
        first = self.title + at * self._step
        shown = self.lines[first : first + self._step]
        below = len(self.lines) - first - len(shown)
        more = f"… {below:,} more lines" if below else "end"
        told = f"  {more} (page {at + 1} of {self.count}; space: next page)"
        return [*self.lines[: self.title], *shown, ((told, "marked"),)]
