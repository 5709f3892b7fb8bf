"""What several writers did to one object, each on its own. (Whole programs: test_meanwhile.)"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects import turns
from wrongcall.analysis.effects.object_diff import Run
from wrongcall.analysis.effects.turns import Changes, Turns, change_of, variable_turns
from wrongcall.events import SEEN, Kind, Tag
from wrongcall.recording import UNSET, Attr, Change, ChangeKind, Entry, Item, Member, Recording, Ref
from wrongcall.replay.elements import Slot
from wrongcall.replay.object_replay import rows_of

ONE, OTHER = 1, 2


@contextmanager
def _opened(emitter: Emitter) -> Iterator[Recording]:
    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as recording,
    ):
        yield recording


def _changes(emitter: Emitter, ref: Ref, begin: int, writers: list[int]) -> Changes:
    """Return what each did; one writer for each event of the object after a time."""
    with _opened(emitter) as recording:
        states = recording.states
        rows = rows_of(recording.events.select(obj=ref.oid, first=begin + 1))
        start = states.heap.contents(ref.oid, begin)
        names = recording.program.names.__getitem__
        return Turns(start, names, states.values, states.sameness).of(rows, writers)


def test_writes_between_which_nobody_else_wrote_are_one_change() -> None:
    emitter = Emitter()
    point = emitter.new("Point")
    emitter.attr(point, "x", 1)
    begin = emitter.now
    for value in (2, 3):
        emitter.attr(point, "x", value)
    found = _changes(emitter, point, begin, [ONE, ONE])
    assert found == {ONE: [Change(ChangeKind.CHANGED, Attr("x"), 1, 3)]}


def test_each_writer_has_what_it_found_and_left() -> None:
    emitter = Emitter()
    point = emitter.new("Point")
    begin = emitter.attr(point, "x", 1)
    times = [emitter.attr(point, "x", value) for value in (2, 3, 4)]
    found = _changes(emitter, point, begin, [ONE, OTHER, ONE])
    runs = (Run(1, 2, times[0] - 1, times[0]), Run(3, 4, times[2] - 1, times[2]))
    assert found[ONE] == [Change(ChangeKind.CHANGED, Attr("x"), 1, 4, runs=runs)]
    assert found[OTHER] == [Change(ChangeKind.CHANGED, Attr("x"), 2, 3)]


def test_a_run_that_changed_nothing_is_ignored() -> None:
    emitter = Emitter()
    point = emitter.new("Point")
    begin = emitter.attr(point, "x", 1)
    for value in (2, 7, 2, 3):
        emitter.attr(point, "x", value)
    found = _changes(emitter, point, begin, [ONE, OTHER, OTHER, ONE])
    assert found == {ONE: [Change(ChangeKind.CHANGED, Attr("x"), 1, 3)]}


def test_emptying_a_dict_removes_what_others_put_there() -> None:
    emitter = Emitter()
    table = emitter.new("dict")
    begin = emitter.entry(table, "a", 1)
    emitter.entry(table, "b", 2)
    emitter.event(Kind.CLEAR, obj=table.oid)
    found = _changes(emitter, table, begin, [ONE, OTHER])
    assert found[ONE] == [Change(ChangeKind.ADDED, Entry("b"), new=2)]
    assert found[OTHER] == [
        Change(ChangeKind.REMOVED, Entry("b"), 2),
        Change(ChangeKind.REMOVED, Entry("a"), 1),
    ]


def test_members_of_a_set_are_there_or_not() -> None:
    emitter = Emitter()
    group = emitter.new("set")
    begin = emitter.member(group, 5)
    emitter.member(group, 6)
    emitter.member(group, 5, kind=Kind.MEMBER_DEL)
    found = _changes(emitter, group, begin, [ONE, OTHER])
    assert found[ONE] == [Change(ChangeKind.ADDED, Member(6), new=6)]
    assert found[OTHER] == [Change(ChangeKind.REMOVED, Member(5), 5)]


def test_insertions_by_others_do_not_move_ones_own() -> None:
    emitter = Emitter()
    items = emitter.new("list", length=1)
    begin = emitter.item(Kind.ITEM | SEEN, items, 0, "a")
    emitter.item(Kind.INSERT, items, 0, "b")
    emitter.item(Kind.INSERT, items, 2, "c")
    found = _changes(emitter, items, begin, [ONE, OTHER])
    assert found == {
        ONE: [Change(ChangeKind.ADDED, Item(0), new="b")],
        OTHER: [Change(ChangeKind.ADDED, Item(2), new="c")],
    }


@pytest.mark.parametrize("limit", [0, turns.MOST_COMPARED])
def test_a_turn_is_compared_as_a_whole_unless_too_much_was_compared(
    monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(turns, "MOST_COMPARED", limit)
    emitter = Emitter()
    items = emitter.new("list")
    begin = emitter.now
    emitter.item(Kind.INSERT, items, 0, "a")
    emitter.item(Kind.INSERT, items, 0, "b")
    emitter.item(Kind.INSERT, items, 0, "c")
    emitter.item(Kind.INSERT, items, 0, "d")
    found = _changes(emitter, items, begin, [ONE, ONE, OTHER, OTHER])
    assert found[ONE] == [
        Change(ChangeKind.ADDED, Item(0), new="b"),
        Change(ChangeKind.ADDED, Item(1), new="a"),
    ]
    places = [change.place for change in found[OTHER]]
    assert places == ([Item(0), Item(1)] if limit else [Item(0), Item(0)])


def test_a_place_written_once_or_often() -> None:
    assert change_of(Attr("x"), [Run(UNSET, 1, 0, 1)]).kind is ChangeKind.ADDED
    assert change_of(Attr("x"), [Run(1, UNSET, 0, 1)]).kind is ChangeKind.REMOVED
    twice = [Run(1, 2, 0, 1), Run(5, 6, 3, 4)]
    assert change_of(Attr("x"), twice) == Change(
        ChangeKind.CHANGED, Attr("x"), 1, 6, runs=tuple(twice)
    )


_WRITES = st.lists(
    st.tuples(st.integers(1, 3), st.none() | st.integers(0, 2)), min_size=1, max_size=12
)


@pytest.fixture(scope="module")
def empty() -> Iterator[Recording]:
    with _opened(Emitter()) as recording:
        yield recording


@given(_WRITES)
def test_runs_are_what_is_left_when_those_that_changed_nothing_are_taken_out(
    empty: Recording, written: list[tuple[int, int | None]]
) -> None:
    slots = [
        (who, time, None if value is None else Slot(Tag.INT, value, time))
        for time, (who, value) in enumerate(written, 1)
    ]
    values, sameness = empty.states.values, empty.states.sameness
    found = variable_turns("v", Slot(Tag.INT, 0, 0), slots, values, sameness)
    told = {who: [_pairs(change) for change in changes] for who, changes in found.items()}
    expected: dict[int, list[tuple[object, object]]] = {}
    for who, old, new in _reduced(written):
        expected.setdefault(who, []).append((old, new))
    assert told == {who: [pairs] for who, pairs in expected.items()}


def _pairs(change: Change) -> list[tuple[object, object]]:
    runs = change.runs or (Run(change.old, change.new, 0, 0),)
    return [tuple(None if v is UNSET else v for v in run[:2]) for run in runs]  # type: ignore[misc]


def _reduced(written: list[tuple[int, int | None]]) -> list[tuple[int, object, object]]:
    """Take out what changed nothing and join what is side by side, until nothing is left to do."""
    before = [0, *(value for _, value in written)]
    runs = [(who, old, new) for (who, new), old in zip(written, before, strict=False)]
    while True:
        kept = [run for run in runs if run[1] != run[2]]
        joined: list[tuple[int, int | None, int | None]] = []
        for who, old, new in kept:
            if joined and joined[-1][0] == who:
                joined[-1] = (who, joined[-1][1], new)
            else:
                joined.append((who, old, new))
        if joined == runs:
            return list(runs)
        runs = joined
