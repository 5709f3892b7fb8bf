"""Numbers of several processes become those of one trace."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wrongcall.events import CARRIERS, SITE_LINE, Kind, Layout, Start, Tag
from wrongcall.trace.format.event_records import EVENT, Events, call_ids, obj_ids
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.first_numbers import FirstNumbers
from wrongcall.trace.write.renumber import FIRST, Pieces, Renumber, Stretch

Row = dict[str, Any]
NAMES = ["a", "b", "c", "d"]


@dataclass
class Model:
    """A process as the obvious version knows it: each of its numbers, one by one."""

    root: int = 0
    known: dict[str, dict[int, int]] = field(default_factory=lambda: defaultdict(lambda: {0: 0}))
    last: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def forked(self) -> Model:
        copy = Model(self.root)
        copy.known.update({what: dict(numbers) for what, numbers in self.known.items()})
        copy.last.update(self.last)
        return copy


class Streams:
    """Makes events of several processes, and the same events with the numbers that they should get."""

    def __init__(self) -> None:
        self.models = {FIRST: Model()}
        self.rows: list[tuple[int, Row, bytes]] = []
        self.expected: list[tuple[Row, bytes]] = []
        self.trace: dict[str, int] = defaultdict(int)
        self.names: dict[str, int] = {}

    def new(self, process: int, what: str) -> int:
        model = self.models[process]
        model.last[what] += 1
        self.trace[what] += 1
        model.known[what][model.last[what]] = self.trace[what]
        return model.last[what]

    def add(self, process: int, row: Row, expected: Row | None, data: bytes = b"") -> None:
        self.rows.append((process, row, data))
        if expected is not None:
            self.expected.append((expected, data))

    def step(self, process: int, op: int, pick: int) -> None:
        model = self.models[process]
        calls, objects = model.known["calls"], model.known["objects"]
        some_call = sorted(calls)[pick % len(calls)]
        some_object = sorted(objects)[pick % len(objects)]
        if op == 0:
            call = self.new(process, "calls")
            line = SITE_LINE | 7
            row = {"kind": Kind.ENTER, "ktag": 2, "call": call, "obj": some_call, "key": line}
            parent = calls[some_call] or model.root
            self.add(process, row, {**row, "call": calls[call], "obj": parent})
        elif op == 1:
            kind = self.new(process, "types")
            row = {"kind": Kind.TYPE, "obj": 3, "value": kind, "key": Layout.LIST}
            self.add(process, row, {**row, "value": model.known["types"][kind]}, b"m\0T")
            made = self.new(process, "objects")
            row = {"kind": Kind.OBJ, "ktag": Layout.SET, "obj": made, "key": kind}
            types = model.known["types"]
            self.add(process, row, {**row, "obj": objects[made], "key": types[kind]})
        elif op == 2:
            row = {"kind": Kind.LOCAL, "vtag": Tag.OBJ, "call": some_call, "value": some_object}
            self.add(process, row, {**row, "call": calls[some_call], "value": objects[some_object]})
        elif op == 3:
            self.name(process, NAMES[pick % len(NAMES)], some_object)
        elif op == 4:
            thread = self.new(process, "threads")
            row = {"kind": Kind.THREAD, "value": thread, "key": 9, "obj": process}
            self.add(process, row, {**row, "value": model.known["threads"][thread]})
        elif op in (5, 6):
            self.start(process, Start.FORKED if op == 5 else Start.COMMAND, some_call)
        else:
            row = {"kind": Kind.CELL, "vtag": Tag.INT, "obj": some_object, "value": some_call}
            self.add(process, row, {**row, "obj": objects[some_object], "value": calls[some_call]})

    def name(self, process: int, text: str, some_object: int) -> None:
        model = self.models[process]
        model.last["names"] += 1
        local, new = model.last["names"], text not in self.names
        known = self.names.setdefault(text, len(self.names) + 1)
        model.known["names"][local] = known
        row = {"kind": Kind.NAME, "obj": 1, "vtag": Tag.NAME, "value": local}
        self.add(process, row, {**row, "value": known} if new else None, text.encode())
        write = {"kind": Kind.ATTR, "ktag": Tag.NAME, "obj": some_object, "key": local}
        objects = model.known["objects"]
        self.add(process, write, {**write, "obj": objects[some_object], "key": known})

    def start(self, process: int, how: Start, call: int) -> None:
        if len(self.models) == 4:
            return
        number, model = len(self.models) + 1, self.models[process]
        key = how | process << 32
        row = {"kind": Kind.PROCESS, "ktag": Tag.INT, "obj": number, "call": call, "key": key}
        known = model.known["calls"][call]
        self.add(process, row, {**row, "call": known})
        self.models[number] = model.forked() if how == Start.FORKED else Model()
        self.models[number].root = known or model.root


def events_of(rows: list[Row]) -> Events:
    events = np.zeros(len(rows), EVENT)
    for event, row in zip(events, rows, strict=True):
        for name, value in row.items():
            event[name] = value
    return events


def stretches_of(processes: list[int]) -> list[Stretch]:
    found: list[Stretch] = []
    for i, process in enumerate(processes):
        if found and found[-1].process == process:
            found[-1] = found[-1]._replace(end=i + 1)
        else:
            found.append(Stretch(process, i, i + 1))
    return found


STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 7), st.integers(0, 50)), max_size=80)


@settings(max_examples=150)
@given(STEPS, st.integers(0, 20), st.integers(1, 30))
def test_numbers_are_those_that_counting_one_by_one_gives(
    steps: list[tuple[int, int, int]], alone: int, size: int
) -> None:
    streams = Streams()
    for i, (process, op, pick) in enumerate(steps):
        if i < alone:  # one process that starts none
            streams.step(FIRST, op if op not in (5, 6) else 0, pick)
        else:
            streams.step(process % len(streams.models) + 1, op, pick)
    first = next((i for i, r in enumerate(streams.rows) if r[1]["kind"] == Kind.PROCESS), None)
    first_numbers, got, data = FirstNumbers(), [], b""
    renumber: Renumber | None = None
    for begin in range(0, len(streams.rows), size):
        part = streams.rows[begin : begin + size]
        batch = Batch(events_of([row for _, row, _ in part]), b"".join(d for *_, d in part))
        if first is None or begin + size <= first:
            # While there is one process, its events stay: names that it says twice are not made by a recorder.
            texts = [d for _, row, d in part if row["kind"] == Kind.NAME]
            if len(set(texts)) < len(texts) or any(
                t.decode() in seen_twice(streams) for t in texts
            ):
                return
            first_numbers.observe(batch)
        else:
            renumber = renumber or Renumber(first_numbers)
            batch = renumber(batch, stretches_of([process for process, *_ in part]))
        got.append(batch.events)
        data += batch.data
    expected = events_of([row for row, _ in streams.expected])
    assert np.array_equal(np.concatenate([np.zeros(0, EVENT), *got]), expected)
    assert data == b"".join(d for _, d in streams.expected)


def seen_twice(streams: Streams) -> set[str]:
    texts = [d.decode() for p, row, d in streams.rows if row["kind"] == Kind.NAME and p == FIRST]
    return {text for text in texts if texts.count(text) > 1}


def alone(batch: Batch) -> Renumber:
    """Renumber what follows this batch of a process that was alone."""
    first = FirstNumbers()
    first.observe(batch)
    return Renumber(first)


def started(renumber: Renumber, how: Start = Start.COMMAND) -> None:
    row = {"kind": Kind.PROCESS, "ktag": Tag.INT, "obj": 2, "key": how | 1 << 32}
    renumber(Batch(events_of([row]), b""), [Stretch(FIRST, 0, 1)])


def described(path: str, file: int, function: int, site: int) -> bytes:
    """The description of a file with one function and two sites, which its tables number from 1."""
    sites = {"kind": [1, 8], "function": [1, 1], "line": [1, 2]}
    own = {"outer": 0, "entry": 1, "flow": {"begin": [0, 2]}}
    meta = {
        "file": file, "path": path, "first_function": function, "first_site": site,
        "functions": [own], "sites": sites,
    }  # fmt: skip
    return json.dumps(meta).encode()


def meta(text: bytes) -> Row:
    return {"kind": Kind.META, "obj": len(text)}


def at_site(site: int) -> Row:
    return {"kind": Kind.BLOCK, "site": site}


def test_a_file_that_another_process_has_loaded_is_the_same_file() -> None:
    mine, other = described("a.py", 1, 1, 1), described("b.py", 2, 2, 3)
    renumber = alone(Batch(events_of([meta(mine), meta(other)]), mine + other))
    started(renumber)
    again = described("b.py", 1, 1, 1)
    batch = Batch(events_of([meta(again), at_site(2), at_site(SITE_LINE | 9)]), again)
    found = renumber(batch, [Stretch(2, 0, 3)])
    assert found.data == b""
    assert found.events["site"].tolist() == [4, SITE_LINE | 9]


def test_a_new_file_of_another_process_gets_the_next_numbers() -> None:
    mine = described("a.py", 1, 1, 1)
    renumber = alone(Batch(events_of([meta(mine)]), mine))
    started(renumber)
    new = described("b.py", 1, 1, 1)
    found = renumber(Batch(events_of([meta(new), at_site(1)]), new), [Stretch(2, 0, 2)])
    assert json.loads(found.data) == json.loads(described("b.py", 2, 2, 3))
    assert found.events["site"].tolist() == [0, 3]
    assert int(found.events["obj"][0]) == len(found.data)


def test_a_forked_child_and_its_parent_load_different_files_afterwards() -> None:
    mine = described("a.py", 1, 1, 1)
    renumber = alone(Batch(events_of([meta(mine)]), mine))
    started(renumber, Start.FORKED)
    childs, parents = described("c.py", 2, 2, 3), described("p.py", 2, 2, 3)
    rows = [meta(childs), at_site(3), at_site(1), meta(parents), at_site(3), at_site(1)]
    batch = Batch(events_of(rows), childs + parents)
    found = renumber(batch, [Stretch(2, 0, 3), Stretch(FIRST, 3, 6)])
    assert found.events["site"].tolist() == [0, 3, 1, 0, 5, 1]


def test_numbers_of_more_than_32_bits_keep_their_high_bits() -> None:
    large = (1 << 32) + 5
    row = {"kind": Kind.ENTER, "ktag": 2, "call": large & 0xFFFFFFFF, "hi": 1}
    renumber = alone(Batch(events_of([row]), b""))
    started(renumber)
    found = renumber(
        Batch(events_of([{**row, "call": 1, "hi": 0}, {"kind": Kind.LOCAL, "call": 1}]), b""),
        [Stretch(2, 0, 2)],
    )
    assert call_ids(found.events).tolist() == [large + 1, large + 1]
    assert obj_ids(found.events).tolist() == [0, 0]


def test_pieces_are_as_many_as_there_are_shifts() -> None:
    pieces = Pieces()
    for number in range(1, 1001):
        pieces.add(number, number, 0 if number <= 500 else 70)
    assert pieces(np.array([0, 1, 500, 501, 1000])).tolist() == [0, 1, 500, 571, 1070]
    assert len(pieces._firsts) == 2


def test_every_kind_that_carries_bytes_is_known_here() -> None:
    looked_at = {Kind.NAME, Kind.META, Kind.TYPE, Kind.FIELDS}
    assert looked_at | {Kind.CONTENT, Kind.CONTENT_APPEND} == CARRIERS
