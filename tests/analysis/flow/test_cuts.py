"""What exceptions tell about the blocks of a call.

 2      before = 0
 3      with manager:
 4          first = 1
 5          second = 2
 6      try:
 7          third = 3
 8      except E:
 9          fourth = 4
10      return
"""

from __future__ import annotations

import numpy as np

from tests.analysis.flow.functions import function
from wrongcall.analysis.flow.call_events import CallEvents
from wrongcall.analysis.flow.control_flow import Arrival, Flow
from wrongcall.analysis.flow.cuts import with_cuts
from wrongcall.analysis.flow.entries import AT_ITS_END, Entries
from wrongcall.events import Kind, Scope, SiteKind
from wrongcall.trace.format.program_tables import Program, Site

BEFORE, WITH, BEHIND, TRY, HANDLER, RETURN = range(6)
FUNCTION = function(
    [[2, 3], [4, 5], [6], [7], [8, 9], [10]],
    {
        BEFORE: [(WITH, 0, False)],
        WITH: [(BEHIND, 0, False)],
        BEHIND: [(TRY, 0, False)],
        TRY: [(RETURN, 0, False)],
        HANDLER: [(RETURN, 0, False)],
    },
    resume={WITH: [(BEHIND, 3, 3)]},
)
CAUGHT = 1
PROGRAM = Program()
PROGRAM.functions.add(1, FUNCTION)
PROGRAM.sites.add(CAUGHT, Site(1, SiteKind.CAUGHT, 1, 8, 0, 8, 9, None, Scope.LOCAL, HANDLER))

Seen = tuple[int, Kind, int, int]  # time, kind, line, which exception


def _cut(entered: list[tuple[int, int]], *seen: Seen) -> list[tuple[int, int, Arrival]]:
    """Return block, cut and arrival of entries, given times and blocks, and exceptions."""
    times, blocks = (np.array(column, np.int64) for column in zip(*entered, strict=True))
    none = np.zeros(len(times), np.int64)
    kinds = [kind for _, kind, _, _ in seen]
    events = CallEvents(
        time=np.array([time for time, *_ in seen], np.int64),
        kind=np.array(kinds, np.uint8),
        site=np.array([CAUGHT if kind == Kind.CAUGHT else 0 for kind in kinds], np.uint32),
        made=np.zeros(len(seen), np.bool_),
        raised=np.array([line for _, _, line, _ in seen], np.int64),
        left=np.array([kind == Kind.BLOCK for kind in kinds], np.bool_),
        exception=np.array([which for *_, which in seen], np.int64),
    )
    entries = Entries(times, blocks, none, none.copy())
    found = with_cuts(entries, FUNCTION, Flow(), PROGRAM, events)
    columns = (found.block.tolist(), found.cut.tolist(), map(Arrival, found.arrival.tolist()))
    return list(zip(*columns, strict=True))


def test_without_exceptions_entries_stay_as_they_are() -> None:
    assert _cut([(0, BEFORE), (1, WITH)]) == [
        (BEFORE, 0, Arrival.NORMAL),
        (WITH, 0, Arrival.NORMAL),
    ]


def test_an_exception_cuts_the_block_that_it_leaves() -> None:
    assert _cut([(0, BEFORE), (1, WITH)], (2, Kind.RAISE, 4, 50)) == [
        (BEFORE, 0, Arrival.NORMAL),
        (WITH, 4, Arrival.NORMAL),
    ]


def test_an_exception_may_be_the_only_sign_of_a_block() -> None:
    found = _cut([(0, BEFORE), (1, BEHIND), (5, HANDLER)], (4, Kind.CAUGHT, 7, 50))
    assert found[2:] == [(TRY, 7, Arrival.NORMAL), (HANDLER, 0, Arrival.RAISED)]


def test_the_block_after_a_suppressed_exception_is_marked() -> None:
    found = _cut([(0, BEFORE), (1, WITH), (5, BEHIND)], (3, Kind.BLOCK, 5, 50))
    assert found[1:] == [(WITH, 5, Arrival.NORMAL), (BEHIND, 0, Arrival.SUPPRESSED)]


def test_an_exception_that_passes_on_cuts_nothing_twice() -> None:
    """It left the body of the with, then the call: the line was executed once."""
    found = _cut([(0, BEFORE), (1, WITH)], (3, Kind.BLOCK, 5, 50), (4, Kind.RAISE, 5, 50))
    assert found == [(BEFORE, 0, Arrival.NORMAL), (WITH, 5, Arrival.NORMAL)]


def test_an_exception_raised_again_by_a_handler_leaves_that_at_its_end() -> None:
    found = _cut(
        [(0, BEFORE), (1, TRY), (5, HANDLER)], (4, Kind.CAUGHT, 7, 50), (6, Kind.RAISE, 7, 50)
    )
    assert found[1:] == [(TRY, 7, Arrival.NORMAL), (HANDLER, AT_ITS_END, Arrival.RAISED)]


def test_another_exception_on_a_line_of_the_handler_cuts_that() -> None:
    found = _cut(
        [(0, BEFORE), (1, TRY), (5, HANDLER)], (4, Kind.CAUGHT, 7, 50), (6, Kind.RAISE, 9, 51)
    )
    assert found[2] == (HANDLER, 9, Arrival.RAISED)


def test_a_line_of_no_block_cuts_the_last_one() -> None:
    assert _cut([(0, BEFORE)], (1, Kind.RAISE, 999, 50)) == [(BEFORE, 999, Arrival.NORMAL)]


def test_a_with_that_raises_as_it_ends_leaves_its_body_at_the_end() -> None:
    found = _cut([(0, BEFORE), (1, WITH)], (3, Kind.RAISE, 3, 50))
    assert found[1] == (WITH, AT_ITS_END, Arrival.NORMAL)
