"""Runs that somebody stopped, because one of their calls seems to be endless: with Ctrl-C, or with a signal.

The innermost of the calls that were running then is there by chance: a loop that never ends calls the same functions
again and again. What counts is how long calls had been running, in recorded events: the endless one had been running
for many rounds of its loop, the call that it was waiting for had only just begun.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from itertools import pairwise

from wrongcall.recording import Call, Outcome, Recording
from wrongcall.session.failures import INTERRUPT, exception_name

MANY_ROUNDS = 1000
"""If a call had been running for so many times as long as the one it was waiting for, it may be in an endless loop."""
CRASHES = frozenset(
    {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGSYS}
)
"""Signals that a program gets for what it did itself, in its innermost call."""


def is_interrupted(recording: Recording, call: Call) -> bool:
    """Return whether Ctrl-C ended a call."""
    return call.outcome == Outcome.RAISED and exception_name(recording, call) == INTERRUPT


def has_crashed(recording: Recording) -> bool:
    """Return whether the program was killed for what it did itself."""
    status = recording.meta.get("status")
    return isinstance(status, int) and -status in CRASHES


def perhaps_endless(recording: Recording, running: Sequence[int]) -> tuple[int, ...]:
    """Return running calls, given from the inside out, without the innermost ones that had only just begun.

    All of them, if none had been running for much longer than the one it was waiting for.
    """
    lengths = [1, *(_length(recording, recording.call(number)) for number in running)]
    times = [outer / inner for inner, outer in pairwise(lengths)]
    most = max(times, default=0)
    return tuple(running[times.index(most) if most >= MANY_ROUNDS else 0 :])


def _length(recording: Recording, call: Call) -> int:
    """Return how long a call had been running, in events."""
    ended = call.exit if call.exit >= 0 else recording.event_count
    return max(ended - call.entry, 1)
