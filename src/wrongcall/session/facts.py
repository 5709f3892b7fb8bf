"""What a session needs to know about the calls of a trace; `from_trace` provides it.

Only questions that are asked are looked at, so these may be slow compared with the tree: values are
fetched from the trace when they are needed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Protocol

from wrongcall.session.answers import Part
from wrongcall.tree.coverage import Coverage


class Facts(Protocol):
    """The trace, as a session sees it. Calls and functions are numbers."""

    def question_key(self, call: int) -> Hashable | None:
        """Return something that is equal for calls of one function with equal input and outcome.

        None: it cannot be told, and the call is like no other.
        """

    def module(self, function: int) -> str:
        """Return the name of the module that a function belongs to."""

    def functions_of(self, module: str) -> Collection[int]:
        """Return the functions of a module."""

    def function_name(self, function: int) -> str:
        """Return the name of a function, as people know it."""

    def origin(self, call: int, part: Part) -> int | None:
        """Return the call that made the value at a place of a call's question.

        None: the trail is lost. Raises a `WrongcallError` if there is no such place.
        """

    def coverage(self, kind: str) -> Coverage | None:
        """Return what the calls covered ("edges" or "def-use"), in the order of the nodes."""

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        """Return how many lines a question about these calls has; None: that is not known."""


class NoFacts:
    """For trees without a trace: every call is like no other, all functions are of one module."""

    def question_key(self, call: int) -> Hashable | None:
        """Return None."""
        return None

    def module(self, function: int) -> str:
        """Return the name of the only module."""
        return "?"

    def functions_of(self, module: str) -> Collection[int]:
        """Return every function: there is only one module."""
        return range(1 << 31)

    def function_name(self, function: int) -> str:
        """Return the number."""
        return f"function {function}"

    def origin(self, call: int, part: Part) -> int | None:
        """Return None: values are not known."""
        return None

    def coverage(self, kind: str) -> Coverage | None:
        """Return None."""
        return None

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        """Return None: nothing is shown."""
        return None
