from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind
from wrongcall.recording import Recording, Ref
from wrongcall.replay.object_replay import Replay, rows_of
from wrongcall.trace.format.compaction import MIN_EVENTS_TO_COMPACT, compacted
from wrongcall.trace.format.selection import Found

KINDS = "attr attr attr_del entry entry entry_del item item insert remove clear seen explored patch splice"
STEPS = st.tuples(st.sampled_from(KINDS.split()), st.integers(0, 2))


def happen(emitter: Emitter, thing: Ref, step: str, key: int) -> None:
    value = len(emitter.rows)
    if step == "attr":
        emitter.attr(thing, f"a{key}", value)
    elif step == "attr_del":
        emitter.event(Kind.ATTR_DEL, obj=thing.oid, key=emitter.name(f"a{key}"))
    elif step.startswith("entry"):
        kind = Kind.ENTRY if step == "entry" else Kind.ENTRY_DEL
        emitter.entry(thing, (key, float(key), bool(key))[value % 3], value, kind=kind)
    elif step in ("item", "seen"):
        emitter.item(Kind.ITEM | (SEEN if step == "seen" else 0), thing, key, value)
    elif step == "insert":
        emitter.item(Kind.INSERT, thing, key, value)
    elif step == "remove":
        emitter.item(Kind.REMOVE, thing, key, 1)
    elif step in ("patch", "splice"):
        data = emitter.value(bytes([value % 256, key]))
        kind = Kind.PATCH if step == "patch" else Kind.SPLICE
        emitter.event(kind, obj=thing.oid, key=(ord("B"), key), value=data)
    else:
        emitter.event(Kind.CLEAR if step == "clear" else Kind.EXPLORED, obj=thing.oid)


def contents(recording: Recording, found: Found) -> tuple[object, ...]:
    replay = Replay(recording._store.program, recording.states.values)
    for row in rows_of(found):
        replay.apply(row)
    return replay.items, list(replay.entries.items()), list(replay.attrs.items()), replay.length


@settings(max_examples=40)
@given(st.lists(STEPS, min_size=MIN_EVENTS_TO_COMPACT, max_size=200))
def test_compacting_does_not_change_the_state(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    emitter = Emitter()
    thing = emitter.new("Thing")
    for step, key in steps:
        happen(emitter, thing, step, key)
    with emitter.open(tmp_path_factory.mktemp("thin") / "t.wrongcall") as recording:
        found = recording.events.select(obj=thing.oid)
        assert contents(recording, compacted(found)) == contents(recording, found)


def test_a_variable_that_is_set_again_and_again_costs_two_events(tmp_path: Path) -> None:
    emitter = Emitter()
    thing = emitter.new("Thing")
    for i in range(1000):
        emitter.attr(thing, "x", i)
        emitter.attr(thing, "y", -i)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert len(compacted(recording.events.select(obj=thing.oid)).times) == 1 + 4
        assert recording.states.state(thing.oid).attrs == {"x": 999, "y": -999}


def test_few_events_are_left_as_they_are(tmp_path: Path) -> None:
    emitter = Emitter()
    thing = emitter.new("Thing")
    emitter.attr(thing, "x", 1)
    emitter.attr(thing, "x", 2)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = recording.events.select(obj=thing.oid)
        assert compacted(found) is found
