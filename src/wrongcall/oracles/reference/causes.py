"""What comes of repeating calls, and why some can't be judged by that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wrongcall.session.answers import Verdict


class Cause(StrEnum):
    """A class of reasons, to count them by."""

    INPUT = "its input can't be rebuilt"
    OUTCOME = "its outcome is not fully known"
    MISSING = "the reference has no such code"
    KIND = "calls of this kind are not repeated"
    OUTSIDE = "it touches files, processes, the network, the clock, or chance"
    UNSTABLE = "repeating it gives different outcomes"
    LIMIT = "repeating it takes too much time or memory"
    CRASH = "the reference crashed"


class UnanswerableError(BaseException):
    """The call can't be repeated or compared, so nothing can be said about it.

    No `Exception`, as the program that is being repeated may catch those.
    """

    def __init__(self, text: str, cause: Cause = Cause.INPUT) -> None:
        super().__init__(text)
        self.cause = cause


@dataclass(frozen=True)
class Judgement:
    """What came of repeating calls."""

    verdict: Verdict
    """Right, wrong, or don't know."""
    reason: str = ""
    """What the reference does instead, or why nothing is known."""
    cause: Cause | None = None
    """The class of the reason, if nothing is known."""
    is_same_code: bool = False
    """It was not repeated: no changed code ran in it."""
