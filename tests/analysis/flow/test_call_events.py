"""What happened in a call, as columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

SITES = [
    (SiteKind.ENTRY, 1, 1),
    (SiteKind.WRITE, 1, 2, "x"),
    (SiteKind.CALL, 1, 3),
    (SiteKind.ENTRY, 2, 9),
]
WRITE, CALL, INNER = 2, 3, 4


@pytest.fixture
def times() -> dict[str, int]:
    return {}


@pytest.fixture
def events(tmp_path: Path, times: dict[str, int]) -> CallEvents:
    emitter = Emitter()
    emitter.file([{}, {"qualname": "g", "entry": INNER}], SITES)
    outer = emitter.enter(1)
    times["enter"] = emitter.now
    times["write"] = emitter.local(outer, WRITE, 1)
    inner = emitter.enter(INNER, outer, CALL)
    times["made"] = emitter.now
    emitter.local(inner, WRITE, 2)
    emitter.leave(inner)
    times["left"] = emitter.event(Kind.BLOCK, call=outer, key=(Tag.INT, 3), value=(Tag.OBJ, 70))
    times["block"] = emitter.event(Kind.BLOCK, site=WRITE, call=outer)
    times["raise"] = emitter.event(Kind.RAISE, call=outer, key=(Tag.INT, 2), value=(Tag.OBJ, 71))
    emitter.write(tmp_path / "t.wrongcall")
    store = Store(tmp_path / "t.wrongcall")
    found = call_events(store, CallTable(store), 1)
    store.close()
    return found


def test_a_call_has_its_own_events_and_the_beginnings_of_calls_it_made(
    events: CallEvents, times: dict[str, int]
) -> None:
    assert events.time.tolist() == sorted(times.values())
    assert events.time[events.made].tolist() == [times["made"]]


def test_a_call_that_was_made_stands_at_its_calling_site(
    events: CallEvents, times: dict[str, int]
) -> None:
    sites = dict(zip(events.time.tolist(), events.site.tolist(), strict=True))
    assert (sites[times["made"]], sites[times["write"]]) == (CALL, WRITE)


def test_exceptions_tell_their_line_and_which_one_it_was(
    events: CallEvents, times: dict[str, int]
) -> None:
    raised = dict(zip(events.time.tolist(), events.raised.tolist(), strict=True))
    assert {time: line for time, line in raised.items() if line} == {
        times["left"]: 3,
        times["raise"]: 2,
    }
    assert events.time[events.left].tolist() == [times["left"]]
    which = dict(zip(events.time.tolist(), events.exception.tolist(), strict=True))
    assert (which[times["left"]], which[times["raise"]]) == (70, 71)


def test_parts_put_together_again_are_the_whole(events: CallEvents) -> None:
    again = events.part(slice(0, 2)).then(events.part(slice(2, None)))
    for name in CallEvents._fields:
        column = getattr(again, name)
        assert np.array_equal(column, getattr(events, name))
        assert column.dtype == getattr(events, name).dtype
