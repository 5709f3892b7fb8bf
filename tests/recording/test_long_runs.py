"""What is read of runs longer than an extent equals what a scan of every event finds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.recorder.conftest import Recorded, run_recorded, write_program
from tests.trace.lives import COUNT, owners_of
from tests.trace.lives import stream as stream_of_lives
from wrongcall.events import SEEN, Kind, Layout, SiteKind, Tag
from wrongcall.recording import UNSET, Attr, Entry, Item, Place, Recording
from wrongcall.replay.object_replay import Replay, rows_of
from wrongcall.replay.writes import read_slot
from wrongcall.trace.format.event_records import EVENT, OBJECT_KINDS, Events
from wrongcall.trace.format.owner_index import EXTENT_EVENTS
from wrongcall.trace.write.writer import TraceWriter

PROGRAM = """
class Account:
    def __init__(self):
        self.total = 0
        self.rare = 0
        self.log = {"last": None}
        self.recent = [0, 0, 0]

counter = 0

def main():
    account = Account()
    seldom = 0
    passed = 0
    def bump():
        nonlocal passed
        passed += 1
    for number in range(140_000):
        account.total += number
        account.log["last"] = number
        account.recent[number % 3] = number
        if number % 30_000 == 0:
            seldom += 1
            account.rare = number
            account.log[number] = [number]
            bump()
            del account.rare
            global counter
            counter = number
    return account

main()
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp("long")
    done = run_recorded([str(write_program(folder, PROGRAM))], folder)
    path = folder / "trace.wrongcall"
    with Recording(path) as recording:
        assert recording.event_count > EXTENT_EVENTS
        yield Recorded(recording, done.stdout, done.stderr, done.returncode, path)


def bound_to(recording: Recording, call: int, name: str) -> list[tuple[int, int, object]]:
    """Return time, call and value of all events that bind a variable of a call."""
    found: list[tuple[int, int, object]] = []
    sites = [
        s.id
        for s in recording.program.sites.values()
        if s.name == name and s.kind != SiteKind.TARGET
    ]
    for first, events in recording.events.segments():
        mine = (owners_of(events) == call) & np.isin(events["site"], sites)
        chosen = events[mine]
        columns = [chosen[column].tolist() for column in ("call", "vtag", "value")]
        for time, caller, tag, bits in zip(np.flatnonzero(mine).tolist(), *columns, strict=True):
            found.append((first + time, caller, recording.states.values.read(tag, bits)))
    return found


@pytest.mark.parametrize("name", ["seldom", "passed", "number", "account"])
def test_variables(run: Recorded, name: str) -> None:
    call = run.call("main").id
    expected = bound_to(run.recording, call, name)
    history = run.recording.places.history(call, name)
    assert [(v.time, v.call, v.new) for v in history] == expected
    assert [v.old for v in history] == [UNSET, *(new for _, _, new in expected[:-1])]
    chance = random.Random(1)
    for time in chance.sample(range(run.recording.call(call).entry, run.recording.event_count), 8):
        latest = [new for when, _, new in expected if when <= time]
        assert run.recording.states.local(call, name, time) == (latest[-1] if latest else UNSET)
        assert run.recording.states.locals(call, time).get(name, UNSET) == (
            latest[-1] if latest else UNSET
        )


def test_modules_are_read_without_the_segment_in_which_they_are_first_seen(run: Recorded) -> None:
    oid = run.recording.states.variables.module("__main__")
    assert oid is not None
    with Recording(run.path) as recording:
        state = recording.states.heap.state(oid, EXTENT_EVENTS)
        kinds = {key[0] for key in recording._store.cache._kept if isinstance(key, tuple)}
    assert {"Account", "main", "counter"} <= state.attrs.keys()
    assert not kinds & {"segment", "column", "stored"}


def test_versions_tell_the_function_of_their_call(run: Recorded) -> None:
    call = run.call("main").id
    for path in ("account.total", "account.recent[1]", "passed", "counter"):
        for version in run.recording.places.history(call, path):
            assert version.function == run.recording.call(version.call).function


@pytest.mark.parametrize("path", ["account.total", "account.rare", "counter"])
def test_every_value_of_an_attribute(run: Recorded, path: str) -> None:
    values = {
        "account.total": [0, *np.cumsum(np.arange(140_000)).tolist()],
        "counter": [0, *range(0, 140_000, 30_000)],
    }
    recording, call = run.recording, run.call("main").id
    if path == "account.rare":
        oid = getattr(recording.states.local(call, "account"), "oid")  # noqa: B009 - of a union of types
        found = [w.new for w in recording.places.writes(oid, Attr("rare"))]
        each = [n for number in range(0, 140_000, 30_000) for n in (number, UNSET)]
        assert found == [0, *each]
        return
    assert [version.new for version in recording.places.history(call, path)] == values[path]


