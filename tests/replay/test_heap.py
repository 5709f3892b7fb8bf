from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.trace.emitter import Emitter
from tests.trace.lives import stream
from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, SiteKind, Tag
from wrongcall.recording import UNSET, Attr, Entry, Item, Recording, Ref, Write
from wrongcall.replay import heap, object_replay
from wrongcall.trace.format.event_records import EVENT
from wrongcall.trace.write.writer import TraceWriter


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    sites = [(SiteKind.ENTRY, 1, 1), *((SiteKind.ITEM, 1, line) for line in range(2, 10))]
    emitter.file([{"locals": ["c"]}], sites)
    return emitter


def test_an_object_has_a_type_and_a_layout(emitter: Emitter, tmp_path: Path) -> None:
    before = emitter.now
    thing = emitter.new("Thing")
    seen = emitter.now
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = recording.states.object(thing.oid)
        assert (found.type.qualname, found.layout, found.seen) == ("Thing", Layout.INSTANCE, seen)
        with pytest.raises(TraceError, match=f"no object {thing.oid} up to time {before}"):
            recording.states.object(thing.oid, before)


def test_the_layout_alone_is_that_of_the_contents(tmp_path: Path) -> None:
    events = stream(17, busy=False)
    chance = random.Random(17)
    (sights,) = np.nonzero(events["kind"] == Kind.OBJ)
    events["ktag"][sights] = [chance.choice([Layout.CLASS, Layout.LIST]) for _ in sights]
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    found = set()
    with Recording(tmp_path / "t.wrongcall") as recording:
        known = recording.states.heap
        for sight in sights.tolist():
            oid = int(events["obj"][sight])
            for time in (sight - 1, sight, chance.randrange(len(events)), None):
                found.add(known.layout(oid, time))
                assert known.layout(oid, time) == known.contents(oid, time).layout
        assert known.layout(10**6) == known.contents(10**6).layout
    assert found == {Layout.OPAQUE, Layout.CLASS, Layout.LIST}


def test_a_state_includes_the_event_at_its_time(emitter: Emitter, tmp_path: Path) -> None:
    thing = emitter.new("Thing")
    first = emitter.attr(thing, "x", 1)
    second = emitter.attr(thing, "x", 2)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.state(thing.oid, first - 1).attrs == {}
        assert recording.states.state(thing.oid, first).attrs == {"x": 1}
        assert recording.states.state(thing.oid, second).attrs == {"x": 2}
        # Once more, backwards: what was selected for a later time serves an earlier one.
        assert recording.states.state(thing.oid, first).attrs == {"x": 1}


def test_objects_beyond_32_bits_are_told_apart(emitter: Emitter, tmp_path: Path) -> None:
    number = emitter.type("Thing", Layout.INSTANCE)
    name = emitter.name("x")
    for oid in (7, 7 | 1 << 32):
        emitter.event(Kind.OBJ, obj=oid, key=(Layout.INSTANCE, number), value=(Tag.INT, 0))
        emitter.event(Kind.ATTR, obj=oid, key=name, value=(Tag.INT, oid))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.state(7).attrs == {"x": 7}
        assert recording.states.state(7 | 1 << 32).attrs == {"x": 7 | 1 << 32}


def test_the_dict_of_an_instance_shows_its_attributes(emitter: Emitter, tmp_path: Path) -> None:
    thing = emitter.new("Thing")
    emitter.attr(thing, "x", 1)
    table = emitter.new("dict")
    emitter.event(Kind.ALIAS, obj=table.oid, value=emitter.value(thing))
    before = emitter.now
    last = emitter.attr(thing, "y", 2)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.state(table.oid, before).entries == (("x", 1),)
        assert recording.states.state(table.oid).entries == (("x", 1), ("y", 2))
        assert recording.states.state(table.oid).alias == thing.oid
        assert recording.places.written(table.oid, Entry("y")) == last
        assert [write.new for write in recording.places.writes(table.oid, Entry("y"))] == [2]


def test_functions_and_generators_name_the_calls_behind_them(
    emitter: Emitter, tmp_path: Path
) -> None:
    function = emitter.new("function")
    emitter.event(Kind.CELL, obj=function.oid, key=emitter.name("n"), value=(Tag.INT, 12))
    generator = emitter.new("generator")
    emitter.event(Kind.ACTIVATION, obj=generator.oid, call=1 << 33)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.state(function.oid).cells == {"n": 12}
        assert recording.states.state(generator.oid).activation == 1 << 33


