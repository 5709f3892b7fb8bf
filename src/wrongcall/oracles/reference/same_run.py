"""The same run with the reference's code: calls that began before the two parted are compared with each other.

The command that was recorded is run once more with the reference's code and the same tests, and recorded. Until changed
code runs for the first time, both runs execute the same statements; if their events show that they were in the same
state then, a call that had begun by that time found exactly the same state in both, whatever it contains: locks, open
files, objects of C code. What it did in the other run is what the reference does. Nothing is rebuilt and nothing is
repeated.

Later calls are not compared, even if all that was recorded of them is the same: changed code may have left something
behind that is not recorded.

A difference may also come from chance. So a call is called wrong only if the reference does the same in a second run.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.events import CARRIERS, Kind, Tag
from wrongcall.oracles.reference.causes import Cause, Judgement
from wrongcall.oracles.reference.changes import Changes
from wrongcall.oracles.reference.run_outcomes import Outcomes
from wrongcall.recording import Recording
from wrongcall.session.answers import Verdict
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.trace.format.event_records import kind_table, obj_ids

Again = Callable[[], Recording | None]
"""Runs the command with the reference's code, and returns the recording; None: that is not possible."""
_PART = 1 << 16
_TEXTS = np.zeros(256, np.bool_)
_TEXTS[[Tag.STR, Tag.BYTES, Tag.BIGINT, Tag.COMPLEX, Tag.TUPLE]] = True
"""Tags of values that are stored elsewhere. Texts may contain the names of folders."""
_CARRIES = kind_table(CARRIERS)
_SYSTEM = (Kind.PROCESS, Kind.THREAD)
"""Events with numbers that the system gave."""
_LATER = "it began after changed code had run"


class SameRun:
    """Compares the calls of a run with those of the same run with other code."""

    def __init__(self, recording: Recording, changes: Changes, again: Again) -> None:
        self._recording = recording
        self._changes = changes
        self._again = again

    def judgement(self, calls: tuple[int, ...]) -> Judgement:
        """Return whether a call did the same in the other run; groups are not compared."""
        if len(calls) > 1 or self._recording.call(calls[0]).entry > self._parted:
            return _silent(_LATER)
        found = self._compared(self._first, calls[0])
        if found.verdict is Verdict.WRONG:
            second = self._compared(self._second, calls[0])
            if second != found:
                unknown = second.verdict is Verdict.DONT_KNOW
                return second if unknown else _silent("the runs differ by chance")
        return found

    @property
    def trouble(self) -> str:
        """Why the other run, if there was one, can't be compared; empty: it can."""
        return self._first[1] if "_first" in vars(self) else ""

    @cached_property
    def _parted(self) -> int:
        """When changed code ran for the first time; -1: nothing is known to be the same before."""
        if self._changes.since < self._recording.event_count:
            return -1
        columns = self._recording.calls.columns()
        changed = self._changes.themselves - CodeOfTests(self._recording).functions()
        rows = np.flatnonzero(np.isin(columns.function, list(changed)))
        return int(columns.entry[rows[0]]) if len(rows) else -1

    @cached_property
    def _first(self) -> tuple[Recording | None, str]:
        return self._recorded_again()

    @cached_property
    def _second(self) -> tuple[Recording | None, str]:
        return self._recorded_again()

    def _recorded_again(self) -> tuple[Recording | None, str]:
        """Return a run with the reference, and why it can't be compared, if so."""
        other = self._again()
        if other is None:
            return None, "nothing was recorded, or its modules came from elsewhere"
        why = _why_not(self._recording, other, self._parted)
        return other, why

    def _compared(self, run: tuple[Recording | None, str], call: int) -> Judgement:
        other, why = run
        if other is None or why:
            return _silent(why)
        plain = tuple(partial(_without, _folder(each)) for each in (self._recording, other))
        oldest = _largest_object(self._recording, self._parted)
        return Outcomes(self._recording, other, oldest, (plain[0], plain[1])).judgement(call)


def _silent(why: str) -> Judgement:
    return Judgement(Verdict.DONT_KNOW, why, Cause.UNSTABLE)


def _folder(recording: Recording) -> str:
    return os.path.realpath(str(recording.meta.get("root", "")))


def _without(folder: str, text: str) -> str:
    return text.replace(folder, "") if folder else text


def _largest_object(recording: Recording, until: int) -> int:
    """Return the largest number of an object that was seen before a time."""
    largest = 0
    for first in range(0, until, _PART):
        events = recording.events.between(first, min(first + _PART, until))
        seen = obj_ids(events)[events["kind"] == Kind.OBJ]
        largest = max(largest, int(seen.max(initial=0)))
    return largest


def _why_not(one: Recording, other: Recording, until: int) -> str:
    """Return why two runs were not in the same state at a time; empty: they were, as far as was recorded."""
    if other.event_count <= until:
        return "it ended before changed code ran"
    for first in range(0, until + 1, _PART):
        last = min(first + _PART, until + 1)
        if not _same_events(one.events.between(first, last), other.events.between(first, last)):
            return "the runs differ before changed code ran"
    calls = [run.calls.columns() for run in (one, other)]
    count = int(np.searchsorted(calls[0].entry, until, side="right"))
    functions = zip(
        calls[0].function[:count].tolist(), calls[1].function[:count].tolist(), strict=True
    )
    for mine, its in set(functions):
        if _named(one, mine) != _named(other, its):
            return "the runs differ before changed code ran"
    return ""


def _named(recording: Recording, number: int) -> tuple[str, str]:
    function = recording.program.functions[number]
    return recording.program.files[function.file].module, function.qualname


def _same_events(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Return whether events are the same but for texts and sites."""
    for name in ("kind", "ktag", "call", "hi"):
        if not np.array_equal(one[name], other[name]):
            return False
    texts = _CARRIES[one["kind"]]
    if not np.array_equal(one["vtag"][~texts], other["vtag"][~texts]):
        return False
    for name, free in (
        ("obj", texts),
        ("key", texts | _TEXTS[one["ktag"]] | _is_caller(one["kind"])),
        ("value", texts | _TEXTS[one["vtag"]] | np.isin(one["kind"], _SYSTEM)),
    ):
        if not np.array_equal(one[name][~free], other[name][~free]):
            return False
    return True


def _is_caller(kinds: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return which events have a site, a line or a system's number as a key."""
    return np.isin(
        kinds, (Kind.ENTER, Kind.CREATE, Kind.RAISE, Kind.CAUGHT, Kind.THREAD, Kind.PROCESS)
    )
