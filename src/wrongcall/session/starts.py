"""Where a search starts by itself: at a failed test, or at the exception that ended the program.

A failed test is wrong, by the test. If its own code raised, as an assertion does, the questions follow the value that
it found wrong (`wrong_value`); if the program raised, they follow the exception (`leading`).
"""

from __future__ import annotations

from wrongcall.events import Kind
from wrongcall.recording import Call, Outcome, Recording, Ref
from wrongcall.replay.spans import SUSPENDED
from wrongcall.session.answers import BY_TEST
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.session.failures import Failure
from wrongcall.session.interrupted import is_interrupted, perhaps_endless
from wrongcall.session.outermost import outermost
from wrongcall.session.search import Start
from wrongcall.session.wrong_value import Checked, WrongValue
from wrongcall.tree.pretrusted import DEFINITIONS

BY_VALUE = "asked because it made a value that the test found wrong"
BY_TIME = "asked because it was called just before the test failed"
LATEST = 3
"""Calls that are asked about first, if nothing more is known than that they came last."""
BY_EXCEPTION = "asked because the exception went through it"
BY_INTERRUPT = "asked because it was running when the program was interrupted"


def start_at(recording: Recording, failure: Failure, *, ask_tests: bool = False) -> Start:
    """Return the start of a search for the cause of a failure."""
    if not failure.call:
        # The test itself was not recorded: a doctest, a module of tests that is excluded.
        return Start(first=tuple(_latest(recording, failure)), by=BY_TEST, note=BY_TIME)
    call = recording.call(failure.call)
    way, note = frames_of(call), BY_EXCEPTION
    if is_interrupted(recording, call):
        way, note = list(perhaps_endless(recording, way)), BY_INTERRUPT
    if not failure.is_test:
        return Start(way=tuple(way), note=note)
    code = CodeOfTests(recording)
    mine = [call for call in way if ask_tests or not _is_test_code(recording, code, call)]
    if mine and mine[0] == way[0]:
        return Start(failure.call, way=tuple(mine), by=BY_TEST, note=note)
    first = _makers(recording, code, failure, way[0])
    return Start(failure.call, first=tuple(first), by=BY_TEST, note=BY_VALUE)


def _latest(recording: Recording, failure: Failure) -> list[int]:
    """Return the last outermost calls before a test failed, the latest first."""
    columns = recording.calls.columns()
    ran = outermost(recording) & (columns.entry > failure.began) & (columns.entry < failure.ended)
    found = [recording.call(number) for number in columns.id[ran].tolist()]
    mine = [call.id for call in found if call.function.kind not in DEFINITIONS]
    return mine[: -1 - LATEST : -1]


def _is_test_code(recording: Recording, code: CodeOfTests, call: int) -> bool:
    return code.has_function(recording.call(call).function.id)


def _makers(recording: Recording, code: CodeOfTests, failure: Failure, innermost: int) -> list[int]:
    line, time = _checked_at(recording, failure, innermost)
    return WrongValue(recording, code).makers(innermost, line, time) if line else []


def checked_by(recording: Recording, failure: Failure) -> list[Checked]:
    """Return the values that the check of a failed test compared, as recorded; none if the program raised."""
    if not failure.is_test or not failure.call:
        return []
    code, innermost = CodeOfTests(recording), frames_of(recording.call(failure.call))[0]
    line, time = _checked_at(recording, failure, innermost)
    if not line or not _is_test_code(recording, code, innermost):
        return []
    return WrongValue(recording, code).checked(innermost, line, time)


def _checked_at(recording: Recording, failure: Failure, innermost: int) -> tuple[int, int]:
    """Return the line of the check that failed in a call, and the time just before it failed."""
    call = recording.call(innermost)
    line, time = call.raised_at, call.exit - 1
    # If the call did not end there, an exception left a part of it: a subtest.
    return (line, time) if line else raised_inside(recording, call, failure.ended)


def raised_inside(recording: Recording, call: Call, before: int) -> tuple[int, int]:
    """Return the line and the time at which an exception last left a part of a call; 0 if none did."""
    found = recording.events.select({Kind.BLOCK, Kind.CAUGHT}, call=call.id, last=before)
    left = found.events["ktag"] != 0
    times, lines = found.times[left].tolist(), found.events["key"][left].tolist()
    return (int(lines[-1]), int(times[-1]) - 1) if times else (0, 0)


def frames_of(call: Call) -> list[int]:
    """Return the calls that the exception which ended a call went through, the innermost first."""
    raised, frames = call.value, [call.id]
    while (inner := _inner(call, raised)) is not None:
        call = inner
        frames.append(call.id)
    return list(reversed(frames))


def _inner(call: Call, raised: object) -> Call | None:
    """Return the call from which an exception came into a call; None: it was raised there."""
    return next((c for c in reversed(call.left_children) if _has_raised(c, call, raised)), None)


def _has_raised(call: Call, parent: Call, raised: object) -> bool:
    if _is_left_lambda(call):
        # Which exception left it is not recorded.
        came_from = parent.raised_at if parent.outcome == Outcome.RAISED else 0
        return call.caller_line == came_from or _inner(call, raised) is not None
    value = call.value
    is_same = isinstance(value, Ref) and isinstance(raised, Ref) and value.oid == raised.oid
    return call.outcome == Outcome.RAISED and is_same and not _was_thrown_into(call)


def _is_left_lambda(call: Call) -> bool:
    return call.function.kind == "lambda" and call.outcome == Outcome.DROPPED


def _was_thrown_into(call: Call) -> bool:
    """Return whether an exception came into a generator from outside, as into the one behind a ``with``."""
    if call.function.kind not in SUSPENDED:
        return False
    kinds = call.events().events["kind"].tolist()
    turns = [kind for kind in kinds if kind in (Kind.YIELD, Kind.RESUME)]
    return bool(turns) and turns[-1] == Kind.YIELD
