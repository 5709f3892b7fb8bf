"""Queries about places: their history and origin."""

from __future__ import annotations

import pytest

from tests.recording.small_run import SmallRun
from wrongcall.errors import UsageError
from wrongcall.recording import Item, Path


def test_a_place_is_found_at_the_exit_unless_another_time_is_given(small_run: SmallRun) -> None:
    places = small_run.recording.places
    assert places.find(small_run.work, "total")[1] == 3
    assert places.find(small_run.work, "total", small_run.first)[1] == 0
    assert places.find(small_run.work, Path("items", (Item(1),)))[1] == 2


@pytest.mark.parametrize("time", [-1, 10_000])
def test_a_time_outside_the_trace_is_refused(small_run: SmallRun, time: int) -> None:
    with pytest.raises(UsageError, match=f"there is no time {time}: the trace has 0 to"):
        small_run.recording.places.find(small_run.work, "total", time)


def test_the_history_of_a_variable_is_every_write(small_run: SmallRun) -> None:
    versions = small_run.recording.places.history(small_run.work, "total")
    assert [(v.time, v.line) for v in versions] == [
        (small_run.first, 2),
        (small_run.added[0], 4),
        (small_run.added[1], 4),
    ]
    writes = small_run.recording.places.local_writes(small_run.work, "total")
    assert [write.new for write in writes] == [0, 1, 3]


def test_marks_are_the_steps_that_changed_a_place(small_run: SmallRun) -> None:
    marks = small_run.recording.places.marks(small_run.work, "total")
    assert marks.time.tolist() == [small_run.first, *small_run.added]
    assert not marks.inside.any()
    seen = small_run.recording.places.marks(small_run.work, "total", within=small_run.module)
    assert seen.inside.tolist() == [True]


def test_an_element_was_written_when_it_was_put_there(small_run: SmallRun) -> None:
    places = small_run.recording.places
    (write,) = places.writes(small_run.items.oid, Item(1))
    assert write.new == 2
    assert places.written(small_run.items.oid, Item(1)) == write.time


def test_a_position_tells_call_and_line(small_run: SmallRun) -> None:
    where = small_run.recording.places.position(small_run.added[0])
    assert (where.call, where.line) == (small_run.work, 4)


def test_an_origin_begins_at_the_place(small_run: SmallRun) -> None:
    origin = small_run.recording.places.origin(small_run.work, "total")
    assert origin.value == 3
