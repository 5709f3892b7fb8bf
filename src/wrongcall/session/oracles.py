"""Oracles other than the user: asked first, in order.

An oracle gives a verdict about calls it knows about and None about all others. Its answers are kept
like any other, under its name, and can be contradicted by the user.
"""

from __future__ import annotations

from typing import Protocol

from wrongcall.session.answers import Verdict


class Oracle(Protocol):
    """Something that can judge some calls by itself: a contract, a test, a reference run."""

    @property
    def name(self) -> str:
        """Who says so."""

    def verdict(self, calls: tuple[int, ...]) -> Verdict | None:
        """Return the verdict about a call (or the members of a group), None if there is none."""