def stream(seed: int) -> tuple[Events, bytes]:
    """Objects of all layouts that are used throughout, now and then, or once."""
    chance = random.Random(seed)
    events = np.zeros(COUNT, EVENT)
    events["kind"], events["call"] = Kind.BLOCK, 1
    for i in range(5):
        events[i] = (Kind.NAME, 0, Tag.UNSET, 0, 0, 0, 1, 0, i + 1)
    objects: list[int] = []
    lengths: dict[int, int] = {}
    for time in sorted(chance.sample(range(5, COUNT), 5000)):
        if len(objects) < 3 or chance.random() < 0.05:
            layout = (Layout.LIST, Layout.INSTANCE, Layout.DICT)[len(objects) % 3]
            objects.append(len(objects) + 1)
            lengths[objects[-1]] = 0
            events[time] = (Kind.OBJ, layout, Tag.INT, 0, 0, 0, objects[-1], 1, 0)
            continue
        oid = chance.choice(objects[:3]) if chance.random() < 0.7 else chance.choice(objects)
        kind, tag, key = _written(chance, oid, lengths)
        call = 0 if kind & SEEN else 1
        value = 1 if kind == Kind.REMOVE else time
        events[time] = (kind, tag, Tag.INT, 0, 3, call, oid, key, value)
    return events, b"abcde"


def _written(chance: random.Random, oid: int, lengths: dict[int, int]) -> tuple[int, int, int]:
    if oid % 3 == 2:
        kinds = [Kind.ATTR] * 8 + [Kind.ATTR_DEL, Kind.ATTR | SEEN, Kind.EXPLORED]
        return chance.choice(kinds), Tag.NAME, chance.randrange(1, 6)
    if oid % 3 == 0:
        contents = [Kind.ENTRY] * 8 + [Kind.ENTRY_DEL, Kind.CLEAR]
        return chance.choice(contents), Tag.INT, chance.randrange(5)
    grow = lengths[oid] < 3 or chance.random() < 0.03
    if grow or chance.random() < 0.03:
        lengths[oid] += 1 if grow else -1
        return Kind.INSERT if grow else Kind.REMOVE, Tag.INT, chance.randrange(lengths[oid] + 1)
    return Kind.ITEM, Tag.INT, chance.randrange(lengths[oid])


def slow_writes(recording: Recording, oid: int, place: Place) -> list[tuple[object, ...]]:
    """Replay all events of an object and look at the place after each."""
    replay = Replay(recording._store.program, recording.states.values)
    found: list[tuple[object, ...]] = []
    before = None
    for row in rows_of(recording.events.select(OBJECT_KINDS, obj=oid)):
        replay.apply(row)
        after = replay.at(place)
        if after != before:
            seen = bool(row.kind & SEEN) or row.kind in (Kind.OBJ, Kind.EXPLORED)
            values = (
                read_slot(recording.states.values, before),
                read_slot(recording.states.values, after),
            )
            found.append((row.time, row.call, row.site, Kind(row.kind & ~SEEN), seen, *values))
            before = after
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_histories_are_those_of_a_replay(tmp_path: Path, seed: int) -> None:
    writer = TraceWriter(tmp_path / "t.wrongcall")
    events, data = stream(seed)
    writer.add(events, data)
    writer.close("exit")
    chance = random.Random(seed)
    with Recording(tmp_path / "t.wrongcall") as recording:
        assert recording._store.extents == 2
        count = int(events["obj"][events["kind"] == Kind.OBJ].max())
        for oid in [1, 2, 3, *(chance.randrange(1, count + 1) for _ in range(40))]:
            number = chance.randrange(5)
            places: list[Place] = [Item(number), Attr("abcde"[number]), Entry(number)]
            place = places[(oid - 1) % 3]
            writes = recording.places.writes(oid, place)
            found = [(w.time, w.call, w.site, w.kind, w.seen, w.old, w.new) for w in writes]
            assert found == slow_writes(recording, oid, place)


def test_states_next_to_a_busy_slot(tmp_path: Path) -> None:
    """Of a slot with many pages in the owner index only the pages that matter are read."""
    events = stream_of_lives(3, busy=False)
    busy = np.arange(10, COUNT, 9)
    busy = busy[events["kind"][busy] == Kind.BLOCK]
    first = int(np.flatnonzero(events["kind"] == Kind.OBJ)[0])
    busy = busy[busy > first]
    events[busy] = (Kind.ATTR, Tag.NAME, Tag.INT, 0, 3, 1, 1, 2, 0)
    events["value"][busy] = busy
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    chance = random.Random(3)
    with Recording(tmp_path / "t.wrongcall") as recording:
        for time in chance.sample(range(first, COUNT), 20):
            expected = Replay(recording._store.program, recording.states.values)
            for row in rows_of(recording.events.select(OBJECT_KINDS, obj=1, last=time + 1)):
                expected.apply(row)
            assert list(recording.states.heap.contents(1, time).attrs.items()) == list(
                expected.attrs.items()
            )
