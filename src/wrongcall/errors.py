"""The errors of wrongcall: one hierarchy.

An error of the standard library or of a dependency is wrapped where it enters (`from exc`), so that
callers need to know these classes only. A message names the offending value and what to do about
it. Errors are raised anywhere and printed in one place, the `main()` of an interface, which ends
with the error's `exit_code`.
"""

from __future__ import annotations


class WrongcallError(Exception):
    """Something went wrong that the user should read about: a message, not a traceback."""

    exit_code = 1


class UsageError(WrongcallError):
    """The user asked for something that makes no sense: a wrong option, a missing file."""

    exit_code = 2


class TraceError(WrongcallError):
    """A trace cannot be read or written."""

    exit_code = 3


class TraceVersionError(TraceError):
    """A trace was written in a version of the format that this wrongcall does not read."""


class TraceFullError(TraceError):
    """The disk is full: the trace ends here, and what was written so far stays readable."""


class RecorderError(WrongcallError):
    """A program cannot be recorded: the recorder, not the program, failed."""

    exit_code = 4


class TreeError(WrongcallError):
    """A call, or a column of calls, that does not fit the execution tree."""


class SessionError(WrongcallError):
    """An answer, a verdict or a request that a debugging session cannot take; it stays as it was."""


class ContradictionError(SessionError):
    """An answer contradicts earlier ones; ``numbers`` are theirs."""

    def __init__(self, message: str, numbers: tuple[int, ...]) -> None:
        super().__init__(message)
        self.numbers = numbers
