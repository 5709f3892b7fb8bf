"""Leaving out writes makes no difference to what several writers did."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.analysis.effects import turn_writes
from wrongcall.analysis.effects.turn_writes import TurnWrites
from wrongcall.analysis.effects.turns import Changes, Turns
from wrongcall.events import SEEN, Kind
from wrongcall.recording import Recording, Ref
from wrongcall.replay.object_replay import Replay, rows_of
from wrongcall.trace.format.event_records import Ints, call_ids
from wrongcall.trace.format.selection import Found

OTHER_OBJECT = Ref(77)
LONG = "a text that is stored as a content"
_VALUES = st.sampled_from([0, 1, 2, 3, True, None, 1.0, LONG, OTHER_OBJECT])
_KEYS = st.sampled_from([1, 2, True, "k", "key two", LONG])
_ATTR = st.tuples(st.just("attr"), st.sampled_from("xy"), _VALUES)
_ENTRY = st.tuples(st.just("entry"), _KEYS, _VALUES)
_WRITES = st.lists(
    st.tuples(
        st.one_of(
            _ATTR,
            _ENTRY,
            st.tuples(st.just("seen"), st.sampled_from("xy"), _VALUES),
            st.tuples(st.sampled_from(["gone", "clear", "explored"]), st.just("x"), st.just(0)),
        ),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=40,
)
_PLAIN_WRITES = st.lists(
    st.tuples(st.one_of(_ATTR, _ENTRY), st.integers(1, 2)), min_size=1, max_size=60
)


def _emit(emitter: Emitter, ref: Ref, write: tuple[str, object, object], call: int) -> None:
    how, place, value = write
    if how == "attr":
        emitter.attr(ref, str(place), value, call=call)
    elif how == "entry":
        emitter.entry(ref, place, value)
    elif how == "seen":
        key, held = emitter.name(str(place)), emitter.value(value)
        emitter.event(Kind.ATTR | SEEN, obj=ref.oid, key=key, value=held)
    else:
        kinds = {"gone": Kind.ATTR_DEL, "clear": Kind.CLEAR, "explored": Kind.EXPLORED}
        key = emitter.name("x") if how == "gone" else (0, 0)
        emitter.event(kinds[how], obj=ref.oid, key=key, call=call)


def _turns(recording: Recording, start: Replay) -> Turns:
    states = recording.states
    return Turns(start, recording.program.names.__getitem__, states.values, states.sameness)


def _both(
    writes: Sequence[tuple[tuple[str, object, object], int]], cut: int
) -> tuple[Changes, Changes, int]:
    """Return what each writer did by all writes and by those that are left, and how many are left."""
    emitter = Emitter()
    ref = emitter.new("Point")
    begin = emitter.attr(ref, "x", 0)
    for write, call in writes:
        _emit(emitter, ref, write, call)
    who = np.array([call for _, call in writes])
    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as recording,
    ):
        found = recording.events.select(obj=ref.oid, first=begin + 1)
        start = recording.states.heap.contents(ref.oid, begin)
        parts = [Found(found.times[:cut], found.events[:cut])]
        parts.append(Found(found.times[cut:], found.events[cut:]))
        rest = iter([who[:cut], who[cut:]])

        def writers(calls: Ints) -> Ints:
            return next(rest)

        expected = _turns(recording, start).of(rows_of(found), who.tolist())
        rows, left = TurnWrites(start).of(parts, writers)
        return expected, _turns(recording, start).of(rows, left), len(rows)


@pytest.fixture(autouse=True)
def any_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_writes, "FEW", 0)


@given(_WRITES, st.integers(0, 40))
def test_what_is_left_gives_the_same_turns(
    writes: Sequence[tuple[tuple[str, object, object], int]], cut: int
) -> None:
    expected, found, _ = _both(writes, cut)
    assert found == expected


@given(_PLAIN_WRITES, st.integers(0, 60))
def test_writes_that_return_to_earlier_values_give_the_same_turns(
    writes: Sequence[tuple[tuple[str, object, object], int]], cut: int
) -> None:
    expected, found, _ = _both(writes, cut)
    assert found == expected


_BLOCKS = st.lists(
    st.tuples(st.integers(1, 2), st.lists(st.integers(0, 3), min_size=1, max_size=6)),
    min_size=2,
    max_size=8,
)


@given(_BLOCKS, st.integers(0, 48))
def test_blocks_that_return_to_earlier_values_give_the_same_runs(
    blocks: list[tuple[int, list[int]]], cut: int
) -> None:
    writes = [(("attr", "x", value), who) for who, values in blocks for value in values]
    expected, found, _ = _both(writes, cut)
    assert found == expected


def test_of_a_counter_the_first_and_last_write_of_each_block_are_left() -> None:
    writes = [(("attr", "x", number), 1 + number // 100 % 2) for number in range(1, 1000)]
    expected, found, left = _both(writes, 500)
    assert found == expected
    # Ten blocks, one of which is cut in two.
    assert left <= 2 * 11


def test_of_a_lock_few_writes_are_left() -> None:
    writes = [(("attr", "x", number % 2), 1 + number // 100 % 2) for number in range(1, 1000)]
    expected, found, left = _both(writes, 500)
    assert found == expected
    assert left <= 8 * 11


def test_the_calls_of_events_are_passed_to_find_their_writers() -> None:
    emitter = Emitter()
    ref = emitter.new("Point")
    begin = emitter.attr(ref, "x", 0)
    for call in (4, 5, 4):
        emitter.attr(ref, "x", call, call=call)
    asked: list[int] = []

    def writers(calls: Ints) -> Ints:
        asked.extend(calls.tolist())
        return calls + 10

    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as recording,
    ):
        found = recording.events.select(obj=ref.oid, first=begin + 1)
        start = recording.states.heap.contents(ref.oid, begin)
        _, who = TurnWrites(start).of([found], writers)
        assert asked == call_ids(found.events).tolist()
    assert who == [14, 15, 14]
