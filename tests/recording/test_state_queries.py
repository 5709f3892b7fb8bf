"""Queries about states."""

from __future__ import annotations

from tests.recording.small_run import SmallRun
from wrongcall.recording import UNSET


def test_variables_have_the_values_of_the_time(small_run: SmallRun) -> None:
    states, work = small_run.recording.states, small_run.work
    assert states.local(work, "total", small_run.first) == 0
    assert states.local(work, "total") == 3
    assert states.local(work, "x", small_run.first) is UNSET
    assert states.locals(work, small_run.first) == {"items": small_run.items, "total": 0}
    assert states.locals(work) == {"items": small_run.items, "total": 3, "x": 2}


def test_an_object_has_its_type_and_contents(small_run: SmallRun) -> None:
    states = small_run.recording.states
    assert states.object(small_run.items.oid).type.qualname == "list"
    assert states.state(small_run.items.oid).items == (1, 2)
    assert states.plain(small_run.items) == ("list", small_run.items.oid, [1, 2])


def test_a_module_that_was_not_seen_has_no_globals(small_run: SmallRun) -> None:
    assert small_run.recording.states.globals("elsewhere") == {}
