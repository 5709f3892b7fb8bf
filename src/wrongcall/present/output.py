"""What a program printed, line by line, with the call that printed each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.events import Kind
from wrongcall.recording import Clipped, Recording


@dataclass(frozen=True)
class OutputLine:
    """A line that was printed."""

    text: str
    """As it was printed, or the beginning of it."""
    call: int
    """The call that printed its first characters; 0: not known."""
    time: int
    """When that was."""


def output_lines(recording: Recording) -> Iterator[OutputLine]:
    """Go through the lines of all streams, in the order in which they were completed."""
    found = recording.events.select([Kind.PRINT])
    now: dict[int, OutputLine] = {}
    columns = [found.events[name].tolist() for name in ("key", "vtag", "value")]
    for time, stream, tag, bits in zip(found.times.tolist(), *columns, strict=True):
        value = recording.states.values.read(tag, bits)
        text = value.beginning if isinstance(value, Clipped) else value
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        call = recording.places.position(time).call
        empty = OutputLine("", call, time)
        line = now.pop(stream, empty)
        *complete, rest = words.split("\n")
        for more in complete:
            yield OutputLine(line.text + more, line.call, line.time)
            line = empty
        if line.text or rest:
            now[stream] = OutputLine(line.text + rest, line.call, line.time)
    yield from now.values()
