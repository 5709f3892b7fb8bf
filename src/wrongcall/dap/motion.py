"""Moves through a run: steps and searches for the next pause, forwards and backwards.

A move leads to a stop, or stays where it is at the end or the beginning of the run. What the program printed on the
way is shown when the move goes forwards, as if the program ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wrongcall.dap.breakpoints import MAX_LOGGED, Breakpoints
from wrongcall.dap.debuggee import BEFORE, Debuggee
from wrongcall.dap.logging import filled_in
from wrongcall.events import Kind
from wrongcall.recording import Clipped, Recording, Stop

END, BEGINNING = "end", "entry"
_STREAMS = {1: "stdout", 2: "stderr"}
_ENDS = {
    END: "Paused at the end of the recording",
    BEGINNING: "Paused at the beginning of the recording",
}


@dataclass(frozen=True)
class Moved:
    """Where a move has led, and why it ended there."""

    stop: Stop
    reason: str
    hits: tuple[int, ...] = ()
    """The breakpoints."""

    @property
    def description(self) -> str:
        """What the client shows; empty: nothing in particular."""
        return _ENDS.get(self.reason, "")


class Motion:
    """Moves the walk of a debuggee."""

    def __init__(self, debuggee: Debuggee, breakpoints: Breakpoints) -> None:
        self._debuggee = debuggee
        self._breakpoints = breakpoints
        walk = debuggee.recording.walk
        self._steps: dict[str, tuple[Callable[[Stop], Stop | None], bool]] = {
            "next": (walk.step_over, False),
            "stepIn": (walk.step_in, False),
            "stepOut": (walk.step_out, False),
            "stepBack": (walk.step_over_back, True),
            "wrongcall/stepInBack": (walk.step_in_back, True),
            "wrongcall/stepOutBack": (walk.step_out_back, True),
        }

    def step(self, command: str, stop: Stop) -> Moved:
        """Step from a stop; at the end or the beginning of a thread, go to that of the run."""
        take, back = self._steps[command]
        found = take(stop)
        if found is None and not back and self._debuggee.growing and self._debuggee.refresh():
            found = take(stop)
        if found is not None:
            return self._interrupted(stop, Moved(found, "step"), back=back)
        return self._interrupted(stop, self.beginning() if back else self.end(), back=back)

    def _interrupted(self, stop: Stop, moved: Moved, *, back: bool) -> Moved:
        """Return the breakpoint on the way, if a step passes over one."""
        found, hits = self._breakpoints.nearest(self._debuggee, stop, back=back)
        if found is None or (
            found.order <= moved.stop.order if back else found.order >= moved.stop.order
        ):
            return moved
        return self._paused(found, hits)

    def run(self, stop: Stop, *, back: bool) -> Moved:
        """Go on to the next breakpoint, or to the end or the beginning."""
        if not back and self._debuggee.growing:
            self._debuggee.refresh()
        found, hits = self._breakpoints.nearest(self._debuggee, stop, back=back)
        if found is not None:
            return self._paused(found, hits)
        return self.beginning() if back else self.end()

    def _paused(self, stop: Stop, hits: list[Any]) -> Moved:
        reasons = {one.reason for one in hits}
        order = ("exception", "data breakpoint", "function breakpoint", "breakpoint")
        reason = next(each for each in order if each in reasons)
        return Moved(stop, reason, tuple(one.id for one in hits))

    def beginning(self) -> Moved:
        """Return the first line of the run."""
        return Moved(self._debuggee.recording.walk.first() or BEFORE, BEGINNING)

    def end(self) -> Moved:
        """Return the end of the run, as far as it is recorded."""
        return Moved(self._debuggee.recording.walk.last() or BEFORE, END)

    # -- what happens on the way -------------------------------------------------------------------

    def outputs(self, first: Stop, last: Stop) -> Iterator[dict[str, Any]]:
        """Iterate over the output events of a move forwards: what was printed, and log points."""
        recording = self._debuggee.recording
        told = [
            (each["time"], each["body"]) for each in _printed(recording, first.state, last.state)
        ]
        messages = self._breakpoints.logged(self._debuggee, first, last)
        for stop, text in messages[:MAX_LOGGED]:
            told.append((stop.state, self._message(stop, filled_in(recording, stop, text))))
        yield from (body for _, body in sorted(told, key=lambda each: int(each[0])))
        if len(messages) > MAX_LOGGED:
            yield {"category": "console", "output": f"… more than {MAX_LOGGED:,} messages\n"}
        for trouble in self._breakpoints.troubles():
            yield {"category": "important", "output": f"{trouble}\n"}

    def _message(self, stop: Stop, text: str) -> dict[str, Any]:
        program = self._debuggee.recording.program
        file = program.files[self._debuggee.recording.call(stop.call).function.file]
        source = {"name": file.path.rpartition("/")[2], "path": file.path}
        return {"category": "console", "output": f"{text}\n", "source": source, "line": stop.line}


def _printed(recording: Recording, first: int, last: int) -> Iterator[dict[str, Any]]:
    """Iterate over what was printed after a time, up to another one."""
    found = recording.events.select([Kind.PRINT], first=first + 1, last=last + 1)
    columns = [found.events[name].tolist() for name in ("key", "vtag", "value")]
    for time, stream, tag, bits in zip(found.times.tolist(), *columns, strict=True):
        value = recording.states.values.read(tag, bits)
        text = value.beginning if isinstance(value, Clipped) else value
        words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        body = {"category": _STREAMS.get(stream, "stdout"), "output": words}
        yield {"time": time, "body": body}
