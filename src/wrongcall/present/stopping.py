"""A call that had not ended when the run did, or that Ctrl-C ended, as it is put to an oracle: its state then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wrongcall.events import Layout
from wrongcall.present.values import ValueNode, Viewer
from wrongcall.recording import UNSET, Call, Outcome, Pause, Recording, Ref, Stopped
from wrongcall.replay.spans import SUSPENDED
from wrongcall.session.interrupted import is_interrupted
from wrongcall.session.starts import frames_of
from wrongcall.trace.read.values import identical

NOT_COMPLETED = "not completed"
"""While the run goes on."""
STILL_RUNNING, NEVER_ENDED = "still running", "never ended"
INTERRUPTED = "interrupted"
"""By Ctrl-C."""
_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE})


@dataclass(frozen=True)
class StoppedView:
    """Where a call was when the run stopped, and what its variables were."""

    word: str
    """As in: still running."""
    text: str
    """As in: still running when the run was killed, last seen at line 5."""
    line: int
    """0: not known."""
    inner: int
    """The call that it was waiting for, which had not ended either; 0: none."""
    inner_title: str
    variables: tuple[ValueNode, ...]
    """Its variables at that time, but for arguments that are what they were."""


def is_over(recording: Recording) -> bool:
    """Return whether a trace is complete."""
    return recording.ended is not None or not recording.is_recorded


def when_stopped(recording: Recording) -> str:
    """Say how a trace came to its end, as far as that is known."""
    if recording.ended == "killed":
        return "the run was killed"
    if recording.ended == "exit" and "stopped" not in recording.meta:
        return "the program exited"
    return "the recording stopped"


def unfinished_word(recording: Recording, call: Call) -> str:
    """Say in two words how a call stands that did not end."""
    if not is_over(recording):
        return NOT_COMPLETED
    return NEVER_ENDED if call.function.kind in SUSPENDED else STILL_RUNNING


def stopped_words(recording: Recording, stopped: Stopped) -> str:
    """Say where a call was when the run stopped."""
    when = when_stopped(recording)
    words = {
        Pause.RUNNING: f"{STILL_RUNNING} when {when}",
        Pause.SUSPENDED: f"{NEVER_ENDED}: suspended when {when}",
        Pause.NOT_STARTED: "never started",
        Pause.UNKNOWN: f"{NEVER_ENDED}: not finished when {when}",
    }[stopped.pause]
    seen = stopped.pause is not Pause.NOT_STARTED and stopped.line
    return f"{words}, last seen at line {stopped.line}" if seen else words


def stopped_view(
    recording: Recording, call: Call, title_of: Callable[[Call], str], depth: int, width: int
) -> StoppedView | None:
    """Return the state of a call that did not end by itself; None: it ended, or the run goes on."""
    if is_interrupted(recording, call):
        return _interrupted_view(recording, call, title_of, depth, width)
    stopped = (
        recording.execution.stopped(call.id)
        if call.outcome == Outcome.NONE and is_over(recording)
        else None
    )
    if stopped is None:
        return None
    variables = tuple(_variables(recording, call, call.last, depth, width))
    inner = title_of(recording.call(stopped.inner)) if stopped.inner else ""
    text = stopped_words(recording, stopped)
    word = unfinished_word(recording, call)
    return StoppedView(word, text, stopped.line, stopped.inner, inner, variables)


def _interrupted_view(
    recording: Recording, call: Call, title_of: Callable[[Call], str], depth: int, width: int
) -> StoppedView:
    *_, inner, _ = (0, *frames_of(call))
    title = title_of(recording.call(inner)) if inner else ""
    at = f" at line {call.raised_at}" if call.raised_at else ""
    variables = tuple(_variables(recording, call, call.exit, depth, width))
    text = f"{INTERRUPTED}{at}"
    return StoppedView(INTERRUPTED, text, call.raised_at, inner, title, variables)


def _variables(
    recording: Recording, call: Call, time: int, depth: int, width: int
) -> list[ValueNode]:
    if call.function.kind in ("module", "class"):
        return []
    given = {passed.name: passed.value for passed in call.args}
    viewer = Viewer(recording, time)
    return [
        viewer.tree(value, name, depth=depth, width=width)
        for name, value in recording.states.locals(call.id, time).items()
        if not identical(given.get(name, UNSET), value)
        and name not in call.function.free
        and not (
            isinstance(value, Ref)
            and recording.states.heap.peek(value.oid, time).layout in _PROGRAM
        )
    ]
