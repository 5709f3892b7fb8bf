"""The paths of many calls through their functions at once, as numbers that stand for what they did.

`call_coverage` computes the coverage of one call, event by event. For all calls (`run_coverage`), whole-column
operations are used, so that what many calls have in common is computed once.

Vocabulary: a *step* is an event of a call, or the beginning of one that it made. A *stretch* is what happens from the
entry of a block to the next entry (see `block_entries`). Stretches are the same if they are of the same block after the
same block and have the same steps; then they define and use the same variables. A call is *plain* if it ended, no
exception occurs in it and everything that it does is in stretches.

Calls and stretches are distinguished by hashes of 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.analysis.flow.blocks import BlockTable
from wrongcall.analysis.flow.entries import entered
from wrongcall.events import NO_BLOCK, Kind, SiteKind
from wrongcall.trace.format.event_records import Bools, Bytes, Ints, kind_table
from wrongcall.trace.format.program_tables import SiteColumns
from wrongcall.trace.read.call_table import Calls

MADE = 0
"""Used as a kind: the step is the beginning of a call that was made, at its calling site."""

_TIME_BITS = 36
_BASE = 0xD1342543DE82EF95
_INVERSE = pow(_BASE, -1, 1 << 64)
_WRITES = kind_table(kind for kind in Kind if Kind.LOCAL <= kind <= Kind.FILL)
_TOLD = _WRITES | kind_table({MADE, Kind.YIELD, Kind.RESUME, Kind.PRINT, Kind.RETURN, Kind.DROP})

Hashes = npt.NDArray[np.uint64]
Sites = npt.NDArray[np.uint32]


class Steps(NamedTuple):
    """Steps of calls, which are given by their rows among all calls."""

    row: Ints
    time: Ints
    kind: Bytes
    site: Sites
    """As recorded: it may be a line instead."""
    raised: Ints
    """For an exception, the line at which it came; else -1."""

    def chosen(self, which: Bools | Ints) -> Steps:
        """Return some of them."""
        return Steps(
            self.row[which],
            self.time[which],
            self.kind[which],
            self.site[which],
            self.raised[which],
        )


@dataclass(frozen=True)
class Ways:
    """What some calls did. In a column of beginnings, the next row is the end."""

    row: Ints
    plain: Bools
    whole: Hashes
    """Equal for calls that did the same."""
    stretches: Ints
    """Where the stretches of a call begin."""
    given: Ints
    """Where the parameters passed to a call begin."""
    given_site: Sites
    stretch: Hashes
    block: Ints
    before: Ints
    """The block before that of a stretch; -1 if none."""
    told: Ints
    """Where the steps of a stretch begin; steps that only show that a block was running are left out."""
    told_end: Ints
    kind: Bytes
    site: Sites


def ways_of(steps: Steps, calls: Calls, sites: SiteColumns, blocks: BlockTable) -> Ways:
    """Summarise each call's path from its steps; all steps of the calls must be given."""
    steps = steps.chosen(np.argsort(steps.row << _TIME_BITS | steps.time))
    begins = np.flatnonzero(np.diff(steps.row, prepend=-1))
    ends = np.append(begins[1:], len(steps.row))[: len(begins)]
    rows = steps.row[begins]
    call = np.repeat(np.arange(len(rows)), ends - begins)
    known = sites.known(steps.site)
    params = _WRITES[steps.kind] & (sites.kind[known] == SiteKind.PARAM)
    given, told = np.flatnonzero(params), np.flatnonzero(_TOLD[steps.kind] & ~params)

    entry, block = _entries(steps, calls, blocks)
    owner = call[entry]
    first_ones = np.diff(owner, prepend=-1) != 0
    before = np.where(first_ones, -1, np.roll(block, 1))
    stop = np.minimum(np.append(entry[1:], len(steps.row))[: len(entry)], ends[owner])
    told_begin, told_end = np.searchsorted(told, entry), np.searchsorted(told, stop)
    numbers = np.arange(len(rows) + 1)
    stretches = np.searchsorted(owner, numbers)

    token = steps.kind.astype(np.uint64) << np.uint64(32) | steps.site
    heads = calls.function[rows[owner]].astype(np.int64) << 40 | before + 1 << 20 | block
    kinds = calls.function[rows].astype(np.int64) << 1 | (calls.exit[rows] >= 0)
    whole = _sums(_mixed(token ^ _mixed(steps.raised)), begins, ends)
    return Ways(
        row=rows,
        plain=_plain(steps, calls, call, told, stretches, entry),
        whole=_mixed(whole + _mixed(kinds)),
        stretches=stretches,
        given=np.searchsorted(call[given], numbers),
        given_site=steps.site[given],
        stretch=_mixed(_sums(_mixed(token[told]), told_begin, told_end) + _mixed(heads)),
        block=block,
        before=before,
        told=told_begin,
        told_end=told_end,
        kind=steps.kind[told],
        site=steps.site[told],
    )


def _entries(steps: Steps, calls: Calls, blocks: BlockTable) -> tuple[Ints, Ints]:
    """Return the steps at which blocks are entered, and the blocks; a call's steps are contiguous."""
    block = blocks.of(calls.function[steps.row], steps.kind, steps.site)
    where = np.flatnonzero(block != NO_BLOCK)
    block, row = block[where], steps.row[where]
    changed = np.diff(block, prepend=-1) != 0
    changed |= np.diff(row, prepend=-1) != 0
    is_entry = entered(changed, blocks.begins(steps.kind[where], steps.site[where]))
    return where[is_entry], block[is_entry]


def _plain(
    steps: Steps, calls: Calls, call: Ints, told: Ints, stretches: Ints, entry: Ints
) -> Bools:
    """Return which calls are plain."""
    exits = calls.exit[steps.row]
    odd = np.zeros(len(stretches) - 1, dtype=np.bool_)
    odd[call[(steps.raised >= 0) | ((exits >= 0) & (steps.time > exits))]] = True
    odd[call[(exits < 0) | (steps.kind == Kind.DROP)]] = True
    odd |= stretches[1:] == stretches[:-1]
    begin = np.append(entry, len(call))[stretches[:-1]]
    odd[call[told[told < begin[call[told]]]]] = True
    return ~odd


def _mixed(numbers: npt.NDArray[np.generic]) -> Hashes:
    """Scramble numbers (splitmix64)."""
    mixed: Hashes = numbers.astype(np.uint64)
    mixed += np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        mixed ^= np.right_shift(mixed, np.uint64(shift))
        mixed *= np.uint64(factor)
    return mixed


def _sums(numbers: Hashes, begins: Ints, ends: Ints) -> Hashes:
    """Return a hash of each of these parts of a column, covering the numbers and their order."""
    powers, inverse = (
        np.cumprod(np.full(len(numbers), base, np.uint64), dtype=np.uint64)
        for base in (_BASE, _INVERSE)
    )
    sums = np.append(np.uint64(0), np.cumsum(numbers * powers, dtype=np.uint64))
    found: Hashes = (sums[ends] - sums[begins]) * np.append(inverse, np.uint64(0))[begins]
    return found
