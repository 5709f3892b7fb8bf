"""Keys as text, and which one somebody means; Python itself says which are the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.languages.paths import Key
from wrongcall.recording import UNKNOWN, Entry, Item, Member, Recording, Ref
from wrongcall.recording import Path as PlacePath
from wrongcall.trace.read.values import Value

KEYS: dict[str, Any] = {
    "number": 1,
    "pair": (1, 0),
    "single": ("a",),
    "nested": (1, (2, "b")),
    "frozen": frozenset({1, 2}),
    "same frozen": frozenset({2, 1}),
    "other frozen": frozenset({1, 3}),
    "same pair": (True, 0.0),
    "empty": (),
    "other pair": (0, 1),
}


class Run:
    """A trace with all these keys."""

    def __init__(self, folder: Path) -> None:
        self.emitter = Emitter()
        self.values: dict[str, Value] = {name: self._put(key) for name, key in KEYS.items()}
        self.recording: Recording = self.emitter.open(folder / "t.wrongcall")
        self.time = self.recording.event_count - 1
        self.keys = self.recording.states.keys

    def _put(self, key: Any) -> Value:
        if isinstance(key, tuple):
            items = [self._put(item) for item in key]
            ref = self.emitter.new("tuple", length=len(key))
            for index, item in enumerate(items):
                self.emitter.item(Kind.ITEM | SEEN, ref, index, item)
            return ref
        if isinstance(key, frozenset):
            ref = self.emitter.new("frozenset", layout=Layout.FROZENSET, length=len(key))
            for member in key:
                self.emitter.member(ref, member, kind=Kind.MEMBER | SEEN)
            return ref
        found: Value = key
        return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    made = Run(tmp_path_factory.mktemp("keys"))
    yield made
    made.recording.close()


@pytest.mark.parametrize("name", KEYS)
def test_the_text_of_a_key_is_source_for_it(run: Run, name: str) -> None:
    text = run.keys.text(run.values[name], run.time)
    assert eval(text) == KEYS[name]


@pytest.mark.parametrize("one", KEYS)
@pytest.mark.parametrize("other", KEYS)
def test_keys_are_the_same_where_a_dict_takes_them_for_the_same(
    run: Run, one: str, other: str
) -> None:
    assert run.keys.equal(run.values[one], run.values[other], run.time) is (
        KEYS[one] == KEYS[other]
    )


def test_unknown_keys_equal_nothing(run: Run) -> None:
    assert not run.keys.equal(UNKNOWN, UNKNOWN, run.time)


def test_a_tuple_stands_in_brackets_without_its_own(run: Run) -> None:
    pair, single = run.values["pair"], run.values["single"]
    path = PlacePath("d", (Entry(pair), Item(3), Entry(single), Member(pair)))
    assert run.keys.path(path, run.time) == "d[1, 0][3][('a',)]{(1, 0)}"


def test_long_keys_are_shortened(tmp_path: Path) -> None:
    emitter = Emitter()
    items = emitter.new("tuple", length=60)
    for index in range(60):
        emitter.item(Kind.ITEM | SEEN, items, index, 1)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        text = recording.states.keys.text(items, emitter.now)
        assert len(text) == 83
        assert text.endswith("...")


def test_instances_and_classes_are_written_by_name(tmp_path: Path) -> None:
    emitter = Emitter()
    point = emitter.new("Point")
    emitter.attr(point, "x", 1)
    emitter.attr(point, "y", 2)
    kind = emitter.new("type", layout=Layout.CLASS)
    emitter.attr(kind, "__qualname__", "Outer.Inner")
    unknown = emitter.new("list", length=None)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        keys = recording.states.keys
        assert keys.text(point, emitter.now) == "Point(x=1, y=2)"
        assert keys.text(kind, emitter.now) == "Outer.Inner"
        assert keys.text(unknown, emitter.now) == f"#{unknown.oid}"


def test_a_key_can_be_typed_as_it_is_shown(tmp_path: Path) -> None:
    emitter = Emitter()
    table, point = emitter.new("dict"), emitter.new("Point")
    emitter.attr(point, "x", 1)
    emitter.entry(table, point, "here")
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        state = recording.states.state(table.oid)
        keys = recording.states.keys
        found = keys.find(state, Key(text="Point(x=1)"), lambda name: UNKNOWN, emitter.now)
        assert found == Entry(Ref(point.oid))
        assert keys.find(state, Key(text="Point(x=2)"), lambda name: UNKNOWN, emitter.now) is None
        assert keys.find(state, Key(name="p"), lambda name: point, emitter.now) == found


def test_a_key_of_many_shared_parts_is_written_only_as_far_as_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emitter = Emitter()
    shared: Value = 1
    for _ in range(6):  # 10 ** 6 parts, if each is written as often as it occurs
        ref = emitter.new("tuple", length=10)
        for index in range(10):
            emitter.item(Kind.ITEM | SEEN, ref, index, shared)
        shared = ref
    looked = 0
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        keys = recording.states.keys
        state = keys._state

        def counted(oid: int, time: int) -> Any:
            nonlocal looked
            looked += 1
            return state(oid, time)

        monkeypatch.setattr(keys, "_state", counted)
        text = keys.text(shared, recording.event_count - 1)
    assert (
        text == "(" * 6 + ", ".join("1" * 10) + "), (" + ", ".join("1" * 10) + "), (1, 1, 1, 1..."
    )
    assert looked <= 1000
