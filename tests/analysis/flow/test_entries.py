"""Where blocks are entered, and what each entry passes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.flow.functions import LOOP, function
from wrongcall.analysis.flow.control_flow import Arrival, Flow, Passed
from wrongcall.analysis.flow.entries import Entries, Told, entered, merged, told, ways


def _entered(blocks: list[int], marks: list[bool]) -> list[bool]:
    """Return the same, one step after the other."""
    found, last, seen = [], None, False
    for block, mark in zip(blocks, marks, strict=True):
        if block != last:
            found.append(True)
            last, seen = block, mark
        else:
            found.append(mark and seen)
            seen = seen or mark
    return found


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=30))
def test_a_block_is_entered_where_it_changes_or_its_mark_comes_again(
    steps: list[tuple[int, bool]],
) -> None:
    blocks, marks = [block for block, _ in steps], [mark for _, mark in steps]
    changed = np.diff(np.array(blocks, dtype=np.int64), prepend=-1) != 0
    assert entered(changed, np.array(marks, dtype=np.bool_)).tolist() == _entered(blocks, marks)


def test_an_entry_tells_the_way_to_it_and_then_its_lines() -> None:
    passed = told(LOOP, Flow(), 0, 2, Arrival.NORMAL, 0)
    assert passed == Told((Passed(3), Passed(3, True), Passed(4)), lead=2)


def test_lines_after_a_cut_were_not_executed() -> None:
    long = function([[1, 2, 3, 2]])
    assert told(long, Flow(), -1, 0, Arrival.NORMAL, 2).passed == (Passed(1), Passed(2))
    assert told(long, Flow(), -1, 0, Arrival.NORMAL, 0).passed == (Passed(1), Passed(2), Passed(3))


def test_a_body_on_the_line_of_its_test_counts_once() -> None:
    one_line = function([[1], [1, 2]], {0: [(1, 1, True)]})
    assert told(one_line, Flow(), 0, 1, Arrival.NORMAL, 0).passed == (Passed(1, True), Passed(2))


def test_equal_entries_share_one_way() -> None:
    blocks = [0, 2, 3, 2, 3, 4]
    columns = (np.arange(6), np.array(blocks), np.zeros(6, np.int64), np.zeros(6, np.int64))
    which, found = ways(LOOP, Flow(), Entries(*columns))
    assert len(found) == 5  # 2 is entered from 0 and from 3, 3 from 2 only
    assert which[2] == which[4]
    for number, (before, block) in enumerate(zip([-1, *blocks], blocks, strict=False)):
        assert found[which[number]] == told(LOOP, Flow(), before, block, Arrival.NORMAL, 0)


@given(st.lists(st.integers(1, 6), max_size=6), st.integers(0, 2))
def test_merging_keeps_the_order_of_events_and_of_what_is_passed(
    lines: list[int], lead: int
) -> None:
    passed = (Passed(1, True), Passed(2), Passed(3), Passed(4))
    found = list(merged(Told(passed, lead), lines))
    assert [one for one in found if isinstance(one, Passed)] == list(passed)
    assert [one for one in found if isinstance(one, int)] == list(range(len(lines)))
    for number, line in enumerate(lines):
        own = [i for i in range(lead, 4) if passed[i].line == line]
        if own:  # an event comes after its line
            assert found.index(passed[own[0]]) < found.index(number)
