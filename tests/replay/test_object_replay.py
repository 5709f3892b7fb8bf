"""Replaying what was written to real containers gives what the containers hold."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.recording import Missing, Recording, Ref
from wrongcall.replay import object_replay
from wrongcall.replay.elements import Slot
from wrongcall.replay.object_replay import Replay, Row, kind_of, rows_of
from wrongcall.trace.format.program_tables import Program
from wrongcall.trace.format.selection import Found

VALUES = st.one_of(st.integers(-3, 3), st.sampled_from(["a", "a long text, not inline", None]))
KEYS = st.one_of(
    st.sampled_from([0, 1, 2, 0.0, 1.0, 2.5, True, False, None, "k", "a key that is not inline"]),
    st.sampled_from([2**70, float(2**70), 1 + 0j, b"k", math.inf, -0.0]),
)


class Containers(RuleBasedStateMachine):
    """A list, a dict and a set, changed at random; now and then the trace is read."""

    folder: Any = None

    def __init__(self) -> None:
        super().__init__()
        self.emitter = Emitter()
        self.list: list[Any] = []
        self.dict: dict[Any, Any] = {}
        self.set: set[Any] = set()
        self.refs = [self.emitter.new(name) for name in ("list", "dict", "set")]
        self.past: list[tuple[int, Any]] = []

    @property
    def now(self) -> tuple[list[Any], list[tuple[Any, Any]], set[Any]]:
        return list(self.list), list(self.dict.items()), set(self.set)

    @invariant()
    def remember(self) -> None:
        self.past.append((self.emitter.now, self.now))

    @rule(value=VALUES, data=st.data())
    def insert(self, value: Any, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.list)))
        self.list.insert(index, value)
        self.emitter.item(Kind.INSERT, self.refs[0], index, value)

    @precondition(lambda self: self.list)
    @rule(value=VALUES, data=st.data())
    def store(self, value: Any, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.list) - 1))
        self.list[index] = value
        self.emitter.item(Kind.ITEM, self.refs[0], index, value)

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.list)))
        count = data.draw(st.integers(0, len(self.list) - index))
        del self.list[index : index + count]
        self.emitter.item(Kind.REMOVE, self.refs[0], index, count)

    @rule(key=KEYS, value=VALUES)
    def set_entry(self, key: Any, value: Any) -> None:
        self.dict[key] = value
        self.emitter.entry(self.refs[1], key, value)

    @precondition(lambda self: self.dict)
    @rule(data=st.data())
    def delete_entry(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(list(self.dict)))
        del self.dict[key]
        self.emitter.entry(self.refs[1], key, None, kind=Kind.ENTRY_DEL)

    @rule(key=KEYS)
    def add_member(self, key: Any) -> None:
        self.set.add(key)
        self.emitter.member(self.refs[2], key)

    @precondition(lambda self: self.set)
    @rule(data=st.data())
    def discard_member(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.set, key=repr)))
        self.set.discard(key)
        self.emitter.member(self.refs[2], key, kind=Kind.MEMBER_DEL)

    @rule(which=st.integers(0, 2))
    def clear(self, which: int) -> None:
        (self.list, self.dict, self.set)[which].clear()
        self.emitter.event(Kind.CLEAR, obj=self.refs[which].oid)

    def teardown(self) -> None:
        path = self.folder.mktemp("containers") / "run.wrongcall"
        with self.emitter.open(path) as recording:
            for time, (items, entries, members) in self.past:
                a, b, c = (recording.states.state(ref.oid, time) for ref in self.refs)
                assert repr(list(a.items)) == repr(items)
                assert a.length == len(items)
                assert repr(list(b.entries)) == repr(entries)
                assert set(c.members) == members
                assert sorted(map(repr, c.members)) == sorted(map(repr, members))


def test_containers_are_at_every_time_what_they_were(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    Containers.folder = tmp_path_factory
    case = Containers.TestCase
    case.settings = settings(max_examples=40, stateful_step_count=30)
    case().runTest()


@pytest.fixture
def emitter() -> Emitter:
    return Emitter()


@pytest.fixture
def open_trace(tmp_path_factory: pytest.TempPathFactory, emitter: Emitter) -> Any:
    opened: list[Recording] = []

    def opener() -> Recording:
        opened.append(emitter.open(tmp_path_factory.mktemp("replay") / "run.wrongcall"))
        return opened[-1]

    yield opener
    for recording in opened:
        recording.close()


def test_contents_at_first_sight_count_like_writes(emitter: Emitter, open_trace: Any) -> None:
    things = emitter.new("list", length=2)
    emitter.item(Kind.ITEM | SEEN, things, 0, "x")
    emitter.item(Kind.ITEM | SEEN, things, 1, "y")
    assert open_trace().states.state(things.oid).items == ("x", "y")


def test_an_object_is_unknown_until_it_is_explored(emitter: Emitter, open_trace: Any) -> None:
    things = emitter.new("list", length=None)
    before = emitter.now
    emitter.event(Kind.EXPLORED, obj=things.oid)
    emitter.item(Kind.ITEM | SEEN, things, 0, 5)
    recording = open_trace()
    assert not recording.states.state(things.oid, before).explored
    assert recording.states.state(things.oid).explored
    assert recording.states.state(things.oid).items == (5,)


def test_an_object_whose_class_changes_keeps_what_it_holds(
    emitter: Emitter, open_trace: Any
) -> None:
    thing = emitter.new("Caterpillar")
    emitter.attr(thing, "legs", 16)
    before = emitter.now
    number = emitter.type("Butterfly", Layout.INSTANCE)
    emitter.event(Kind.OBJ, obj=thing.oid, key=(Layout.INSTANCE, number), value=(Tag.INT, 0))
    emitter.attr(thing, "wings", 4)
    recording = open_trace()
    assert recording.states.state(thing.oid, before).type.qualname == "Caterpillar"
    assert recording.states.state(thing.oid, before).attrs == {"legs": 16}
    assert recording.states.state(thing.oid).type.qualname == "Butterfly"
    assert recording.states.state(thing.oid).attrs == {"legs": 16, "wings": 4}
    assert (
        recording.states.object(thing.oid).seen == recording.states.object(thing.oid, before).seen
    )


def test_items_in_between_may_be_unknown(emitter: Emitter, open_trace: Any) -> None:
    array = emitter.new("ndarray", length=1000, layout=Layout.NDARRAY)
    emitter.item(Kind.ITEM, array, 2, 1.5)
    state = open_trace().states.state(array.oid)
    assert repr(state.items) == "(UNKNOWN, UNKNOWN, 1.5)"
    assert state.length == 1000


def test_removing_from_what_is_partly_known_keeps_the_length(
    emitter: Emitter, open_trace: Any
) -> None:
    things = emitter.new("list", length=10)
    emitter.item(Kind.ITEM | SEEN, things, 0, 1)
    emitter.item(Kind.REMOVE, things, 0, 3)
    emitter.item(Kind.INSERT, things, 0, 9)
    state = open_trace().states.state(things.oid)
    assert (state.items, state.length) == ((9,), 8)


def fill(emitter: Emitter, ref: Ref, data: bytes, code: str = "B") -> None:
    key, value = (Tag.INT, ord(code)), emitter.value(data)
    emitter.event(Kind.FILL, obj=ref.oid, key=key, value=value)


def test_a_bytearray_is_filled_at_once_and_changed_byte_by_byte(
    emitter: Emitter, open_trace: Any
) -> None:
    data = emitter.new("bytearray")
    fill(emitter, data, b"abc")
    emitter.item(Kind.ITEM, data, 1, 7)
    before = emitter.now
    fill(emitter, data, b"a longer text than fits")
    recording = open_trace()
    assert recording.states.state(data.oid, before).items == (97, 7, 99)
    assert bytes(recording.states.state(data.oid).items) == b"a longer text than fits"


@pytest.mark.parametrize(
    "code, data, items",
    [
        ("h", b"\x01\x00\xff\xff", (1, -1)),
        ("Q", b"\xff" * 8, (2**64 - 1,)),
        ("d", b"\x00\x00\x00\x00\x00\x00\xf8\x3f", (1.5,)),
        ("f", b"\x00\x00\xc0\x3f", (1.5,)),
        ("B", b"", ()),
    ],
)
def test_an_array_is_filled_with_its_elements(
    emitter: Emitter, open_trace: Any, code: str, data: bytes, items: tuple[Any, ...]
) -> None:
    array = emitter.new("array")
    fill(emitter, array, data, code)
    assert open_trace().states.state(array.oid).items == items


def test_a_clipped_filling_knows_how_many_elements_there_are(
    emitter: Emitter, open_trace: Any
) -> None:
    array = emitter.new("array")
    value = emitter.content(Tag.BYTES, bytes(16), length=4_000_000)
    emitter.event(Kind.FILL, obj=array.oid, key=(Tag.INT, ord("h")), value=value)
    state = open_trace().states.state(array.oid)
    assert (len(state.items), state.length) == (8, 2_000_000)


def run_of(
    emitter: Emitter, kind: Kind, ref: Ref, index: int, data: bytes, code: str = "B"
) -> None:
    emitter.event(kind, obj=ref.oid, key=(ord(code), index), value=emitter.value(data))


BYTES = st.binary(max_size=12)


@settings(max_examples=60)
@given(BYTES, st.lists(st.tuples(st.booleans(), st.integers(0, 20), BYTES), max_size=12))
def test_runs_of_elements_replace_others_or_are_put_in(
    tmp_path_factory: pytest.TempPathFactory, first: bytes, steps: list[tuple[bool, int, bytes]]
) -> None:
    emitter = Emitter()
    ref = emitter.new("bytearray", length=len(first))
    fill(emitter, ref, first)
    real = bytearray(first)
    past = []
    for puts_in, place, data in steps:
        index = place % (len(real) + 1)
        real[index : index + (0 if puts_in else len(data))] = data
        run_of(emitter, Kind.SPLICE if puts_in else Kind.PATCH, ref, index, data)
        past.append((emitter.now, bytes(real)))
    with emitter.open(tmp_path_factory.mktemp("runs") / "t.wrongcall") as recording:
        for time, expected in past:
            state = recording.states.state(ref.oid, time)
            assert (bytes(state.items), state.length) == (expected, len(expected))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "code, data, items",
    [
        ("?", b"\x00\x01", (False, True)),
        ("e", b"\x00\x38", (0.5,)),
        ("q", b"\xff" * 8, (-1,)),
        ("w", "a\u20ac\U0001f600".encode("utf-32-le"), ("a", "\u20ac", "\U0001f600")),
        ("w", b"\x00\x00\x11\x00", (0x110000,)),
    ],
)
def test_a_run_is_read_by_its_type_code(
    emitter: Emitter, open_trace: Any, code: str, data: bytes, items: tuple[Any, ...]
) -> None:
    array = emitter.new("array")
    run_of(emitter, Kind.PATCH, array, 0, data, code)
    found = open_trace().states.state(array.oid).items
    assert (found, list(map(type, found))) == (items, list(map(type, items)))


def test_a_clipped_run_takes_the_room_of_the_whole(emitter: Emitter, open_trace: Any) -> None:
    array = emitter.new("array")
    fill(emitter, array, b"ab")
    value = emitter.content(Tag.BYTES, b"xyz", length=5)
    emitter.event(Kind.SPLICE, obj=array.oid, key=(ord("B"), 1), value=value)
    state = open_trace().states.state(array.oid)
    unknown = Missing.UNKNOWN
    assert state.items == (97, *b"xyz", unknown, unknown, 98)
    assert state.length == 7


def test_the_whole_length_is_known_where_only_some_elements_are(
    emitter: Emitter, open_trace: Any
) -> None:
    array = emitter.new("array", length=5000)
    run_of(emitter, Kind.PATCH, array, 0, b"ab")
    before = emitter.now
    emitter.event(Kind.CLEAR, obj=array.oid, value=(Tag.INT, 3000))
    run_of(emitter, Kind.PATCH, array, 0, b"cde")
    recording = open_trace()
    assert (
        recording.states.state(array.oid, before).items,
        recording.states.state(array.oid, before).length,
    ) == (
        (97, 98),
        5000,
    )
    assert (recording.states.state(array.oid).items, recording.states.state(array.oid).length) == (
        (99, 100, 101),
        3000,
    )


@pytest.mark.parametrize("code, index", [("Z", 0), ("B", 1 << 28)])
def test_an_impossible_run_of_elements_is_an_error(
    emitter: Emitter, open_trace: Any, code: str, index: int
) -> None:
    array = emitter.new("array")
    run_of(emitter, Kind.PATCH, array, index, b"ab", code)
    with pytest.raises(TraceError, match="damaged"):
        open_trace().states.state(array.oid)


def test_a_tuple_is_a_key_by_what_it_consists_of(emitter: Emitter, open_trace: Any) -> None:
    table = emitter.new("dict")
    first, second = emitter.new("tuple"), emitter.new("tuple")
    for key, value in ((first, 1), (second, 2)):
        for kind, tagged in ((Kind.KEY, emitter.value(key)), (Kind.ENTRY, emitter.value(value))):
            emitter.event(kind, obj=table.oid, key=(Tag.TUPLE, 99), value=tagged)
    assert open_trace().states.state(table.oid).entries == ((first, 2),)


@pytest.mark.parametrize("index", [-1, 1 << 26, 1 << 40])
def test_an_index_that_cannot_be_is_an_error_of_the_trace(
    emitter: Emitter, open_trace: Any, index: int
) -> None:
    things = emitter.new("list")
    emitter.item(Kind.ITEM, things, index, 0)
    with pytest.raises(TraceError, match=f"damaged trace: an item with index {index}"):
        open_trace().states.state(things.oid)


def test_an_unknown_layout_is_an_error_of_the_trace(emitter: Emitter, open_trace: Any) -> None:
    emitter.event(Kind.OBJ, obj=5, key=(200, 1), value=(Tag.INT, 0))
    with pytest.raises(TraceError, match="unknown layout 200"):
        open_trace().states.state(5)


@given(st.lists(st.sampled_from(["x", "y", "z"]), max_size=20))
def test_attributes_keep_their_order_until_they_are_deleted(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    emitter, expected = Emitter(), dict[str, int]()
    thing = emitter.new("Thing")
    for i, name in enumerate(names):
        if i % 3 == 2 and name in expected:
            del expected[name]
            emitter.event(Kind.ATTR_DEL, obj=thing.oid, key=emitter.name(name))
        else:
            expected[name] = i
            emitter.attr(thing, name, i)
    with emitter.open(tmp_path_factory.mktemp("attrs") / "run.wrongcall") as recording:
        assert list(recording.states.state(thing.oid).attrs.items()) == list(expected.items())


def test_an_event_of_an_unknown_kind_is_an_error_of_the_trace() -> None:
    row = Row(time=0, kind=Kind.ATTR | SEEN, ktag=0, key=0, vtag=0, value=0, site=0, call=1)
    assert kind_of(row) is Kind.ATTR
    with pytest.raises(TraceError, match="unknown kind 127"):
        kind_of(row._replace(kind=127))


@pytest.mark.parametrize("numbers", [(), (1,), (2,), (1, 2), (1, 3), (3, 2, 1)])
def test_an_attribute_is_found_as_if_all_were_named(
    numbers: tuple[int, ...], tmp_path: Path
) -> None:
    program = Program()
    for number, name in enumerate(["a", "b", "a"], start=1):
        program.names.add(number, name)
    with Emitter().open(tmp_path / "t.wrongcall") as recording:
        replay = Replay(program, recording.states.values)
    for number in numbers:
        replay.attrs[number] = Slot(Tag.INT, number, number)
    for name in ("a", "b", "c"):
        assert replay.attr(name) == dict(replay.named_attrs()).get(name)


PLAIN = st.one_of(st.integers(-4, 4), st.sampled_from(["", "a", "a key that is not inline", "é"]))


@given(
    st.lists(st.tuples(st.one_of(PLAIN, PLAIN, PLAIN, KEYS), st.integers(0, 9)), max_size=30),
    st.lists(st.tuples(PLAIN, st.integers(0, 9)), min_size=1, max_size=100),
)
def test_entries_put_together_are_as_if_they_were_put_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    first: list[tuple[Any, int]],
    then: list[tuple[Any, int]],
) -> None:
    emitter = Emitter()
    table = emitter.new("dict")
    for key, value in first + then:
        emitter.entry(table, key, value)
    with emitter.open(tmp_path_factory.mktemp("entries") / "run.wrongcall") as recording:
        found = recording._store.segments.select(obj=table.oid)
        one, other = (Replay(recording._store.program, recording.states.values) for _ in range(2))
        for row in rows_of(found):
            one.apply(row)
        split = 1 + len(first)
        other.apply_all(Found(found.times[:split], found.events[:split]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(object_replay, "MANY_ENTRIES", 1)
            put = patch_counted(patch)
            other.apply_all(Found(found.times[split:], found.events[split:]))
        assert put == [len(then)]
        assert repr(list(one.entries.items())) == repr(list(other.entries.items()))


def patch_counted(patch: pytest.MonkeyPatch) -> list[int]:
    """Count what is put together."""
    counts: list[int] = []
    real = Replay._put_entries

    def counted(self: Replay, found: Found) -> None:
        counts.append(len(found.times))
        real(self, found)

    patch.setattr(Replay, "_put_entries", counted)
    return counts
