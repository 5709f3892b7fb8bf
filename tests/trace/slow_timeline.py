"""The steps of a call told one by one, without columns: what `Steps` is compared with."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wrongcall.events import Kind, SiteKind
from wrongcall.trace import UNSET, BlockEntry, Call, CallStep, StepKind, Trace
from wrongcall.trace.program import Function

_MARKS = {
    *(Kind.LOCAL, Kind.LOCAL_DEL, Kind.ATTR, Kind.ATTR_DEL, Kind.ITEM, Kind.ENTRY),
    *(Kind.ENTRY_DEL, Kind.BLOCK, Kind.CAUGHT, Kind.YIELD, Kind.RESUME, Kind.RETURN),
}
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

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    # -- blocks ------------------------------------------------------------------------------------

    def blocks(self, call: Call) -> list[BlockEntry]:
        """The blocks of a call in the order in which they were entered."""
        steps = sorted([*self._own_places(call), *self._made_places(call)])
        entries: list[BlockEntry] = []
        first: int | None = None
        for time, site, mark in steps:
            block = self._trace.sites[site].block
            if not entries or block != entries[-1].block:
                entries.append(BlockEntry(time, block))
                first = None
            elif mark and site == first:
                entries.append(BlockEntry(time, block))
            if mark and first is None:
                first = site
        passing = 0
        found = call.events()
        for time, event in zip(found.times.tolist(), found.events, strict=True):
            left = event["kind"] == Kind.BLOCK and event["ktag"]
            if left or event["kind"] in (Kind.RAISE, Kind.CAUGHT):
                line = int(event["key"])
                if line != passing:
                    _cut(entries, call.function, time, line)
                passing = line if left else 0
        return entries

    def _own_places(self, call: Call) -> Iterator[tuple[int, int, bool]]:
        found = call.events()
        for time, event in zip(found.times.tolist(), found.events, strict=True):
            left = event["kind"] == Kind.BLOCK and event["ktag"]
            if not left and event["kind"] not in (Kind.RAISE, Kind.DROP):
                yield from self._place(call, time, int(event["site"]), int(event["kind"]))

    def _made_places(self, call: Call) -> Iterator[tuple[int, int, bool]]:
        for child in call.children:
            if child.caller is not None:
                yield from self._place(call, child.entry, child.caller.id, Kind.ENTER)

    def _place(
        self, call: Call, time: int, site: int, kind: int
    ) -> Iterator[tuple[int, int, bool]]:
        known = self._trace.sites.get(site)
        if known is not None and known.function == call.function.id:
            repeats = known.kind in (SiteKind.CALL, SiteKind.TARGET)
            yield time, site, kind in _MARKS and not repeats

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
            kind, line = int(event["kind"]), self._trace.line(int(event["site"]))
            value = self._trace.values.read(int(event["vtag"]), int(event["value"]))
            if kind in _OWN:
                if kind in (Kind.RAISE, Kind.CAUGHT):
                    line = int(event["key"]) or line
                yield CallStep(time, _OWN[Kind(kind)], line, value=value)
            elif Kind.LOCAL <= kind <= Kind.FILL:
                site = self._trace.sites.get(int(event["site"]))
                how = StepKind.DELETE if kind in _DELETIONS else StepKind.WRITE
                if site is not None and site.kind == SiteKind.PARAM:
                    how = StepKind.GIVEN
                yield CallStep(time, how, line, value=UNSET if how is StepKind.DELETE else value)

    def _made(self, call: Call) -> Iterator[CallStep]:
        for child in call.children:
            yield CallStep(child.entry, StepKind.CALL, child.caller_line, child=child.id)

    def _told(self, call: Call, happened: list[CallStep]) -> Iterator[CallStep]:
        function = call.function
        entries = self.blocks(call)
        times = [step.time for step in happened]
        previous, done = -1, 0
        for i, entry in enumerate(entries):
            begin = bisect_right(times, entry.time - 1)
            yield from happened[done:begin]
            yield from self._branches(function, entries[i - 1 : i], previous, entry)
            previous = entry.block
            end = entries[i + 1].time if i + 1 < len(entries) else call.last + 1
            done = bisect_right(times, end - 1)
            known = entry.block < len(function.blocks)
            lines = function.blocks[entry.block] if known else ()
            ran = [number for number in lines if not entry.cut or number <= entry.cut]
            yield from _told_block(ran, happened[begin:done], end - 1)
        yield from happened[done:]

    def _branches(
        self, function: Function, before: list[BlockEntry], previous: int, entry: BlockEntry
    ) -> Iterator[CallStep]:
        flow = self._trace._flow
        if before and before[0].cut:
            test = flow.test(function, previous, entry.block)
            tests = [] if test is None else [test]
        else:
            tests = flow.tests(function, previous, entry.block)
        for line, taken in tests:
            yield CallStep(entry.time, StepKind.BRANCH, line, taken=taken)


def _told_block(lines: list[int], inside: list[CallStep], last: int) -> Iterator[CallStep]:
    lines = list(dict.fromkeys(lines))
    done = 0
    for i, line in enumerate(lines):
        time = inside[done].time if done < len(inside) else last
        yield CallStep(time, StepKind.LINE, line)
        later = set(lines[i + 1 :])
        while done < len(inside) and inside[done].line not in later:
            yield inside[done]
            done += 1
    yield from inside[done:]


def _cut(entries: list[BlockEntry], function: Function, time: int, line: int) -> None:
    place = bisect_left(entries, time, key=lambda entry: entry.time)
    holding = [i for i, lines in enumerate(function.blocks) if line in lines]
    if place and (not holding or entries[place - 1].block in holding):
        entries[place - 1] = replace(entries[place - 1], cut=line)
    elif holding:
        known = [entry.block for entry in entries[:place] if entry.block in holding]
        block = known[-1] if known else holding[0]
        entries.insert(place, BlockEntry(time, block, line))


def latest(steps: list[CallStep], most: int) -> dict[int, list[CallStep]]:
    """What was written on each line: of each place the last value, the last so many places."""
    found: defaultdict[int, dict[str, CallStep]] = defaultdict(dict)
    for step in steps:
        if step.kind in (StepKind.WRITE, StepKind.GIVEN) and step.value is not UNSET:
            found[step.line].pop(step.place, None)
            found[step.line][step.place] = step
    return {line: list(places.values())[-most:] for line, places in found.items()}


def marks(trace: Trace, steps: list[CallStep], times: list[int]) -> list[tuple[int, bool]]:
    """Which steps, by time, changed a place that was written at these times; inside of a call?"""
    found: dict[int, bool] = {}
    for when in times:
        changing = (StepKind.WRITE, StepKind.DELETE, StepKind.GIVEN)
        for i, step in enumerate(steps):
            if step.time == when and step.kind in changing:
                found[i] = False
        made = [i for i, s in enumerate(steps) if s.kind is StepKind.CALL and s.time <= when]
        if made and when <= trace.call(steps[made[-1]].child).last:
            found.setdefault(made[-1], True)
    return sorted(found.items())


def is_rising(times: list[int]) -> bool:
    """Whether none of the times is before the one that precedes it."""
    return bool((np.diff(times) >= 0).all())
