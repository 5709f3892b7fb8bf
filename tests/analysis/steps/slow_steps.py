"""The steps of a call told one by one, without columns: what `Steps` is compared with."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from wrongcall.analysis.flow.entries import Told, told
from wrongcall.events import Kind, SiteKind
from wrongcall.recording import UNSET, Call, CallStep, Recording, StepKind

_OWN = {
    Kind.CAUGHT: StepKind.CAUGHT,
    Kind.YIELD: StepKind.YIELD,
    Kind.RESUME: StepKind.RESUME,
    Kind.PRINT: StepKind.PRINT,
    Kind.RETURN: StepKind.RETURN,
    Kind.RAISE: StepKind.RAISE,
    Kind.DROP: StepKind.DROP,
}
_DELETIONS = {Kind.LOCAL_DEL, Kind.ATTR_DEL, Kind.ENTRY_DEL, Kind.MEMBER_DEL}
_DELETIONS |= {Kind.REMOVE, Kind.CLEAR}


class SlowTimeline:
    """Tells what happened in the calls of a trace."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    # -- steps -------------------------------------------------------------------------------------

    def of(self, call: Call) -> list[CallStep]:
        """What happened in a call, in order; lines come before what they did."""
        happened = [*self._happened(call), *self._made(call)]
        happened.sort(key=lambda step: step.time)
        given = [step for step in happened if step.kind is StepKind.GIVEN]
        others = [step for step in happened if step.kind is not StepKind.GIVEN]
        return [*given, *self._told(call, others)]

    def _happened(self, call: Call) -> Iterator[CallStep]:
        found = call.events()
        for time, event in zip(found.times.tolist(), found.events, strict=True):
            kind, line = int(event["kind"]), self._recording.program.line(int(event["site"]))
            value = self._recording.states.values.read(int(event["vtag"]), int(event["value"]))
            if kind in _OWN:
                if kind in (Kind.RAISE, Kind.CAUGHT):
                    line = int(event["key"]) or line
                yield CallStep(time, _OWN[Kind(kind)], line, value=value)
            elif Kind.LOCAL <= kind <= Kind.FILL:
                site = self._recording.program.sites.get(int(event["site"]))
                how = StepKind.DELETE if kind in _DELETIONS else StepKind.WRITE
                if site is not None and site.kind == SiteKind.PARAM:
                    how = StepKind.GIVEN
                yield CallStep(time, how, line, value=UNSET if how is StepKind.DELETE else value)

    def _made(self, call: Call) -> Iterator[CallStep]:
        for child in call.children:
            yield CallStep(child.entry, StepKind.CALL, child.caller_line, child=child.id)

    def _told(self, call: Call, happened: list[CallStep]) -> Iterator[CallStep]:
        function = call.function
        entries = self._recording.execution.blocks(call.id)
        times = [step.time for step in happened]
        previous, done = -1, 0
        for i, entry in enumerate(entries):
            begin = bisect_right(times, entry.time - 1)
            yield from happened[done:begin]
            found = told(
                function,
                self._recording.execution._flow,
                previous,
                entry.block,
                entry.arrival,
                entry.cut,
            )
            previous = entry.block
            end = entries[i + 1].time if i + 1 < len(entries) else call.last + 1
            done = max(bisect_right(times, end - 1), begin)
            yield from _told_block(found, happened[begin:done], entry.time, end - 1)
        yield from happened[done:]


def _told_block(found: Told, inside: list[CallStep], first: int, last: int) -> Iterator[CallStep]:
    lead, own = found.passed[: found.lead], [one.line for one in found.passed[found.lead :]]
    for line, taken in lead:
        kind = StepKind.LINE if taken is None else StepKind.BRANCH
        yield CallStep(first, kind, line, taken=taken)
    ahead = {line for line, _ in lead} - set(own)
    done = 0
    while done < len(inside) and inside[done].line in ahead:
        yield inside[done]
        done += 1
    for i, line in enumerate(own):
        time = inside[done].time if done < len(inside) else max(first, last)
        yield CallStep(time, StepKind.LINE, line)
        later = set(own[i + 1 :])
        while done < len(inside) and inside[done].line not in later:
            yield inside[done]
            done += 1
    yield from inside[done:]


def latest(steps: list[CallStep], most: int) -> dict[int, list[CallStep]]:
    """What was written on each line: of each place the last value, the last so many places."""
    found: defaultdict[int, dict[str, CallStep]] = defaultdict(dict)
    for step in steps:
        if step.kind in (StepKind.WRITE, StepKind.GIVEN) and step.value is not UNSET:
            found[step.line].pop(step.place, None)
            found[step.line][step.place] = step
    return {line: list(places.values())[-most:] for line, places in found.items()}


def marks(recording: Recording, steps: list[CallStep], times: list[int]) -> list[tuple[int, bool]]:
    """Which steps, by time, changed a place that was written at these times; inside of a call?"""
    found: dict[int, bool] = {}
    for when in times:
        changing = (StepKind.WRITE, StepKind.DELETE, StepKind.GIVEN)
        for i, step in enumerate(steps):
            if step.time == when and step.kind in changing:
                found[i] = False
        made = [i for i, s in enumerate(steps) if s.kind is StepKind.CALL and s.time <= when]
        if made and when <= recording.call(steps[made[-1]].child).last:
            found.setdefault(made[-1], True)
    return sorted(found.items())


def is_rising(times: list[int]) -> bool:
    """Whether none of the times is before the one that precedes it."""
    return bool((np.diff(times) >= 0).all())
