"""A line of source for the page: its executions, expressions at them, and the rounds of its loop."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from wrongcall.errors import UsageError
from wrongcall.present.answers import answer_text
from wrongcall.present.lookup import find_call
from wrongcall.present.text import safe
from wrongcall.recording import Answer, Answered, Recording
from wrongcall.web import inside_contract
from wrongcall.web.call_json import MAX_ITEMS, time_of

WIDTH = 120
"""Columns of a value."""
MAX_NAMES = 4
"""Variables of a line that are shown at its executions, if no expression is asked for."""
_TEXTS = re.compile(r"""(?:'[^']*'|"[^"]*"|#.*)""")
_NAMES = re.compile(r"(?<![\w.])([^\W\d]\w*(?:\.[^\W\d]\w*)*)(\s*\()?")


@dataclass(frozen=True)
class Runs:
    """Which executions of a line are asked for."""

    file: int
    line: int
    expression: str = ""
    """Empty: the variables of the line."""
    below: int = 0
    """Only in this call and those below it; 0: everywhere."""
    first: int = 0
    count: int = 200
    every: int = 1
    """Of every this many executions, take the first: for a chart."""
    call: int = 0
    """The call and time to find among them."""
    time: int | None = None


def runs_data(recording: Recording, asked: Runs) -> inside_contract.LineRuns:
    """Return executions of a line, with what an expression, or the line's variables, were right before it ran."""
    if asked.file not in recording.program.files:
        raise UsageError(f"there is no file {asked.file}")
    file = recording.program.files[asked.file]
    expressions = [asked.expression] if asked.expression else _names(recording, asked)
    every = max(asked.every, 1)
    count = min(asked.count, MAX_ITEMS)
    which = slice(asked.first, asked.first + count * every, every)
    found, rows = recording.asking.some_executions(
        f"{file.path}:{asked.line}", expressions, which, below=asked.below
    )
    index = -1
    if asked.time is not None:
        earlier = found.time <= asked.time
        if asked.call:
            earlier &= found.call == asked.call
        index = int(earlier.nonzero()[0][-1]) if earlier.any() else -1
    return {
        "file": asked.file,
        "line": asked.line,
        "expressions": [safe(text) for text in expressions],
        "count": len(found.time),
        "first": asked.first,
        "index": index,
        "here": index >= 0 and int(found.time[index]) == asked.time,
        "runs": [_run(recording, row) for row in rows],
    }


def _run(recording: Recording, row: Answered) -> inside_contract.LineRun:
    return {
        "call": row.call,
        "function": safe(recording.call(row.call).function.qualname),
        "round": row.round,
        "time": row.time,
        "values": [answer_text(recording, each, row.state, WIDTH) for each in row.answers],
        "numbers": [_number(each) for each in row.answers],
    }


def _number(answer: Answer) -> float | None:
    """Return a number to draw; None: it is none."""
    value = answer.value
    if not answer.is_known or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _names(recording: Recording, asked: Runs) -> list[str]:
    """Return the variables that a line names, with their attributes; what is called is left out."""
    functions = [
        f
        for f in recording.program.functions.values()
        if f.file == asked.file and any(asked.line in block for block in f.blocks)
    ]
    own = {name for f in functions for name in (*f.locals, *f.params, *f.free)}
    lines = recording.program.files[asked.file].source.splitlines()
    text = lines[asked.line - 1] if 0 < asked.line <= len(lines) else ""
    found: dict[str, None] = {}
    for name, called in _NAMES.findall(_TEXTS.sub("", text)):
        shown = name.rpartition(".")[0] if called else name
        if shown and shown.partition(".")[0] in own:
            found[shown] = None
    return list(found)[:MAX_NAMES]


def rounds_data(
    recording: Recording, number: int, line: int, time: int | None, wanted: int
) -> inside_contract.Rounds:
    """Return a round of the loop around a line: the one at a time, or another of the same entry of the loop."""
    call = find_call(recording, number)
    found = recording.execution.rounds(number, line)
    nothing: inside_contract.Rounds = {
        "call": number,
        "header": 0,
        "last": 0,
        "count": 0,
        "round": 0,
        "start": 0,
        "end": 0,
    }
    if found is None:
        return nothing
    loop, rounds = found
    at = rounds.at(time_of(call, time))
    if at < 0:
        at = 0
    if not len(rounds.start):
        return {**nothing, "header": loop.header, "last": loop.last}
    count = int(rounds.total[at])
    if wanted:
        at += min(max(wanted, 1), count) - int(rounds.number[at])
    return {
        "call": number,
        "header": loop.header,
        "last": loop.last,
        "count": count,
        "round": int(rounds.number[at]),
        "start": int(rounds.start[at]),
        "end": int(rounds.end[at]),
    }


def evaluated_data(
    recording: Recording, number: int, expression: str, time: int | None
) -> inside_contract.Evaluated:
    """Return what an expression was in a call at a time."""
    when = time_of(find_call(recording, number), time)
    answer = recording.at(when, number).eval(expression)
    return {
        "call": number,
        "time": when,
        "expression": safe(expression),
        "text": answer_text(recording, answer, when, WIDTH),
        "known": answer.is_known,
    }
