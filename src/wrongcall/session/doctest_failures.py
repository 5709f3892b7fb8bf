"""Failed doctests of ``python -m doctest``, from the report that it prints.

The examples themselves are not recorded, only what they call and what is printed. The report of a failed example
follows its calls, so the last outermost call before it was made by the example, if the example is a call of that
function; then the call is wrong, by the test. Of any other example, no call is known to be wrong.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.recording import Call, Recording
from wrongcall.session.outermost import outermost
from wrongcall.session.printed_text import printed_texts

_REPORT = re.compile(
    r'^File "(?P<file>[^\n]*)", line (?P<line>\d+), in (?P<name>[^\n]*)\n'
    r"Failed example:\n(?P<source>(?:    [^\n]*\n)+)(?P<rest>(?:(?!\*{70}).*\n?)*)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class FailedExample:
    """An example that failed."""

    name: str
    source: str
    message: str
    time: int
    """When it was reported."""


def failed_examples(recording: Recording) -> Iterator[FailedExample]:
    """Go through the examples that failed, in order."""
    for time, text in printed_texts(recording):
        for match in _REPORT.finditer(text):
            source = "\n".join(line[4:] for line in match["source"].splitlines())
            name = f"{match['name']}, line {match['line']}"
            yield FailedExample(name, source, _message(match["rest"]), time)


def _message(rest: str) -> str:
    """Return what was expected and what came instead, on one line."""
    words = rest.replace("Expected:\n", "expected ").replace("Got:\n", "got ").split()
    return " ".join(words)


def called_by(recording: Recording, source: str, first: int, last: int) -> Call | None:
    """Return the call that an example consists of: the last outermost one between two times."""
    name = _called_name(source)
    columns = recording.calls.columns()
    ran = (
        outermost(recording) & (columns.entry > first) & (columns.exit >= 0) & (columns.exit < last)
    )
    calls = [recording.call(number) for number in columns.id[ran][-1:].tolist()]
    return calls[0] if calls and name and calls[0].function.name == name else None


def _called_name(source: str) -> str:
    """Return the name of the function that an example calls, if it is nothing but a call."""
    try:
        body = ast.parse(source.strip()).body
    except (SyntaxError, ValueError, RecursionError):
        return ""
    value = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
    if not isinstance(value, ast.Call):
        return ""
    function = value.func
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""