# -- histories -------------------------------------------------------------------------------------


def lines(writes: list[Write]) -> list[tuple[int, object, object]]:
    return [(write.line, write.old, write.new) for write in writes]


@pytest.fixture
def squares(emitter: Emitter) -> Ref:
    """A list that is seen with two items and then changed at lines 2 to 7."""
    call = emitter.enter(1)
    things = emitter.new("list", length=2)
    emitter.item(Kind.ITEM | SEEN, things, 0, "a")
    emitter.item(Kind.ITEM | SEEN, things, 1, "b")
    emitter.item(Kind.ITEM, things, 1, "B", site=2, call=call)
    emitter.item(Kind.INSERT, things, 0, "z", site=3, call=call)
    emitter.item(Kind.ITEM, things, 0, "y", site=4, call=call)
    emitter.item(Kind.REMOVE, things, 0, 1, site=5, call=call)
    emitter.item(Kind.ITEM, things, 0, "A", site=6, call=call)
    emitter.event(Kind.CLEAR, obj=things.oid, site=7, call=call)
    return things


def test_the_history_of_an_item_tells_what_was_at_its_index(
    emitter: Emitter, squares: Ref, tmp_path: Path
) -> None:
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        writes = recording.places.writes(squares.oid, Item(1))
        assert lines(writes) == [
            (0, UNSET, "b"),
            (2, "b", "B"),
            (3, "B", "a"),
            (5, "a", "B"),
            (7, "B", UNSET),
        ]
        assert [write.seen for write in writes] == [True, False, False, False, False]
        assert [write.call for write in writes] == [0, 1, 1, 1, 1]
        assert writes[2].kind == Kind.INSERT


def test_an_item_that_moved_was_written_where_it_came_in(
    emitter: Emitter, squares: Ref, tmp_path: Path
) -> None:
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        (written,) = (w.time for w in recording.places.writes(squares.oid, Item(1)) if w.line == 2)
        (moved,) = (w.time for w in recording.places.writes(squares.oid, Item(2)) if w.new == "B")
        assert recording.states.state(squares.oid, moved).items[2] == "B"
        assert recording.places.written(squares.oid, Item(2), moved) == written
        assert recording.places.written(squares.oid, Item(2)) is None


def test_the_history_of_an_attribute(emitter: Emitter, tmp_path: Path) -> None:
    thing = emitter.new("Thing")
    emitter.attr(thing, "x", 1, site=2, call=1)
    emitter.attr(thing, "y", 5, site=3, call=1)
    emitter.attr(thing, "x", 1, site=4, call=1)
    emitter.event(Kind.ATTR_DEL, obj=thing.oid, key=emitter.name("x"), site=5, call=1)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        history = recording.places.writes(thing.oid, Attr("x"))
        assert lines(history) == [(2, UNSET, 1), (4, 1, 1), (5, 1, UNSET)]
        assert recording.places.writes(thing.oid, Attr("never")) == []


def test_the_history_of_an_entry(emitter: Emitter, tmp_path: Path) -> None:
    table = emitter.new("dict")
    emitter.entry(table, 1, "one")
    emitter.entry(table, 2, "two")
    emitter.entry(table, True, "true")
    emitter.entry(table, 1.0, None, kind=Kind.ENTRY_DEL)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        history = [(write.old, write.new) for write in recording.places.writes(table.oid, Entry(1))]
        assert history == [(UNSET, "one"), ("one", "true"), ("true", UNSET)]


def test_an_entry_may_be_asked_for_by_the_tuple_that_is_its_key(
    emitter: Emitter, tmp_path: Path
) -> None:
    table, key = emitter.new("dict"), emitter.new("tuple")
    emitter.event(Kind.KEY, obj=table.oid, key=(Tag.TUPLE, 9), value=emitter.value(key))
    emitter.event(Kind.ENTRY, obj=table.oid, key=(Tag.TUPLE, 9), value=(Tag.INT, 3))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert [write.new for write in recording.places.writes(table.oid, Entry(key))] == [3]


