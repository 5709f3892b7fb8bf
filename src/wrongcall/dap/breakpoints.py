"""Breakpoints of a client, as pauses in the recorded run.

A breakpoint is found anew when the run has grown. One that makes no sense is not verified, and says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from wrongcall.dap.arguments import Arguments
from wrongcall.dap.debuggee import Debuggee
from wrongcall.errors import UsageError
from wrongcall.recording import File, Pauses, Stop

EXCEPTION_FILTERS = (
    {
        "filter": "uncaught",
        "label": "Uncaught Exceptions",
        "description": "Where an exception was raised that ended the program or a thread.",
        "default": True,
        "supportsCondition": True,
        "conditionDescription": "names of exceptions, for example KeyError, ValueError",
    },
    {
        "filter": "raised",
        "label": "Raised Exceptions",
        "description": "Wherever an exception was raised in recorded code.",
        "default": False,
        "supportsCondition": True,
        "conditionDescription": "names of exceptions, for example KeyError, ValueError",
    },
)
MAX_LOGGED = 1000
"""Messages of one log point that are shown for one move."""


@dataclass
class Breakpoint:
    """One breakpoint."""

    id: int
    reason: str
    """As the protocol calls it."""
    find: Callable[[], Pauses]
    log: str = ""
    """A message to print, instead of stopping."""
    place: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    _found: tuple[int, Pauses] | None = None

    def pauses(self, events: int, check: Callable[[], None]) -> Pauses:
        """Return where it pauses in a run with this many events."""
        if self._found is None or self._found[0] != events:
            self._found = (events, self.find())
        self._found[1].check = check
        return self._found[1]

    def described(self) -> dict[str, Any]:
        """Return it as the protocol does."""
        told: dict[str, Any] = {"id": self.id, "verified": not self.problem, **self.place}
        if self.problem:
            told |= {"message": self.problem, "reason": "failed"}
        return told


class Breakpoints:
    """All breakpoints of a client."""

    def __init__(self, check: Callable[[], None]) -> None:
        """``check`` is called now and then in a long search, and may raise an error."""
        self._check = check
        self._ids = 0
        self._lines: dict[str, list[Breakpoint]] = {}
        self._others: dict[str, list[Breakpoint]] = {}

    def _all(self) -> list[Breakpoint]:
        lines = [one for some in self._lines.values() for one in some]
        return lines + [one for some in self._others.values() for one in some]

    # -- setting them ------------------------------------------------------------------------------

    def set_lines(self, debuggee: Debuggee, arguments: Arguments) -> list[dict[str, Any]]:
        """Replace those of a file."""
        source = arguments.inner("source")
        path = source.text("path", "")
        file = debuggee.file(path)
        number = source.number("sourceReference", 0)
        if file is None and number:
            file = debuggee.recording.program.files.get(number)
        wanted = arguments.each("breakpoints")
        self._lines[path or str(number)] = made = [
            self._line(debuggee, file, one) for one in wanted
        ]
        return [one.described() for one in made]

    def _line(self, debuggee: Debuggee, file: File | None, wanted: Arguments) -> Breakpoint:
        line = wanted.number("line")
        condition, count = wanted.text("condition", ""), wanted.text("hitCondition", "")
        if file is None:
            return self._failed("breakpoint", "no code of this file was recorded", line=line)
        line = statement_at(debuggee, file, line)
        where = f"{file.path}:{line}"
        made = self._made(
            debuggee,
            "breakpoint",
            lambda: debuggee.recording.pauses.at_line(where, condition, count),
            line=line,
        )
        made.log = wanted.text("logMessage", "")
        return made

    def set_functions(self, debuggee: Debuggee, arguments: Arguments) -> list[dict[str, Any]]:
        """Replace those at functions."""

        def one(wanted: Arguments) -> Breakpoint:
            name = wanted.text("name")
            condition, count = wanted.text("condition", ""), wanted.text("hitCondition", "")
            return self._made(
                debuggee,
                "function breakpoint",
                lambda: debuggee.recording.pauses.at_function(name, condition, count),
            )

        return self._set("functions", [one(each) for each in arguments.each("breakpoints")])

    def set_data(self, debuggee: Debuggee, arguments: Arguments) -> list[dict[str, Any]]:
        """Replace those at places."""

        def one(wanted: Arguments) -> Breakpoint:
            call, path, time = _place(wanted.text("dataId"))
            condition, count = wanted.text("condition", ""), wanted.text("hitCondition", "")
            if wanted.text("accessType", "write") != "write":
                return self._failed("data breakpoint", "reads are not recorded, only writes")
            return self._made(
                debuggee,
                "data breakpoint",
                lambda: debuggee.recording.pauses.at_writes(call, path, time, condition, count),
            )

        return self._set("data", [one(each) for each in arguments.each("breakpoints")])

    def set_exceptions(self, debuggee: Debuggee, arguments: Arguments) -> list[dict[str, Any]]:
        """Replace those at exceptions."""
        wanted = [(name, "") for name in arguments.texts("filters")]
        options = arguments.each("filterOptions")
        wanted += [(one.text("filterId"), one.text("condition", "")) for one in options]

        def one(name: str, condition: str) -> Breakpoint:
            if name not in [each["filter"] for each in EXCEPTION_FILTERS]:
                return self._failed("exception", f"there is no exception filter {name!r}")
            names = [each.strip() for each in condition.split(",") if each.strip()]
            find = debuggee.recording.pauses.at_exceptions
            return self._made(
                debuggee, "exception", lambda: find(uncaught=name == "uncaught", names=names)
            )

        return self._set("exceptions", [one(*each) for each in wanted])

    def _set(self, kind: str, made: list[Breakpoint]) -> list[dict[str, Any]]:
        self._others[kind] = made
        return [one.described() for one in made]

    def _made(
        self, debuggee: Debuggee, reason: str, find: Callable[[], Pauses], **place: Any
    ) -> Breakpoint:
        self._ids += 1
        made = Breakpoint(self._ids, reason, find, place=place)
        try:
            made.pauses(debuggee.recording.event_count, self._check)
        except UsageError as error:
            made.problem = str(error)
        return made

    def _failed(self, reason: str, problem: str, **place: Any) -> Breakpoint:
        self._ids += 1
        return Breakpoint(self._ids, reason, _nothing, place=place, problem=problem)

    # -- using them --------------------------------------------------------------------------------

    def nearest(
        self, debuggee: Debuggee, stop: Stop, *, back: bool
    ) -> tuple[Stop | None, list[Breakpoint]]:
        """Return the next or previous stop at which a breakpoint pauses, and which ones do."""
        found: list[tuple[Stop, Breakpoint]] = []
        for one in self._all():
            if one.problem or one.log:
                continue
            pauses = one.pauses(debuggee.recording.event_count, self._check)
            at = pauses.previous(stop) if back else pauses.next(stop)
            if at is not None:
                found.append((at, one))
        if not found:
            return None, []
        choose = max if back else min
        nearest = choose((at for at, _ in found), key=lambda at: at.order)
        return nearest, [one for at, one in found if at.order == nearest.order]

    def logged(self, debuggee: Debuggee, first: Stop, last: Stop) -> list[tuple[Stop, str]]:
        """Return the messages of log points after a stop and up to another one, in order, not yet filled in."""
        found: list[tuple[Stop, str]] = []
        for one in self._all():
            if one.log and not one.problem:
                pauses = one.pauses(debuggee.recording.event_count, self._check)
                stops = islice(pauses.between(first, last), MAX_LOGGED + 1)
                found += [(stop, one.log) for stop in stops]
        return sorted(found, key=lambda each: each[0].order)

    def troubles(self) -> list[str]:
        """Say which conditions could not be evaluated, once each."""
        found = []
        for one in self._all():
            if one._found is not None and one._found[1].undecided:
                count = one._found[1].undecided
                one._found[1].undecided = 0
                found.append(f"breakpoint {one.id}: the condition can't be evaluated {count} times")
        return found


def _nothing() -> Pauses:
    raise UsageError("it was not verified")


def statement_at(debuggee: Debuggee, file: File, line: int) -> int:
    """Return the first line from this one on at which a statement begins; the line itself if there is none."""
    return min((each for each in statement_lines(debuggee, file) if each >= line), default=line)


def statement_lines(debuggee: Debuggee, file: File) -> list[int]:
    """Return the lines of a file at which a statement begins."""
    functions = debuggee.recording.program.functions.values()
    lines = {n for f in functions if f.file == file.id for block in f.blocks for n in block}
    return sorted(lines)


def data_id(call: int, path: str, time: int) -> str:
    """Return the identifier of a place."""
    return json.dumps([call, path, time])


def _place(identifier: str) -> tuple[int, str, int]:
    try:
        call, path, time = json.loads(identifier)
    except ValueError as exc:
        raise UsageError(f"{identifier!r} is not the dataId of a place") from exc
    return int(call), str(path), int(time)
