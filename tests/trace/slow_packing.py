"""The stored form of segments, indexes and contents, made slowly and obviously: the witness for the native code.

`column_block`, `segment`, `call_index`, `owner_index`, `checkpoint` and `content_batch` describe them. Nothing here
uses the native code; arrays of numpy and plain loops do everything.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from wrongcall.events import SEEN, SITE_LINE, Kind, Layout, Tag
from wrongcall.trace.format.columns import Coding, Column
from wrongcall.trace.format.content_batch import Entries
from wrongcall.trace.format.event_kinds import (
    BARRIERS,
    BEGINNINGS,
    ENDS,
    OBJECT_KINDS,
    SLOT_GROUPS,
    VARIABLE_KINDS,
    WITHOUT_OBJECT,
    WRITES,
)
from wrongcall.trace.format.event_records import FIELDS, Columns, call_ids, obj_ids
from wrongcall.trace.format.extents import Checkpoint, OwnerIndex
from wrongcall.trace.format.frames import compress
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.format.sizes import CHUNK, OWNER_INDEX_SHARE, PAGE, SEGMENT_EVENTS
from wrongcall.trace.write.segment_rows import PackedSegment

Row = dict[str, int]
"""An event, with its time and whole ids."""

# -- columns ---------------------------------------------------------------------------------------


def planes_of(column: Column, coding: Coding, order: Any = None) -> tuple[int, bytes]:
    """Return the coding byte of a column and its bytes, rearranged."""
    taken = column if order is None else column[order]
    if coding == Coding.ROWS:
        return coding, taken.tobytes()
    bits = 8 * column.itemsize
    numbers = [int(number) % (1 << bits) for number in taken]
    if coding == Coding.DELTA:
        numbers = _steps(numbers, bits)
    height = (max(numbers, default=0).bit_length() + 7) // 8
    planes = bytes(number >> 8 * p & 255 for p in range(height) for number in numbers)
    return coding | height << 4, planes


def _steps(numbers: list[int], bits: int) -> list[int]:
    """Return the differences modulo 2 ** bits, with the sign in the lowest bit."""
    found = []
    for before, number in zip([0, *numbers], numbers, strict=False):
        step = (number - before) % (1 << bits)
        down = step >= 1 << (bits - 1)
        found.append(2 * ((1 << bits) - step) - 1 if down else 2 * step)
    return found


def encode(column: Column, coding: Coding, order: Any = None) -> tuple[int, bytes]:
    """Return the coding byte of a column and its compressed frame."""
    how, planes = planes_of(column, coding, order)
    return how, compress(planes) if planes or coding == Coding.ROWS else b""


def _joined(columns: Sequence[tuple[Column, Coding]], order: Any = None) -> tuple[list[int], bytes]:
    """Return the codings and sizes of columns, and their frames."""
    parts = [encode(column, coding, order) for column, coding in columns]
    return [n for how, frame in parts for n in (how, len(frame))], b"".join(f for _, f in parts)


def pack_column_block(columns: Sequence[tuple[Column, Coding]]) -> bytes:
    """Return columns as one column block."""
    parts = [planes_of(np.ascontiguousarray(column), coding) for column, coding in columns]
    head = struct.pack("<I", len(columns[0][0])) + bytes(how for how, _ in parts)
    return head + compress(b"".join(planes for _, planes in parts))


# -- segments ----------------------------------------------------------------------------------------


def pack_segment(events: Columns) -> PackedSegment:
    """Return a segment in its stored form."""
    kinds, calls, objs = (
        events["kind"].tolist(),
        call_ids(events).tolist(),
        obj_ids(events).tolist(),
    )
    objects = [0 if kind in WITHOUT_OBJECT else obj for kind, obj in zip(kinds, objs, strict=True)]
    return PackedSegment(
        len(kinds),
        (*_extremes(calls), *_extremes(objects)),
        _bitmap(kinds, 256),
        compress(_bitmap(calls, 65_536)),
        compress(_bitmap(objects, 65_536)),
        pack_calls(events),
        pack(events),
    )


def _extremes(ids: list[int]) -> tuple[int, int]:
    present = [number for number in ids if number]
    return (min(present), max(present)) if present else (0, 0)


def _bitmap(numbers: list[int], size: int) -> bytes:
    bits = sum(1 << bit for bit in {number % size for number in numbers})
    return bits.to_bytes(size // 8, "little")


def pack(events: Columns) -> bytes:
    """Return the events of a segment as one byte string."""
    sites = events["site"].tolist()
    order = sorted(range(len(sites)), key=lambda i: sites[i] % 65_536)
    in_time = _joined([(events["site"], Coding.DELTA), (events["call"], Coding.DELTA)])
    small = [(events[name], Coding.PLANES) for name in ("kind", "ktag", "vtag", "hi")]
    key = Coding.ROWS if _mostly_inline(events["ktag"]) else Coding.DELTA
    value = Coding.ROWS if _mostly_inline(events["vtag"]) else Coding.PLANES
    large = [(events["obj"], Coding.DELTA), (events["key"], key), (events["value"], value)]
    grouped = _joined([*small, *large], np.array(order, np.intp))
    directory = [*in_time[0], *grouped[0]]
    return struct.pack("<I" + "BI" * 9, len(sites), *directory) + in_time[1] + grouped[1]


def _mostly_inline(tags: Column) -> bool:
    return 2 * int((tags >= Tag.STR_INLINE).sum()) > len(tags)


def pack_calls(events: Columns) -> bytes:
    """Return the tables of a segment's calls."""
    kinds = events["kind"].tolist()
    begun = [i for i, kind in enumerate(kinds) if kind in BEGINNINGS]
    ended = [i for i, kind in enumerate(kinds) if kind in ENDS]
    wide = bool(events["hi"][begun + ended].any())
    ids = "<i8" if wide else "<u4"
    calls, parents = call_ids(events).astype(ids), obj_ids(events).astype(ids)
    columns: list[tuple[Column, Coding]] = [
        (np.array(begun, "<u2"), Coding.DELTA),
        (calls[begun], Coding.DELTA),
        (parents[begun], Coding.DELTA),
        (events["site"][begun], Coding.PLANES),
        (np.array(ended, "<u2"), Coding.DELTA),
        (calls[ended], Coding.DELTA),
        (events["kind"][ended], Coding.ROWS),
    ]
    directory, frames = _joined(columns)
    head = (len(begun), len(ended), 8 if wide else 4)
    return struct.pack("<IIB" + "BI" * 7, *head, *directory) + frames


