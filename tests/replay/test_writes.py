"""Writes: how one place changed, event by event."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import SEEN, SITE_LINE, Kind, SiteKind, Tag
from wrongcall.recording import UNKNOWN, UNSET, Recording
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.replay.writes import read_slot, slots_of, writes_of

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.ATTR, 1, 6, "x")]


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file([{}], SITES)
    return emitter


def test_a_slot_holds_a_value_or_is_unset_or_unknown(emitter: Emitter, tmp_path: Path) -> None:
    text = emitter.value("a text of more than eight bytes")
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        values = recording.states.values
        assert read_slot(values, None) is UNSET
        assert read_slot(values, UNKNOWN_SLOT) is UNKNOWN
        assert read_slot(values, Slot(Tag.INT, 5, 0)) == 5
        assert read_slot(values, Slot(*text, 0)) == "a text of more than eight bytes"


def _events(emitter: Emitter) -> int:
    thing = emitter.new("Thing")
    call = emitter.enter(1)
    key = emitter.name("x")
    emitter.event(Kind.ATTR | SEEN, obj=thing.oid, key=key, value=emitter.value(1))
    emitter.attr(thing, "x", 2, site=2, call=call)
    emitter.event(Kind.ATTR_DEL, obj=thing.oid, key=key, site=SITE_LINE | 9, call=call)
    return thing.oid


def test_events_leave_their_value_or_nothing(emitter: Emitter, tmp_path: Path) -> None:
    oid = _events(emitter)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = recording.events.select({Kind.ATTR, Kind.ATTR | SEEN, Kind.ATTR_DEL}, obj=oid)
        slots = slots_of(found, found.events["kind"] == Kind.ATTR_DEL)
        times = found.times.tolist()
        assert slots == [Slot(Tag.INT, 1, times[0]), Slot(Tag.INT, 2, times[1]), None]


def test_a_write_says_where_it_happened_and_what_was_there(
    emitter: Emitter, tmp_path: Path
) -> None:
    oid = _events(emitter)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = recording.events.select({Kind.ATTR, Kind.ATTR | SEEN, Kind.ATTR_DEL}, obj=oid)
        after = slots_of(found, found.events["kind"] == Kind.ATTR_DEL)
        before = [None, *after[:-1]]
        writes = writes_of(recording.program, recording.states.values, found, before, after)
        assert [(w.kind, w.seen, w.line, w.call) for w in writes] == [
            (Kind.ATTR, True, 0, 0),
            (Kind.ATTR, False, 6, 1),
            (Kind.ATTR_DEL, False, 9, 1),
        ]
        assert [(w.old, w.new) for w in writes] == [(UNSET, 1), (1, 2), (2, UNSET)]


def test_an_unknown_kind_is_an_error_of_the_trace(emitter: Emitter, tmp_path: Path) -> None:
    oid = _events(emitter)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert isinstance(recording, Recording)
        found = recording.events.select({Kind.ATTR}, obj=oid)
        strange = found.events.copy()
        strange["kind"] = 127
        none: list[Slot | None] = [None] * len(strange)
        with pytest.raises(TraceError, match="unknown kind 127"):
            writes_of(
                recording.program,
                recording.states.values,
                found._replace(events=strange),
                none,
                none,
            )
        assert np.array_equal(found.events["kind"], [Kind.ATTR])
