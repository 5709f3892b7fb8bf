"""Trails as lists, for tests."""

from __future__ import annotations

from tests.trace.conftest import Recorded
from wrongcall.recording import Origin


def trail(run: Recorded, origin: Origin) -> list[tuple[str, int, str]]:
    """Return the links: function, line, place."""
    names = {link.call: run.recording.call(link.call).function.name for link in origin.links}
    return [(names[link.call], link.line, link.place) for link in origin.links]
