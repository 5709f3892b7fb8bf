"""The exceptions of wrongcall: one hierarchy.

Errors of the standard library or of a dependency are wrapped where they enter (`from exc`), so that callers need to
know only these classes. A message names the offending value and what to do about it. Errors may be raised anywhere but
are printed in one place, the `main()` of an interface, which exits with the error's `exit_code`.
"""

from __future__ import annotations


class WrongcallError(Exception):
    """An error the user should read about: a message, not a traceback."""

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


class TraceBusyError(TraceError):
    """Another debugger is using the trace."""


class RecorderError(WrongcallError):
    """The program cannot be recorded: the recorder failed, not the program."""

    exit_code = 4


class NotKnownError(WrongcallError):
    """The recording does not tell what an expression was; the message says why."""


class TreeError(WrongcallError):
    """A call, or a column of calls, does not fit the execution tree."""


class SessionError(WrongcallError):
    """A debugging session cannot accept an answer, verdict or request; the session is unchanged."""


class ContradictionError(SessionError):
    """An answer contradicts earlier ones; ``numbers`` says which."""

    def __init__(self, message: str, numbers: tuple[int, ...]) -> None:
        super().__init__(message)
        self.numbers = numbers


class OracleError(WrongcallError):
    """An oracle can't answer or remember; the search goes on without it."""
