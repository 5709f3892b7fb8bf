"""Find the calls and times that a user names; a wrong one is a usage error."""

from __future__ import annotations

from wrongcall.errors import UsageError
from wrongcall.recording import Call, Recording


def find_call(recording: Recording, number: int) -> Call:
    """Return a call by its number."""
    last = recording.calls.count
    if not 1 <= number <= last:
        there = f"the trace has calls 1 to {last}" if last else "the trace has no calls"
        raise UsageError(f"there is no call {number}: {there}")
    return recording.call(number)


def check_time(call: Call, time: int | None) -> int | None:
    """Return a time if it is one of the call's."""
    if time is not None and not call.entry <= time <= call.last:
        raise UsageError(
            f"call {call.id} has no time {time}: it ran from {call.entry} to {call.last}"
        )
    return time
