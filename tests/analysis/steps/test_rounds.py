"""The rounds of loops, by a walk over the executed lines one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.analysis.steps.rounds import rounds
from wrongcall.analysis.steps.steps import NUMBERS, StepColumns, StepKind

Expected = list[tuple[int, int, int, int]]


def columns(lines: list[int]) -> StepColumns:
    """Return steps that execute these lines, ten times apart."""
    count = len(lines)
    return StepColumns(
        np.arange(count, dtype=np.int64) * 10,
        np.full(count, NUMBERS[StepKind.LINE], dtype=np.int8),
        np.array(lines, dtype=np.int64),
        np.zeros(count, dtype=np.bool_),
    )


def walked(lines: list[int], header: int, last: int, end: int) -> Expected:
    """Return start, end, number and total of each round, by walking over the lines."""
    entries: list[list[tuple[int, int]]] = []
    inside = False
    for at, line in enumerate(lines):
        if not header <= line <= last:
            inside = False
            continue
        if line != header:
            inside = True
            continue
        if not inside:
            entries.append([])
        inside = True
        if at + 1 == len(lines) or not header < lines[at + 1] <= last:
            continue
        stop = at + 1
        while stop < len(lines) and header < lines[stop] <= last:
            stop += 1
        entries[-1].append((at * 10, stop * 10 - 1 if stop < len(lines) else end))
    return [
        (start, stop, number, len(entry))
        for entry in entries
        for number, (start, stop) in enumerate(entry, 1)
    ]


@given(st.lists(st.integers(1, 6), max_size=30))
def test_rounds_are_those_of_a_walk(lines: list[int]) -> None:
    # A body is entered through its header.
    header, last = 2, 4
    real: list[int] = []
    for line in lines:
        outside = not real or not header <= real[-1] <= last
        if header < line <= last and outside:
            continue
        real.append(line)
    found = rounds(columns(real), header, last, 1000)
    shown = list(zip(*(column.tolist() for column in found), strict=True))
    assert shown == walked(real, header, last, 1000)


def test_a_loop_inside_a_loop_is_entered_several_times() -> None:
    # for i in "ab":      1
    #     for j in "xyz": 2
    #         pass        3
    inner = [2, 3, 2, 3, 2, 3, 2]
    lines = [1, *inner, 1, *inner, 1]
    outer = rounds(columns(lines), 1, 3, 999)
    assert (outer.number.tolist(), outer.total.tolist()) == ([1, 2], [2, 2])
    found = rounds(columns(lines), 2, 3, 999)
    assert found.number.tolist() == [1, 2, 3, 1, 2, 3]
    assert set(found.total.tolist()) == {3}
    assert [found.at(t) for t in (0, 10, 35, 95)] == [-1, 0, 1, 3]


def test_no_loop_has_no_rounds() -> None:
    assert len(rounds(columns([]), 2, 3, 5).start) == 0
    assert len(rounds(columns([1, 5]), 2, 3, 5).start) == 0
