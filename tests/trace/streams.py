"""Streams of events like those of real programs, to measure packing with."""

from __future__ import annotations

import random

import numpy as np

from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.trace.format.event_records import EVENT, Events

Row = tuple[int, ...]


def _events(rows: list[Row]) -> Events:
    """Make events from rows of (kind, ktag, vtag, site, call, obj, key, value)."""
    events = np.zeros(len(rows), EVENT)
    names = ("kind", "ktag", "vtag", "site", "call", "obj", "key", "value")
    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        events[name] = column
    return events


def fibonacci(n: int) -> Events:
    """Return the events of a doubly recursive function: calls, an argument and a result each."""
    rows: list[Row] = []
    calls = 0

    def call(n: int, parent: int, caller: int) -> int:
        nonlocal calls
        calls += 1
        me = calls
        rows.append((Kind.ENTER, Tag.INT, 0, 1, me, parent, caller | 1 << 32, 0))
        rows.append((Kind.LOCAL, 0, Tag.INT, 2, me, 0, 0, n))
        result = n if n < 2 else call(n - 1, me, 4) + call(n - 2, me, 5)
        rows.append((Kind.RETURN, Tag.INT, Tag.INT, 3 if n < 2 else 6, me, 0, 0, result))
        return result

    call(n, 0, 7)
    return _events(rows)


def merges(count: int, seed: int = 1) -> Events:
    """Return the events of merging lists of random numbers: new lists, appends, loop variables."""
    numbers = random.Random(seed)
    rows: list[Row] = []
    call = oid = 0
    while len(rows) < count:
        call, oid = call + 1, oid + 1
        values = sorted(numbers.randrange(10**6) for _ in range(64))
        rows.append((Kind.ENTER, Tag.INT, 0, 10, call, 1, 6 | 1 << 32, 0))
        rows.append((Kind.OBJ, Layout.LIST, Tag.INT, 0, 0, oid, 1, 32))
        rows += [(Kind.ITEM | SEEN, 2, 2, 0, 0, oid, i, v) for i, v in enumerate(values[::2])]
        rows.append((Kind.LOCAL, 0, Tag.OBJ, 11, call, 0, 0, oid))
        for i, value in enumerate(values):
            rows.append((Kind.INSERT, Tag.INT, Tag.INT, 12, call, oid, i, value))
            rows.append((Kind.LOCAL, 0, Tag.INT, 13, call, 0, 0, i + 1))
        rows.append((Kind.RETURN, Tag.INT, Tag.OBJ, 14, call, 0, 0, oid))
    return _events(rows[:count])


def words(count: int, seed: int = 2) -> Events:
    """Return the events of counting words in a dict."""
    choice = random.Random(seed)
    known = [bytes(choice.choices(b"abcdefghij", k=choice.randrange(1, 9))) for _ in range(500)]
    rows: list[Row] = []
    call = 0
    while len(rows) < count:
        call += 1
        word = choice.choice(known)
        tag, bits = Tag.STR_INLINE + len(word), int.from_bytes(word, "little")
        rows.append((Kind.ENTER, Tag.INT, 0, 20, call, 0, 21 | 1 << 32, 0))
        rows.append((Kind.LOCAL, 0, tag, 22, call, 0, 0, bits))
        rows.append((Kind.ENTRY, tag, Tag.INT, 23, call, 88, bits, choice.randrange(300)))
        rows.append((Kind.RETURN, Tag.INT, Tag.CONST, 24, call, 0, 0, 0))
    return _events(rows[:count])
