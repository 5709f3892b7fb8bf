from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.recording import Recording
from wrongcall.replay.elements import Slot
from wrongcall.replay.object_replay import Replay, rows_of
from wrongcall.trace.format.checkpoint import CheckpointObjects, unpack_chunks
from wrongcall.trace.format.event_records import EVENT, OBJECT_KINDS, Events
from wrongcall.trace.format.owner_index import EXTENT
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write.writer import TraceWriter

EVENTS = EXTENT * SEGMENT_EVENTS * 2 + 70_000


def stream(seed: int) -> Events:
    """Objects that are used throughout, now and then, or once, between events of no interest."""
    chance = random.Random(seed)
    events = np.zeros(EVENTS, EVENT)
    events["kind"] = Kind.BLOCK
    events["call"] = 1
    born: list[int] = []
    lengths: dict[int, int] = {}
    for time in sorted(chance.sample(range(EVENTS), 6000)):
        event = events[time]
        if len(born) < 3 or chance.random() < 0.1:
            born.append(len(born) + 1)
            layout = chance.choice([Layout.LIST, Layout.INSTANCE, Layout.DICT])
            lengths[born[-1]] = 0 if layout == Layout.LIST else -1
            values: tuple[int, ...] = (Kind.OBJ, layout, Tag.INT, born[-1], 0, 0)
        else:
            obj = chance.choice(born[:3]) if chance.random() < 0.5 else chance.choice(born)
            values = written(chance, obj, lengths)
        event["kind"], event["ktag"], event["vtag"] = values[:3]
        event["obj"], event["key"], event["value"] = values[3:]
    return events


def written(
    chance: random.Random, obj: int, lengths: dict[int, int]
) -> tuple[int, int, int, int, int, int]:
    value = chance.randrange(1000)
    if lengths[obj] < 0:
        kind = chance.choice([Kind.ATTR, Kind.ATTR, Kind.ENTRY, Kind.ENTRY_DEL, Kind.ATTR | SEEN])
        tag = Tag.INT if kind in (Kind.ENTRY, Kind.ENTRY_DEL) else Tag.NAME
        return (kind, tag, Tag.INT, obj, chance.randrange(4), value)
    if lengths[obj] == 0 or chance.random() < 0.3:
        lengths[obj] += 1
        return (Kind.INSERT, Tag.INT, Tag.INT, obj, chance.randrange(lengths[obj]), value)
    if chance.random() < 0.2:
        lengths[obj] -= 1
        return (Kind.REMOVE, Tag.INT, Tag.INT, obj, chance.randrange(lengths[obj] + 1), 1)
    return (Kind.ITEM, Tag.INT, Tag.INT, obj, chance.randrange(lengths[obj]), value)


def contents(replay: Replay) -> tuple[object, ...]:
    return (
        replay.layout,
        replay.born,
        replay.items,
        list(replay.attrs.items()),
        list(replay.entries.items()),
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_states_from_checkpoints_match_a_full_replay(tmp_path: Path, seed: int) -> None:
    writer = TraceWriter(tmp_path / "t.wrongcall")
    events = stream(seed)
    writer.add(events, b"")
    writer.close("exit")
    chance = random.Random(seed)
    objects = int(events["obj"][np.isin(events["kind"], list(OBJECT_KINDS))].max())
    with Recording(tmp_path / "t.wrongcall") as recording:
        assert recording._store.extents == 2
        for _ in range(150):
            oid = chance.choice([1, 2, 3, chance.randrange(1, objects + 1)])
            time = chance.randrange(EVENTS)
            raw = recording.events.select(OBJECT_KINDS, obj=oid, last=time + 1)
            expected = Replay(recording._store.program, recording.states.values)
            for row in rows_of(raw):
                expected.apply(row)
            assert contents(recording.states.heap.contents(oid, time)) == contents(expected)


def held(replay: Replay) -> list[object]:
    """Return what an object holds, whenever it was written."""
    slots: list[tuple[object, Slot]] = [*replay.attrs.items(), *enumerate(replay.items)]
    slots += [(("entry", mark), slot) for mark, (_, slot) in replay.entries.items()]
    return [(place, slot.tag, slot.bits) for place, slot in slots]


def test_objects_rewritten_with_the_same_values_are_unchanged(tmp_path: Path) -> None:
    events = stream(3)
    events["value"] %= 2  # so that much is written that was there already
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    chance = random.Random(3)
    written = np.flatnonzero(np.isin(events["kind"], [Kind.ATTR, Kind.ITEM, Kind.ENTRY]))
    plain = 0
    with Recording(tmp_path / "t.wrongcall") as recording:
        for _ in range(600):
            after = int(chance.choice(written.tolist()))
            before = max(after - chance.choice([1, 1000, 40_000]), 0)
            oid = int(events["obj"][after])
            if recording.states.heap.rewritten(oid, before, after):
                old, new = (
                    held(recording.states.heap.contents(oid, time)) for time in (before, after)
                )
                assert old == new
                plain += 1
    assert plain > 20


def test_damage_is_noticed(tmp_path: Path) -> None:
    for packed in (b"", b"x" * 50):
        with pytest.raises(TraceError, match="damaged trace"):
            CheckpointObjects(packed)
        with pytest.raises(TraceError, match="damaged trace"):
            unpack_chunks([packed])
