"""The ways of many calls through their functions at once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.flow.functions import LOOP
from wrongcall.analysis.flow.blocks import BlockTable
from wrongcall.analysis.flow.path_classes import MADE, Steps, Ways, ways_of
from wrongcall.events import NO_BLOCK, Kind, Scope, SiteKind
from wrongcall.trace.format.program_tables import Program, Site

PARAM, TOTAL, X, PLUS, RETURN = 1, 2, 3, 4, 5
PROGRAM = Program()
PROGRAM.functions.add(1, LOOP)
for _number, _kind, _block in (
    (PARAM, SiteKind.PARAM, NO_BLOCK),
    (TOTAL, SiteKind.WRITE, 0),
    (X, SiteKind.WRITE, 2),
    (PLUS, SiteKind.WRITE, 3),
    (RETURN, SiteKind.RETURN, 4),
):
    PROGRAM.sites.add(_number, Site(_number, _kind, 1, 1, 0, 1, 1, "v", Scope.LOCAL, _block))

Step = tuple[int, int]  # kind, site
PLAIN: list[Step] = [
    (Kind.LOCAL, PARAM),
    (Kind.LOCAL, TOTAL),
    (Kind.LOCAL, X),
    (Kind.LOCAL, PLUS),
    (Kind.LOCAL, X),
    (Kind.RETURN, RETURN),
]


def _ways(*calls: list[Step], ended: bool = True, raised: bool = False) -> Ways:
    """What calls did that ran in turns, one step of each after the other."""
    longest = max(map(len, calls))
    rows: list[tuple[int, int, int, int, int]] = []
    last = [-1] * len(calls)
    for number in range(longest):
        for row, steps in enumerate(calls):
            if number < len(steps):
                kind, site = steps[number]
                line = 4 if raised and number == 2 else -1
                last[row] = len(rows)
                rows.append((row, len(rows), kind, site, line))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    found = Steps(
        columns[0],
        columns[1],
        columns[2].astype(np.uint8),
        columns[3].astype(np.uint32),
        columns[4],
    )
    count = len(calls)
    exits = np.array(last if ended else [-1] * count)
    table: Any = SimpleNamespace(function=np.ones(count, np.int32), exit=exits)
    return ways_of(found, table, PROGRAM.columns, BlockTable(PROGRAM))


def test_stretches_go_from_one_entry_of_a_block_to_the_next() -> None:
    ways = _ways(PLAIN)
    assert ways.block.tolist() == [0, 2, 3, 2, 4]
    assert ways.before.tolist() == [-1, 0, 2, 3, 2]
    assert ways.stretches.tolist() == [0, 5]
    assert ways.given_site.tolist() == [PARAM]
    assert ways.plain.tolist() == [True]


def test_calls_that_did_the_same_in_turns_are_the_same() -> None:
    ways = _ways(PLAIN, PLAIN, PLAIN[:2] + PLAIN[-1:])
    assert ways.whole[0] == ways.whole[1] != ways.whole[2]
    assert ways.stretches.tolist() == [0, 5, 10, 12]
    assert ways.stretch[:5].tolist() == ways.stretch[5:10].tolist()


def test_the_same_block_after_a_different_one_is_a_different_stretch() -> None:
    ways = _ways(PLAIN)
    assert ways.stretch[1] != ways.stretch[3]  # both are block 2


def test_block_events_are_left_out_of_stretches() -> None:
    looks: list[Step] = [(Kind.LOCAL, TOTAL), (Kind.BLOCK, X), (MADE, PLUS)]
    ways = _ways(looks)
    told = [ways.kind[a:b].tolist() for a, b in zip(ways.told, ways.told_end, strict=True)]
    assert told == [[Kind.LOCAL], [], [MADE]]


@pytest.mark.parametrize("odd", ["raised", "not ended", "dropped", "no block"])
def test_calls_with_anything_unusual_are_not_plain(odd: str) -> None:
    steps: dict[str, list[Step]] = {
        "dropped": [*PLAIN, (Kind.DROP, 0)],
        "no block": [(Kind.LOCAL, PARAM)],
    }
    ways = _ways(steps.get(odd, PLAIN), ended=odd != "not ended", raised=odd == "raised")
    assert ways.plain.tolist() == [False]


_STEPS = st.lists(
    st.tuples(st.sampled_from([Kind.LOCAL, Kind.PRINT, MADE]), st.integers(0, RETURN)),
    min_size=1,
    max_size=6,
)


@given(st.lists(_STEPS, min_size=1, max_size=6))
def test_hashes_are_equal_exactly_where_the_steps_are(calls: list[list[Step]]) -> None:
    whole = _ways(*calls).whole.tolist()
    for i, one in enumerate(calls):
        for j, other in enumerate(calls):
            assert (whole[i] == whole[j]) == (one == other)
