from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects import object_diff
from wrongcall.analysis.effects.object_diff import compare
from wrongcall.events import SEEN, Kind
from wrongcall.recording import (
    UNKNOWN,
    Attr,
    Change,
    ChangeKind,
    Entry,
    Item,
    Member,
    Recording,
    Value,
)
from wrongcall.replay.items import Items

Lists = st.lists(st.integers(0, 5), max_size=9)


def compared(recording: Recording, oid: int, before: int, aligned: bool = False) -> list[Change]:
    old, new = recording.states.heap.contents(oid, before), recording.states.heap.contents(oid)
    values, sameness = recording.states.values, recording.states.sameness
    return compare(old, new, values, sameness, aligned=aligned).changes


def lists(folder: Path, old: list[int], new: list[int]) -> tuple[Recording, int, int]:
    """Make a trace in which a list is emptied and filled again."""
    emitter = Emitter()
    held = emitter.new("list", length=len(old))
    for i, number in enumerate(old):
        emitter.item(Kind.ITEM | SEEN, held, i, number)
    before = emitter.now
    emitter.event(Kind.CLEAR, obj=held.oid)
    for i, number in enumerate(new):
        emitter.item(Kind.INSERT, held, i, number)
    return emitter.open(folder / "t.wrongcall"), held.oid, before


def rebuilt(old: list[int], changes: list[Change]) -> list[Value]:
    """Apply changes to a list: take out what went or moved, then put in what came or moved."""
    gone = {c.place for c in changes if c.kind is ChangeKind.REMOVED}
    gone |= {c.origin for c in changes if c.kind is ChangeKind.MOVED and c.origin is not None}
    result: list[Value] = [n for i, n in enumerate(old) if Item(i) not in gone]
    came = [c for c in changes if c.kind in (ChangeKind.ADDED, ChangeKind.MOVED)]
    for change in sorted(came, key=lambda c: c.place.index if isinstance(c.place, Item) else 0):
        assert isinstance(change.place, Item)
        result.insert(change.place.index, change.new)
    for change in changes:
        if change.kind is ChangeKind.CHANGED:
            assert isinstance(change.place, Item)
            assert result[change.place.index] == change.old
            result[change.place.index] = change.new
    return result


@settings(max_examples=80)
@given(Lists, Lists, st.booleans())
def test_the_changes_lead_from_the_old_list_to_the_new(
    tmp_path_factory: pytest.TempPathFactory, old: list[int], new: list[int], aligned: bool
) -> None:
    recording, oid, before = lists(tmp_path_factory.mktemp("lists"), old, new)
    with recording:
        changes = compared(recording, oid, before, aligned)
        assert rebuilt(old, changes) == new
        assert bool(changes) == (old != new)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=8), st.randoms())
def test_rearranged_elements_are_moves_only(
    tmp_path_factory: pytest.TempPathFactory, old: list[int], random: object
) -> None:
    new = list(old)
    random.shuffle(new)  # type: ignore[attr-defined]
    recording, oid, before = lists(tmp_path_factory.mktemp("moved"), old, new)
    with recording:
        changes = compared(recording, oid, before, aligned=True)
        assert {c.kind for c in changes} <= {ChangeKind.MOVED}
        for change in changes:
            assert isinstance(change.origin, Item)
            assert isinstance(change.place, Item)
            assert old[change.origin.index] == new[change.place.index] == change.new


def test_an_insertion_at_the_front_is_one_change(tmp_path: Path) -> None:
    recording, oid, before = lists(tmp_path, [1, 2, 3], [9, 1, 2, 3])
    with recording:
        assert compared(recording, oid, before, aligned=True) == [
            Change(ChangeKind.ADDED, Item(0), new=9)
        ]
        # Compared index by index, everything is different.
        assert len(compared(recording, oid, before)) == 4


def test_attributes_entries_and_members(tmp_path: Path) -> None:
    emitter = Emitter()
    node, table, group = emitter.new("Node"), emitter.new("dict"), emitter.new("set")
    for name, value in (("kept", 1), ("gone", 2), ("same", "a long text that is stored")):
        emitter.attr(node, name, value)
        emitter.entry(table, name, value)
        emitter.member(group, name)
    before = emitter.now
    emitter.attr(node, "kept", 3)
    emitter.attr(node, "same", "a long text that is stored")
    emitter.event(Kind.ATTR_DEL, obj=node.oid, key=emitter.name("gone"))
    emitter.attr(node, "new", None)
    emitter.entry(table, "kept", True)
    emitter.entry(table, "gone", None, kind=Kind.ENTRY_DEL)
    emitter.entry(table, 7, 8)
    emitter.member(group, "gone", kind=Kind.MEMBER_DEL)
    emitter.member(group, 9)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert compared(recording, node.oid, before) == [
            Change(ChangeKind.CHANGED, Attr("kept"), 1, 3),
            Change(ChangeKind.ADDED, Attr("new"), new=None),
            Change(ChangeKind.REMOVED, Attr("gone"), old=2),
        ]
        # 1 and True are equal in Python, and yet not the same value.
        assert compared(recording, table.oid, before) == [
            Change(ChangeKind.CHANGED, Entry("kept"), 1, True),
            Change(ChangeKind.ADDED, Entry(7), new=8),
            Change(ChangeKind.REMOVED, Entry("gone"), old=2),
        ]
        assert compared(recording, group.oid, before) == [
            Change(ChangeKind.REMOVED, Member("gone"), old="gone"),
            Change(ChangeKind.ADDED, Member(9), new=9),
        ]


def test_first_sights_are_no_change(tmp_path: Path) -> None:
    emitter = Emitter()
    held = emitter.new("list", length=6)
    for i in range(2):
        emitter.item(Kind.ITEM | SEEN, held, i, i)
    before = emitter.now
    emitter.item(Kind.ITEM, held, 4, 9)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        (change,) = compared(recording, held.oid, before)
        assert (change.kind, change.place) == (ChangeKind.CHANGED, Item(4))
        assert (change.old, change.new) == (UNKNOWN, 9)


@given(Lists, Lists, st.booleans(), st.integers(0, 12))
def test_long_sequences_are_compared_like_short_ones(
    old: list[int], new: list[int], aligned: bool, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(object_diff, "_ALIGNABLE", 4)
        recording, oid, before = lists(Path(folder), old, new)
        states = recording.states
        with recording:
            pair = states.heap.contents(oid, before), states.heap.contents(oid)
            values, sameness = states.values, states.sameness
            expected = compare(*pair, values, sameness, aligned=aligned)
            assert not expected.unlisted
            patch.setattr(object_diff, "MAX_CHANGES", most)
            for long in ((0,), (1,), (0, 1)):
                copies = pair[0].copy(), pair[1].copy()
                for i in long:
                    copies[i].items = Items(copies[i].items)
                found = compare(*copies, values, sameness, aligned=aligned)
                assert found.changes == expected.changes[:most]
                assert found.unlisted == max(len(expected.changes) - most, 0)
