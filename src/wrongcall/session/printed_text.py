"""What a run printed: the reports of test runners are in it."""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.events import Kind
from wrongcall.recording import Clipped, Recording


def printed_texts(recording: Recording) -> Iterator[tuple[int, str]]:
    """Go through the pieces of text that were printed, each with its time."""
    found = recording.events.select({Kind.PRINT})
    columns = (found.events[name].tolist() for name in ("vtag", "value"))
    for time, tag, bits in zip(found.times.tolist(), *columns, strict=True):
        value = recording.states.values.read(tag, bits)
        text = value.beginning if isinstance(value, Clipped) else value
        if isinstance(text, str):
            yield time, text