# -- extents -----------------------------------------------------------------------------------------


class Indexes(NamedTuple):
    """What an extent has besides its segments."""

    owner_index: OwnerIndex
    checkpoint: Checkpoint
    rows: list[Row]
    """Of the checkpoint."""
    newest_object: int
    newest_call: int


def indexes(first: int, events: Columns, newest_object: int, newest_call: int) -> Indexes:
    """Return the indexes of an extent that begins at time ``first``."""
    rows = _rows(first, events)
    objects, calls = _newest(rows, newest_object, newest_call)
    kept = _kept_owners(rows, objects, calls)
    owned = [row for row in rows if _owner(row) in kept]
    by_slot, left_out = _without_longest(owned, len(rows) // OWNER_INDEX_SHARE)
    sites = sorted({row["site"] for row in rows if row["site"] < SITE_LINE})
    pages = [by_slot[i : i + PAGE] for i in range(0, len(by_slot), PAGE)]
    index = OwnerIndex(
        pack_column_block([(_ints(objects[1:]), Coding.DELTA), (_ints(calls[1:]), Coding.DELTA)]),
        pack_column_block(
            [
                (_ints([_owner(page[0]) for page in pages]), Coding.DELTA),
                (np.array([_slot(page[0]) for page in pages], "<u4"), Coding.PLANES),
                (_ints([page[0]["time"] for page in pages]), Coding.DELTA),
            ]
        ),
        pack_column_block(
            [
                (_ints([owner for owner, _ in left_out]), Coding.DELTA),
                (np.array([slot for _, slot in left_out], "<u4"), Coding.PLANES),
            ]
        ),
        pack_column_block([(np.array(sites, "<u4"), Coding.DELTA)]),
        [_packed_page(page, events, first) for page in pages],
    )
    states = compacted(
        [row for row in sorted(owned, key=lambda r: (r["obj"], r["time"])) if _is_object(row)]
    )
    return Indexes(index, pack_checkpoint(states), states, objects[-1], calls[-1])


def _ints(numbers: list[int]) -> Column:
    return np.array(numbers, "<i8")


def _rows(first: int, events: Columns) -> list[Row]:
    columns = {name: events[name].tolist() for name in FIELDS}
    columns |= {"call": call_ids(events).tolist(), "obj": obj_ids(events).tolist()}
    names = list(columns)
    return [
        {"time": first + i, **dict(zip(names, values, strict=True))}
        for i, values in enumerate(zip(*columns.values(), strict=True))
    ]


def _is_object(row: Row) -> bool:
    return row["kind"] in OBJECT_KINDS


def _owner(row: Row) -> int:
    """Return the owner of an event; 0: it has none."""
    if _is_object(row):
        return row["obj"] | OBJECT if row["obj"] else 0
    return (row["obj"] or row["call"]) if row["kind"] in VARIABLE_KINDS else 0


def _slot(row: Row) -> int:
    kind = row["kind"] & ~SEEN
    group = {int(each): number for each, number in SLOT_GROUPS.items()}.get(kind, 0)
    if not group:
        return 0
    is_object = _is_object(row)
    what = group << 8 | (row["ktag"] if is_object else 0)
    key = row["key"] if is_object else row["site"]
    mixed = key * 0x9E3779B97F4A7C15 + what * 0xC2B2AE3D27D4EB4F
    return mixed % (1 << 64) >> 40 or 1


def _newest(rows: list[Row], newest_object: int, newest_call: int) -> tuple[list[int], list[int]]:
    """Return the largest object and call before each segment, and at the end."""
    objects, calls = [newest_object], [newest_call]
    for begin in range(0, len(rows), SEGMENT_EVENTS):
        part = rows[begin : begin + SEGMENT_EVENTS]
        objects.append(max([objects[-1], *(r["obj"] for r in part if r["kind"] == Kind.OBJ)]))
        calls.append(max([calls[-1], *(r["call"] for r in part if r["kind"] in BEGINNINGS)]))
    return objects, calls


def _kept_owners(rows: list[Row], objects: list[int], calls: list[int]) -> set[int]:
    """Return the owners that live long, and what is stored in them if there is room."""
    segments: dict[int, set[int]] = {}
    counts: Counter[int] = Counter()
    kept = set()
    for i, row in enumerate(rows):
        if owner := _owner(row):
            segments.setdefault(owner, set()).add(i // SEGMENT_EVENTS)
            counts[owner] += 1
            if row["kind"] == Kind.OBJ and row["ktag"] == Layout.MODULE:
                kept.add(owner)
    for owner, where in segments.items():
        newest, number = (objects, owner ^ OBJECT) if owner & OBJECT else (calls, owner)
        first = min(where)
        if len(where) > 1 or not newest[first] < number <= newest[first + 1]:
            kept.add(owner)
    room = len(rows) // OWNER_INDEX_SHARE - sum(counts[owner] for owner in kept)
    for _ in range(3 if room > 0 else 0):
        for row in rows:
            stored = row["value"] | OBJECT
            wanted = row["vtag"] == Tag.OBJ and _owner(row) in kept and stored not in kept
            if wanted and 0 < counts[stored] <= room:
                kept.add(stored)
                room -= counts[stored]
    return kept


def _without_longest(rows: list[Row], most: int) -> tuple[list[Row], list[tuple[int, int]]]:
    """Return rows by owner, slot and time, without the slots that have most, and those slots."""
    ordered = sorted(rows, key=lambda row: (_owner(row), _slot(row), row["time"]))
    slots = Counter((_owner(row), _slot(row)) for row in ordered)
    gone: list[tuple[int, int]] = []
    left = len(ordered)
    for slot in sorted(slots, key=lambda each: (-slots[each], each)):
        if left <= most:
            break
        gone.append(slot)
        left -= slots[slot]
    out = set(gone)
    return [row for row in ordered if (_owner(row), _slot(row)) not in out], gone


def _packed_page(page: list[Row], events: Columns, first: int) -> bytes:
    where = [row["time"] - first for row in page]
    columns: list[tuple[Column, Coding]] = [(_ints([row["time"] for row in page]), Coding.DELTA)]
    for name in FIELDS:
        coding = Coding.PLANES if name == "value" else Coding.DELTA
        columns.append((events[name][where], coding))
    return pack_column_block(columns)


def compacted(rows: list[Row]) -> list[Row]:
    """Leave out the writes that later ones make irrelevant: keep the first and the last between barriers."""
    epoch, before, keys = 0, None, []
    for row in rows:
        epoch += row["kind"] in BARRIERS or row["obj"] != before
        before = row["obj"]
        is_write = row["kind"] in WRITES
        slot = (epoch, row["kind"] & ~SEEN, row["ktag"], row["key"])
        keys.append(slot if is_write else None)
    firsts = {key: i for i, key in reversed(list(enumerate(keys)))}
    lasts = {key: i for i, key in enumerate(keys)}
    return [
        row
        for i, (row, key) in enumerate(zip(rows, keys, strict=True))
        if key is None or i in (firsts[key], lasts[key])
    ]


def merged(parts: list[list[Row]]) -> list[Row]:
    """Merge the rows of the checkpoints of several extents."""
    return compacted(sorted((row for part in parts for row in part), key=lambda row: row["obj"]))


def pack_checkpoint(rows: list[Row]) -> Checkpoint:
    """Pack the rows of a checkpoint."""
    counts = Counter(row["obj"] for row in rows)
    objects = pack_column_block(
        [
            (_ints(list(counts)), Coding.DELTA),
            (np.array(list(counts.values()), "<u4"), Coding.PLANES),
        ]
    )
    return Checkpoint(objects, [_chunk(rows[i : i + CHUNK]) for i in range(0, len(rows), CHUNK)])


def _chunk(rows: list[Row]) -> bytes:
    """Pack a chunk; a generator's call is in the column of values."""
    values = [row["call" if row["kind"] == Kind.ACTIVATION else "value"] for row in rows]
    tags: list[tuple[Column, Coding]] = [
        (np.array([row[name] for row in rows], "u1"), Coding.PLANES)
        for name in ("kind", "ktag", "vtag")
    ]
    times, keys = (_ints([row[name] for row in rows]) for name in ("time", "key"))
    return pack_column_block(
        [(times, Coding.DELTA), *tags, (keys, Coding.DELTA), (_ints(values), Coding.PLANES)]
    )


# -- contents ----------------------------------------------------------------------------------------


def pack_contents(entries: Entries, data: bytes) -> tuple[bytes, bytes]:
    """Return the ids of contents, and everything else about them."""
    how, frame = encode(entries["id"], Coding.DELTA)
    columns = [(entries[name], coding) for name, coding in _CONTENT_CODINGS.items()]
    directory, frames = _joined(columns)
    last = compress(data)
    head = struct.pack("<IQ" + "BI" * 7, len(entries), len(data), *directory, 0, len(last))
    return struct.pack("<IB", len(entries), how) + frame, head + frames + last


_CONTENT_CODINGS = {
    "base": Coding.DELTA,
    "length": Coding.PLANES,
    "size": Coding.PLANES,
    "tag": Coding.ROWS,
    "clipped": Coding.ROWS,
    "appended": Coding.ROWS,
}
