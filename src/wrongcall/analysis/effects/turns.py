"""What several writers did to one object or variable, each on its own.

The writes between two times are replayed in order, each with its writer. A *run* of a place is a sequence of writes by
one writer without any other in between. A run that left the place as it was is dropped, and its neighbours are joined
if they have the same writer. So for every writer, each place has the values that this writer found and left there,
without what others did.

Elements of a sequence change their places when others are inserted or removed. For sequences, a writer's *turn* counts:
writes to the sequence without any other writer in between. The contents before and after a turn are compared, and
places are those at the end of the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from wrongcall.analysis.effects.object_diff import (
    Change,
    ChangeKind,
    Run,
    compare_items,
    kind_of_change,
    same,
)
from wrongcall.events import SEEN, Kind, Tag
from wrongcall.languages.paths import Member, PathStep
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import SEQUENCES
from wrongcall.replay.object_replay import Replay, Row
from wrongcall.replay.sameness import Sameness
from wrongcall.replay.writes import read_slot
from wrongcall.trace.read.places import Attr, Entry, Item
from wrongcall.trace.read.values import UNSET, Value, Values

MOST_COMPARED = 1_000_000
"""Elements to compare for the turns at one sequence; beyond that, each write is reported on its own."""

_SHIFTS = frozenset({Kind.INSERT, Kind.REMOVE, Kind.SPLICE, Kind.CLEAR, Kind.FILL})
_SEQUENCE = _SHIFTS | {Kind.ITEM, Kind.PATCH}
_ATTRS = (Kind.ATTR, Kind.ATTR_DEL)
_ENTRIES = (Kind.ENTRY, Kind.ENTRY_DEL)
_MEMBERS = (Kind.MEMBER, Kind.MEMBER_DEL)
_PLACED = frozenset({*_ATTRS, *_ENTRIES, *_MEMBERS})

_THERE = Slot(Tag.UNSET, 0, 0)
"""Stands for an element of a set, which is present or absent."""

Changes = dict[int, list[Change]]
"""What each writer changed."""


@dataclass
class _Run:
    who: int
    old: Slot | None
    new: Slot | None
    before: int
    after: int


@dataclass
class _Places:
    """The runs at the places of an object."""

    values: Values
    sameness: Sameness
    runs: dict[Hashable, list[_Run]] = field(default_factory=dict)
    steps: dict[Hashable, PathStep] = field(default_factory=dict)

    def note(self, mark: Hashable, step: PathStep, run: _Run) -> None:
        """Append a run to a place."""
        runs = self.runs.setdefault(mark, [])
        self.steps.setdefault(mark, step)
        if runs and runs[-1].who == run.who:
            runs[-1].new, runs[-1].after = run.new, run.after
        else:
            runs.append(run)
        if self._is_none(runs[-1]):
            runs.pop()

    def _is_none(self, run: _Run) -> bool:
        if run.old is None or run.new is None:
            return run.old is run.new
        return same(run.old, run.new, self.sameness)

    def told(self) -> Iterator[tuple[int, Change]]:
        """Iterate over the changes of each writer, in the order in which places were first written."""
        for mark, runs in self.runs.items():
            by_writer: dict[int, list[Run]] = {}
            step = self.steps[mark]
            for run in runs:
                pair = (self._read(step, run.old), self._read(step, run.new))
                by_writer.setdefault(run.who, []).append(Run(*pair, run.before, run.after))
            for who, its in by_writer.items():
                yield who, change_of(step, its)

    def _read(self, step: PathStep, slot: Slot | None) -> Value:
        if isinstance(step, Member):
            return UNSET if slot is None else step.key
        return read_slot(self.values, slot)


def change_of(step: PathStep, runs: list[Run]) -> Change:
    """Return the change of a place that one writer wrote to, once or several times."""
    old, new = runs[0].old, runs[-1].new
    if len(runs) == 1:
        return Change(kind_of_change(old, new), step, old, new)
    return Change(ChangeKind.CHANGED, step, old, new, runs=tuple(runs))


class Turns:
    """Replays the writes to one object."""

    def __init__(
        self, start: Replay, names: Callable[[int], str], values: Values, sameness: Sameness
    ) -> None:
        self._state = start.copy()
        self._names = names
        self._values = values
        self._sameness = sameness
        self._places = _Places(values, sameness)
        self._moved: list[tuple[int, Change]] = []
        self._turn: list[Row] = []
        self._who = 0
        self._compared = 0

    def of(self, rows: list[Row], writers: Iterable[int]) -> Changes:
        """Return what each writer changed; the rows follow the state at the start."""
        stable = not any(row.kind & ~SEEN in _SHIFTS for row in rows)
        exploring = False
        for row, who in zip(rows, writers, strict=True):
            kind = row.kind & ~SEEN
            exploring = kind == Kind.EXPLORED or (exploring and bool(row.kind & SEEN))
            if not exploring and kind in _SEQUENCE and self._state.layout in SEQUENCES:
                self._in_turn(row, who, stable)
                continue
            if not exploring and kind in _PLACED:
                self._write(row, who)
            elif not exploring and kind == Kind.CLEAR:
                self._clear(row, who)
            else:
                self._end_turn(stable)
                self._state.apply(row)
        self._end_turn(stable)
        found: Changes = {}
        for who, change in [*self._places.told(), *self._moved]:
            found.setdefault(who, []).append(change)
        return found

    # -- attributes, entries, members --------------------------------------------------------------

    def _write(self, row: Row, who: int) -> None:
        mark, step = self._place(row)
        old = self._held(mark)
        self._state.apply(row)
        self._places.note(mark, step, _Run(who, old, self._held(mark), row.time - 1, row.time))

    def _place(self, row: Row) -> tuple[tuple[str, Hashable], PathStep]:
        kind = row.kind & ~SEEN
        if kind in _ATTRS:
            return ("attr", row.key), Attr(self._names(row.key))
        mark, key = self._state.key_of(row)
        if kind in _ENTRIES:
            known = self._state.entries.get(mark)
            return ("entry", mark), Entry(known[0] if known else key)
        return ("member", mark), Member(key)

    def _held(self, mark: tuple[str, Hashable]) -> Slot | None:
        kind, key = mark
        if kind == "attr":
            assert isinstance(key, int)
            return self._state.attrs.get(key)
        if kind == "entry":
            return self._state.entries[key][1] if key in self._state.entries else None
        return _THERE if key in self._state.members else None

    def _clear(self, row: Row, who: int) -> None:
        """Empty a dict or set."""
        times = (row.time - 1, row.time)
        for mark, (key, slot) in self._state.entries.items():
            self._places.note(("entry", mark), Entry(key), _Run(who, slot, None, *times))
        for mark, (key, _) in self._state.members.items():
            self._places.note(("member", mark), Member(key), _Run(who, _THERE, None, *times))
        self._state.apply(row)

    # -- elements of sequences ---------------------------------------------------------------------

    def _in_turn(self, row: Row, who: int, stable: bool) -> None:
        """Add a write to a sequence to the current turn; it is replayed when the turn is over."""
        if who != self._who:
            self._end_turn(stable)
        self._who = who
        self._turn.append(row)

    def _end_turn(self, stable: bool) -> None:
        rows, self._turn = self._turn, []
        if not rows:
            return
        if len(rows) > 1 and self._compared > MOST_COMPARED:
            for row in rows:
                self._one_turn([row], stable)
        else:
            self._one_turn(rows, stable)

    def _one_turn(self, rows: list[Row], stable: bool) -> None:
        """Replay writes by one writer and report the differences."""
        state, who = self._state, self._who
        if stable and all(row.kind & ~SEEN == Kind.ITEM for row in rows):
            for row in rows:
                self._store(row)
            return
        plain = len(rows) == 1 and rows[0].kind in (Kind.INSERT, Kind.REMOVE)
        if plain:
            self._moved += [(who, change) for change in self._shift(rows[0])]
            return
        before = list(state.items)
        for row in rows:
            state.apply(row)
        self._compared += len(before) + len(state.items)
        aligned = any(row.kind & ~SEEN in _SHIFTS for row in rows)
        found = compare_items(before, state.items, self._values, self._sameness, aligned=aligned)
        times = (rows[0].time - 1, rows[-1].time)
        for change in found:
            if stable and isinstance(change.place, Item):
                self._note_item(change.place.index, before, times)
            else:
                self._moved.append((who, change))

    def _store(self, row: Row) -> None:
        before = self._state.items[row.key : row.key + 1]
        self._state.apply(row)
        times = (row.time - 1, row.time)
        run = _Run(self._who, before[0] if before else None, self._state.items[row.key], *times)
        self._places.note(("item", row.key), Item(row.key), run)

    def _note_item(self, index: int, before: list[Slot], times: tuple[int, int]) -> None:
        """Note what a turn left at an index of a sequence whose elements all stay in place."""
        items = self._state.items
        old = before[index] if index < len(before) else None
        new = items[index] if index < len(items) else None
        self._places.note(("item", index), Item(index), _Run(self._who, old, new, *times))

    def _shift(self, row: Row) -> Iterator[Change]:
        """Apply one insertion or removal, and report it."""
        items = self._state.items
        gone = items[row.key : row.key + row.value] if row.kind == Kind.REMOVE else []
        self._state.apply(row)
        for i, slot in enumerate(gone):
            old = read_slot(self._values, slot)
            yield Change(ChangeKind.REMOVED, Item(row.key + i), old=old)
        if row.kind == Kind.INSERT:
            new = read_slot(self._values, items[row.key])
            yield Change(ChangeKind.ADDED, Item(row.key), new=new)


def variable_turns(
    name: str,
    start: Slot | None,
    writes: Iterable[tuple[int, int, Slot | None]],
    values: Values,
    sameness: Sameness,
) -> Changes:
    """Return what each writer did to a variable, given writers, times, and the values they left."""
    places = _Places(values, sameness)
    old = start
    for who, time, new in writes:
        places.note(name, Attr(name), _Run(who, old, new, time - 1, time))
        old = new
    found: Changes = {}
    for who, change in places.told():
        found.setdefault(who, []).append(change)
    return found
