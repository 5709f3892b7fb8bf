"""Failed subtests of ``unittest``, from the report that it prints when all tests have run.

A subtest that fails does not end its test method, so the calls do not tell; the report does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.recording import Outcome, Recording
from wrongcall.session.printed_text import printed_texts

_REPORT = re.compile(
    r"^(?:FAIL|ERROR): (?P<name>\w+) \((?P<path>[\w.]+)\) (?P<subtest>\S.*)\n"
    r"(?:.*\n)?-{70}\n(?P<rest>(?:(?![=-]{70}).*\n?)*)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class FailedSubtest:
    """A subtest that failed, and the call of the method that it is in."""

    name: str
    message: str
    call: int


def failed_subtests(recording: Recording) -> Iterator[FailedSubtest]:
    """Go through the failed subtests, in the order of the report."""
    methods = {
        f"{recording.program.files[function.file].module}.{function.qualname}": number
        for number, function in recording.program.functions.items()
        if function.name.startswith("test")
    }
    if not methods:
        return
    text = "".join(text for _, text in printed_texts(recording))
    for match in _REPORT.finditer(text):
        function = methods.get(match["path"])
        calls = [] if function is None else recording.calls.of_functions([function])
        for call in calls:
            if recording.call(call).outcome == Outcome.RETURNED:
                name = f"{match['path']} {match['subtest']}"
                yield FailedSubtest(name, _last_line(match["rest"]), call)
                break


def _last_line(text: str) -> str:
    """Return the last line of a traceback: the exception."""
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")
