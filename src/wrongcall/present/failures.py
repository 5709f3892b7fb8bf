"""What went wrong, in words: the failed test or the exception that a search starts with."""

from __future__ import annotations

from wrongcall.present.groups import member
from wrongcall.present.lines import Line, paragraph
from wrongcall.present.questions import short_path
from wrongcall.present.text import columns, fit, fit_left, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import Call, Outcome, Recording
from wrongcall.session.answers import BY_TEST
from wrongcall.session.failures import Failure, failures_of
from wrongcall.session.interrupted import is_interrupted
from wrongcall.session.search import Start
from wrongcall.session.starts import checked_by, frames_of
from wrongcall.session.unrecorded_raise import raised_in

TRUSTED = "Tests, fixtures and their helpers are trusted (--ask-tests asks about them too)."
NOT_THE_PROGRAM = frozenset({"pytest", "_pytest", "unittest", "hypothesis"})
"""Packages that say that a test failed; recording them says no more."""
_CHECKED = 4
"""Checked values that are shown."""
_MESSAGE = 40
"""Columns that a message gets at least, or else a line of its own."""


def failure_entry(recording: Recording, number: int, failure: Failure, width: int) -> list[Line]:
    """Return a failed test as an entry of a list: a line, or two if its name is long.

    The end of a long name is what tells one parametrised test from the next, so it is cut at its left.
    """
    head, name = (f"  {number:>2} ", "number"), safe(failure.test)
    text = message_of(recording, failure).removeprefix("AssertionError: ")
    if not failure.call:
        text += " (nothing of it was recorded)"
    room = width - columns(head[0])
    if columns(name) + 2 + columns(text) <= room or columns(name) <= room - _MESSAGE:
        return [(head, name, "  ", (fit(text, room - columns(name) - 2), "wrong"))]
    below = " " * columns(head[0])
    return [(head, fit_left(name, room)), (below, (fit(text, room), "wrong"))]


def failure_lines(recording: Recording, start: Start, width: int) -> list[Line]:
    """Return what a search starts with, for people; nothing if it starts elsewhere."""
    failure = _failure(recording, start)
    if failure is None:
        return []
    text = message_of(recording, failure)
    foreign = _foreign_lines(recording, failure, width)
    if not failure.is_test:
        said = f"The program ended with {text}{_place(recording, start)}"
        if is_interrupted(recording, recording.call(failure.call)):
            said = "The program was interrupted. One of the calls that were running may be endless."
        return [*paragraph(said, width, "wrong"), *foreign]
    lines = paragraph(failed_text(recording, failure), width, "wrong")
    for each in checked_by(recording, failure)[:_CHECKED]:
        name = fit(safe(each.text), width // 2)
        text = Viewer(recording, each.time).line(each.value, width - columns(name) - 5)
        lines.append(("  ", name, " = ", text))
    if failure.example:
        shown = " ".join(failure.example.split())
        lines += paragraph(f"Failing example: {safe(shown)}", width)
    return [*lines, *foreign, *paragraph(TRUSTED, width, "quiet")]


def _foreign_lines(recording: Recording, failure: Failure, width: int) -> list[Line]:
    """Return which package raised the exception, if it was not recorded."""
    if not failure.call:
        return []
    innermost = recording.call(frames_of(recording.call(failure.call))[0])
    package = safe(raised_in(recording, innermost))
    if not package or package in NOT_THE_PROGRAM:
        return []
    text = f"raised in {package}, which is not recorded; record it too: --include {package}"
    return paragraph(text, width, "marked")


def _failure(recording: Recording, start: Start) -> Failure | None:
    """Return the failure that a start is about."""
    call = start.wrong if start.by == BY_TEST else start.way[-1] if start.way else 0
    if not call and start.by != BY_TEST:
        return None
    return next((each for each in failures_of(recording) if each.call == call), None)


def failed_text(recording: Recording, failure: Failure) -> str:
    """Return which test failed, and what it said."""
    return f"{safe(failure.test)} failed: {message_of(recording, failure)}"


def message_of(recording: Recording, failure: Failure) -> str:
    """Return what the test runner says about a failure, or else the exception."""
    if failure.message or not failure.call:
        return safe(failure.message)
    return exception_text(recording, recording.call(failure.call))


def exception_text(recording: Recording, call: Call, width: int = 200) -> str:
    """Return the exception that a call ended with; for a call that ended otherwise, its outcome."""
    if call.outcome != Outcome.RAISED:
        return member(recording, call.id).outcome
    return Viewer(recording, call.exit).line(call.value, width)


def _place(recording: Recording, start: Start) -> str:
    """Return where the exception was raised, as far as it is recorded."""
    innermost = recording.call(start.way[0]) if start.way else None
    if innermost is None or not innermost.raised_at:
        return ""
    path = short_path(recording, recording.program.files[innermost.function.file].path)
    return f", raised at {path}:{innermost.raised_at}"