def test_a_state_can_be_asked_for_while_the_trace_grows(emitter: Emitter, tmp_path: Path) -> None:
    from wrongcall.trace.write.writer import TraceWriter

    writer = TraceWriter(tmp_path / "t.wrongcall")
    thing = emitter.new("Thing")
    emitter.name("x")
    writer.add(emitter.events(), bytes(emitter.data))
    writer.flush()
    with Recording(tmp_path / "t.wrongcall") as recording:
        for value in range(3):
            assert recording.states.state(thing.oid).attrs == ({"x": value - 1} if value else {})
            emitter.attr(thing, "x", value)
            writer.add(emitter.events()[-1:], b"")
            writer.flush()
            recording.refresh()
    writer.close("exit")


def test_dictionaries_that_are_each_others_alias_are_read_to_an_end(
    emitter: Emitter, tmp_path: Path
) -> None:
    one, other = emitter.new("dict"), emitter.new("dict")
    for alias, whose in ((one, other), (other, one)):
        emitter.event(Kind.ALIAS, obj=alias.oid, value=(Tag.OBJ, whose.oid))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.state(one.oid).entries == ()
        assert recording.states.state(one.oid).alias == other.oid


QUEUE = 1


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a trace of several extents, in which a list is a queue."""
    events = stream(11, busy=False)
    chance = np.random.default_rng(5)
    born = int(np.flatnonzero((events["kind"] == Kind.OBJ) & (events["obj"] == QUEUE))[0])
    blocks = np.flatnonzero((events["kind"] == Kind.BLOCK) & (np.arange(len(events)) > born))
    where = np.sort(chance.choice(blocks, 30_000, replace=False))
    events["kind"][events["obj"] == QUEUE] = Kind.BLOCK
    events[born] = np.array((Kind.OBJ, Layout.LIST, Tag.INT, 0, 0, 0, QUEUE, 1, 0), EVENT)
    length = 0
    for time in where.tolist():
        grows = length < 5 or chance.random() < 0.6
        key = int(chance.integers(0, length + 1)) if chance.random() < 0.2 else length * grows
        kind = Kind.INSERT if grows else Kind.REMOVE
        value = time if grows else 1
        events[time] = np.array((kind, 0, Tag.INT, 0, 0, 0, QUEUE, key, value), EVENT)
        length += 1 if grows else -(key < length)
    path = tmp_path_factory.mktemp("lives") / "t.wrongcall"
    writer = TraceWriter(path)
    writer.add(events, b"")
    writer.close("exit")
    return path


def test_states_of_huge_objects_are_those_of_small_ones(
    lives: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(4)
    with Recording(lives) as small, Recording(lives) as huge:
        count = small.event_count
        asked = [(QUEUE, time) for time in (0, 99, 50_000, count // 2, count - 1)]
        asked += [(chance.randrange(1, 80), chance.randrange(count)) for _ in range(60)]
        expected = [small.states.heap.contents(*each) for each in asked]
        assert len(expected[4].items) > 1000
        items = [small.places.writes(QUEUE, Item(index)) for index in (0, 7)]
        entries = [small.places.writes(oid, Entry(3)) for oid in range(2, 12, 2)]
        assert any(entries)
        monkeypatch.setattr(heap, "MANY_EVENTS", 0)
        monkeypatch.setattr(object_replay, "MANY", 0)
        for each, state in zip(asked, expected, strict=True):
            found = huge.states.heap.contents(*each)
            assert list(found.items) == list(state.items)
            assert (found.born, found.length, found.explored, found.alias) == (
                state.born,
                state.length,
                state.explored,
                state.alias,
            )
            assert list(found.entries.items()) == list(state.entries.items())
            assert list(found.members.items()) == list(state.members.items())
            assert list(found.attrs.items()) == list(state.attrs.items())
        again = [huge.places.writes(QUEUE, Item(index)) for index in (0, 7)]
        assert [_plain(one) for one in again] == [_plain(one) for one in items]
        again = [huge.places.writes(oid, Entry(3)) for oid in range(2, 12, 2)]
        assert [_plain(one) for one in again] == [_plain(one) for one in entries]


def _plain(writes: list[Write]) -> list[tuple[object, ...]]:
    return [(write.time, write.kind, write.seen, write.old, write.new) for write in writes]
