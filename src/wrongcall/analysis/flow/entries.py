"""The blocks that a call entered, as columns, and what each entry shows: the tests that led to it, and its lines.

Vocabulary: an entry *passes* what stands between the previous block and its own, and its own lines up to the one where
it was cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.flow.control_flow import Arrival, Flow, Passed
from wrongcall.trace.format.event_records import Bools, Ints, distinct
from wrongcall.trace.format.program_tables import Function

AT_ITS_END = (1 << 31) - 1
"""Marks an entry whose lines were all executed before an exception passed on from there."""


class Entries(NamedTuple):
    """The blocks of a call in order of entry: `BlockEntry` as columns."""

    time: Ints
    block: Ints
    cut: Ints
    arrival: Ints


class Told(NamedTuple):
    """What an entry passes."""

    passed: tuple[Passed, ...]
    lead: int
    """How many of these come before the block's own lines."""


def entered(changed: Bools, mark: Bools) -> Bools:
    """Return the steps at which a block is entered: where the block changes, and where its mark recurs."""
    count = len(changed)
    if not count:
        return changed
    starts = np.flatnonzero(changed)
    marked = np.where(mark, np.arange(count), count)
    first = np.minimum.reduceat(marked, starts)
    sizes = np.diff(starts, append=count)
    again: Bools = mark & (np.arange(count) > np.repeat(first, sizes))
    return changed | again


def ways(function: Function, flow: Flow, entries: Entries) -> tuple[Ints, list[Told]]:
    """Return what entries pass: a number for each, and the meanings of the numbers."""
    before = np.append(-1, entries.block)[:-1]
    pairs = (before + 1) << 31 | entries.block
    known_pairs = distinct(pairs)
    numbers = np.searchsorted(np.array(known_pairs, dtype=np.int64), pairs)
    codes = numbers << 33 | entries.arrival << 31 | entries.cut
    known = distinct(codes)
    found = []
    for code in known:
        number, rest = divmod(code, 1 << 33)
        arrival, cut = divmod(rest, 1 << 31)
        previous, block = divmod(known_pairs[number], 1 << 31)
        found.append(told(function, flow, previous - 1, block, Arrival(arrival), cut))
    return np.searchsorted(np.array(known, dtype=np.int64), codes), found


def told(
    function: Function, flow: Flow, previous: int, block: int, arrival: Arrival, cut: int
) -> Told:
    """Return what the entry of a block after another one passes."""
    lead = flow.passed(function, previous, block, arrival)
    own = list(dict.fromkeys(_lines(function, block, cut)))
    # `if x: y` on one line: already reported with the test.
    if own and own[0] == (lead[-1].line if lead else 0):
        del own[0]
    return Told((*lead, *map(Passed, own)), len(lead))


def _lines(function: Function, block: int, cut: int) -> Iterator[int]:
    lines = function.blocks[block] if block < len(function.blocks) else ()
    return (line for line in lines if not cut or line <= cut)


def merged(told: Told, lines: list[int]) -> Iterator[Passed | int]:
    """Iterate over what an entry passes and, by their numbers, the events on these lines, in display order."""
    places = {one.line: i for i, one in enumerate(told.passed)}
    done = 0
    for number, line in enumerate(lines):
        place = max(places.get(line, told.lead), told.lead - 1)
        while done <= min(place, len(told.passed) - 1):
            yield told.passed[done]
            done += 1
        yield number
    yield from told.passed[done:]
