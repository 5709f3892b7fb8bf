"""Give the numbers of several processes' events their places among the numbers of one trace.

Every process numbers its calls, objects, threads, names, types, files, functions and sites on its own, from 1. Events
of several processes arrive here in the order of the trace; what leaves has the numbers of the trace, which rise with
time. Numbers of contents are hashes, or contain the number of the process: they stay.

Vocabulary: a *stretch* is a sequence of events of one process between events of others. In a stretch, new numbers
follow each other, so the numbers of a process are shifted by the same amount over long *pieces* (`Pieces`).

A forked child inherits its parent's numbers as they were at the fork, and continues them: instrumented code has the
numbers of its sites. Names are the same number for the same text, and files for the same content.

Invariant: the first process keeps the numbers that it had while it was alone (`first_numbers`).
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from wrongcall.events import CARRIERS, SITE_LINE, Kind, Start, Tag
from wrongcall.trace.format.event_records import (
    DICTIONARY_END,
    OBJECT_KINDS,
    Bools,
    Events,
    Ints,
    call_ids,
    kind_table,
    kinds_of,
    obj_ids,
    with_seen,
)
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.first_numbers import FirstNumbers

FIRST = 1
"""The number of the first process."""
_LOW = np.int64(0xFFFFFFFF)
_BEGINNINGS = kind_table({Kind.ENTER, Kind.CREATE})
_OBJECTS = kind_table(OBJECT_KINDS)
_CALLS = kind_table(with_seen({Kind.ENTER, Kind.CREATE, Kind.CLOSURE, Kind.LOCAL, Kind.LOCAL_DEL}))
"""Events whose ``obj`` is a call."""
_PLAIN_KEYS = kind_table(
    {
        *range(DICTIONARY_END),
        Kind.ENTER,
        Kind.CREATE,
        *with_seen({Kind.OBJ, Kind.FILL, Kind.PATCH, Kind.SPLICE}),
    }
)
"""Events whose ``ktag`` is not a tag."""
_OBJ = kind_table(with_seen({Kind.OBJ}))
_CELL = kind_table(with_seen({Kind.CELL}))
_CARRIERS = kind_table(CARRIERS)
_CONTENTS = kind_table({Kind.CONTENT, Kind.CONTENT_APPEND})
STARTS = (Start.FORKED, Start.COMMAND, Start.REPLACED)


class Stretch(NamedTuple):
    """Events of one process, by their positions in a batch."""

    process: int
    begin: int
    end: int


class Pieces:
    """Maps the numbers of a process to those of the trace, piece by piece."""

    def __init__(self) -> None:
        self._firsts = array("q", [0])
        self._shifts = array("q", [0])
        self.last = 0

    def copy(self) -> Pieces:
        """Return an independent copy."""
        copy = Pieces()
        copy._firsts, copy._shifts, copy.last = self._firsts[:], self._shifts[:], self.last
        return copy

    def add(self, first: int, last: int, shift: int) -> None:
        """Say that the numbers from ``first`` to ``last``, which are larger than all others, are shifted."""
        if shift != self._shifts[-1]:
            self._firsts.append(first)
            self._shifts.append(shift)
        self.last = last

    def __call__(self, numbers: Ints) -> Ints:
        """Return the numbers of the trace; 0 is 0."""
        shifts: Ints = np.frombuffer(self._shifts, np.int64)
        if len(shifts) > 1:
            firsts = np.frombuffer(self._firsts, np.int64)
            shifts = shifts[np.searchsorted(firsts, numbers, side="right") - 1]
        moved: Ints = numbers + shifts
        return moved

    def one(self, number: int) -> int:
        """Return one number of the trace."""
        return int(self(np.array([number], np.int64))[0])


@dataclass
class Numbers:
    """All numbers of one process."""

    calls: Pieces = field(default_factory=Pieces)
    objects: Pieces = field(default_factory=Pieces)
    types: Pieces = field(default_factory=Pieces)
    threads: Pieces = field(default_factory=Pieces)
    sites: Pieces = field(default_factory=Pieces)
    functions: Pieces = field(default_factory=Pieces)
    names: array[int] = field(default_factory=lambda: array("q", [0]))
    root: int = 0
    """The call of the trace that started the process."""

    def name(self, number: int, known: int) -> None:
        """Note a name: its number in the process, and in the trace."""
        self.names.extend([0] * (number + 1 - len(self.names)))
        self.names[number] = known

    def forked(self) -> Numbers:
        """Return the numbers of a child that is forked now."""
        return Numbers(
            calls=self.calls.copy(),
            objects=self.objects.copy(),
            types=self.types.copy(),
            threads=self.threads.copy(),
            sites=self.sites.copy(),
            functions=self.functions.copy(),
            names=self.names[:],
            root=self.root,
        )


class Renumber:
    """Renumbers the events of several processes."""

    def __init__(self, first: FirstNumbers) -> None:
        self.processes = {FIRST: Numbers()}
        self._last = dict.fromkeys(("calls", "objects", "types", "threads"), 0)
        self._last |= dict.fromkeys(("sites", "functions", "files", "fields"), 0)
        self._names: dict[bytes, int] = {}
        self._files: dict[bytes, tuple[int, int]] = {}
        """First function and first site of each file, by its content."""
        self._begin(first)

    def _begin(self, first: FirstNumbers) -> None:
        """Make the numbers of the first process known, which has kept them."""
        numbers = self.processes[FIRST]
        for what in ("calls", "objects", "types", "threads"):
            self._extend(what, getattr(numbers, what), getattr(first, what))
        self._last["fields"] = first.fields
        for number, text in first.names:
            numbers.name(number, number)
            self._names[text] = number
        for text in first.descriptions():
            self._first_file(json.loads(text))

    def _extend(self, what: str, pieces: Pieces, last: int) -> None:
        """Give a process the next numbers of the trace, up to its own number ``last``."""
        if last > pieces.last:
            shift = self._last[what] - pieces.last
            self._last[what] += last - pieces.last
            pieces.add(pieces.last + 1, last, shift)

    def __call__(self, batch: Batch, stretches: Sequence[Stretch]) -> Batch:
        """Return the events, an array of records, with the numbers of the trace.

        What the trace knows already (a name, a file) is left out.
        """
        events = batch.events.copy()
        keep = np.ones(len(events), np.bool_)
        texts = _Texts(events, batch.data)
        for part in _cut_at_starts(events, stretches):
            self._allocate(events, part)
            for stretch in part:
                self._dictionary(events, stretch, texts, keep)
                self._translate(events[stretch.begin : stretch.end], stretch.process)
            self._start(events, part[-1])
        data = texts.joined(keep)
        return Batch(events if keep.all() else events[keep], data)

    def _first_file(self, meta: dict[str, Any]) -> None:
        """Note a file of the first process, which has kept its numbers."""
        if "sites" not in meta:
            return
        first, count = meta["first_site"], len(meta["sites"]["kind"])
        self._keep("sites", first, count)
        if "file" in meta:
            self._keep("functions", meta["first_function"], len(meta["functions"]))
            self._files[_content_of(meta)] = (meta["first_function"], first)
            self._last["files"] = meta["file"]

    def _keep(self, what: str, first: int, count: int) -> None:
        self._last[what] = first + count - 1
        getattr(self.processes[FIRST], what).add(first, first + count - 1, 0)

    def _allocate(self, events: Events, stretches: Sequence[Stretch]) -> None:
        begin, end = stretches[0].begin, stretches[-1].end
        part = events[begin:end]
        starts = np.array([stretch.begin - begin for stretch in stretches])
        tops = {
            "calls": np.where(_BEGINNINGS[part["kind"]], call_ids(part), 0),
            "objects": _newest_object(part),
        }
        for what, top in tops.items():
            highest = np.maximum.reduceat(top, starts).tolist()
            for stretch, last in zip(stretches, highest, strict=True):
                self._extend(what, getattr(self._of(stretch.process), what), last)

    def _of(self, process: int) -> Numbers:
        if process not in self.processes:  # the event that started it is missing: its starter died
            self.processes[process] = Numbers()
        return self.processes[process]

    def _start(self, events: Events, stretch: Stretch) -> None:
        """If the last event of a stretch starts a process, make its numbers."""
        event = events[stretch.end - 1]
        if not _is_start(event):
            return
        numbers = self._of(stretch.process)
        forked = int(event["key"]) & int(_LOW) == Start.FORKED
        child = numbers.forked() if forked else Numbers()
        call = int(call_ids(events[stretch.end - 1 : stretch.end])[0])
        child.root = call or numbers.root
        self.processes[int(event["obj"])] = child

    # -- dictionary events -----------------------------------------------------------------------------

    def _dictionary(self, events: Events, stretch: Stretch, texts: _Texts, keep: Bools) -> None:
        numbers = self._of(stretch.process)
        for i in texts.between(stretch.begin, stretch.end):
            event, kind = events[i], int(events[i]["kind"])
            if kind == Kind.NAME:
                keep[i] = self._name(numbers, event, texts[i])
            elif kind == Kind.META:
                text = self._file(numbers, texts[i])
                keep[i] = text is not None
                if text is not None:
                    texts.replace(i, text, events)
            elif kind in (Kind.TYPE, Kind.FIELDS):
                self._extend("types", numbers.types, int(event["value"]))
                event["value"] = numbers.types.one(int(event["value"]))
                if kind == Kind.FIELDS:
                    self._last["fields"] += 1
                    event["key"] = self._last["fields"]
            elif kind == Kind.THREAD:
                self._extend("threads", numbers.threads, int(event["value"]))
                event["value"] = numbers.threads.one(int(event["value"]))

    def forget(self, process: int) -> None:
        """Forget the numbers of a process that has ended."""
        self.processes.pop(process, None)

    def _name(self, numbers: Numbers, event: np.void, text: bytes) -> bool:
        """Give a name its number; return whether it is new."""
        new = text not in self._names
        known = self._names.setdefault(text, len(self._names) + 1)
        numbers.name(int(event["value"]), known)
        event["value"] = known
        return new

    def _file(self, numbers: Numbers, data: bytes) -> bytes | None:
        """Give a file's functions and sites their numbers; return its description, or None if it is known."""
        text, separator, entry = data.partition(b"\0")
        meta = json.loads(text)
        if "sites" not in meta:
            return data
        sites, functions = len(meta["sites"]["kind"]), len(meta.get("functions", ()))
        first_site, first_function = meta["first_site"], meta.get("first_function", 0)
        if "file" not in meta:  # a site of a function that is known
            meta["sites"]["function"] = [
                numbers.functions.one(f) for f in meta["sites"]["function"]
            ]
            meta["first_site"] = self._claim(numbers.sites, first_site, sites, "sites")
            return json.dumps(meta).encode()
        key = _content_of(meta)
        if key in self._files:
            known_function, known_site = self._files[key]
            last = (first_function + functions - 1, first_site + sites - 1)
            numbers.functions.add(first_function, last[0], known_function - first_function)
            numbers.sites.add(first_site, last[1], known_site - first_site)
            return None
        site = self._claim(numbers.sites, first_site, sites, "sites")
        function = self._claim(numbers.functions, first_function, functions, "functions")
        self._files[key] = (function, site)
        self._last["files"] += 1
        meta |= {"file": self._last["files"], "first_function": function, "first_site": site}
        return json.dumps(meta).encode() + separator + entry

    def _claim(self, pieces: Pieces, first: int, count: int, what: str) -> int:
        """Give new numbers of a process the next ones of the trace; return the first of them."""
        known = self._last[what] + 1
        self._last[what] += count
        pieces.add(first, first + count - 1, known - first)
        return known

    # -- all other events -------------------------------------------------------------------------------

    def _translate(self, events: Events, process: int) -> None:
        """Put the numbers of the trace into the events of one process."""
        numbers, kinds = self._of(process), kinds_of(events)
        happened = kinds >= DICTIONARY_END
        calls, others = call_ids(events), obj_ids(events)
        new_calls = numbers.calls(calls)
        others = np.where(_OBJECTS[kinds], numbers.objects(others), others)
        others = np.where(_CALLS[kinds], numbers.calls(others), others)
        if numbers.root:
            others[_BEGINNINGS[kinds] & (others == 0)] = numbers.root
        events["call"], events["obj"] = new_calls & _LOW, others & _LOW
        events["hi"] = np.where(happened, new_calls >> 32 | others >> 32 << 4, events["hi"])
        placed = (events["site"] != 0) & (events["site"] < SITE_LINE)
        _put(events, "site", placed, numbers.sites)
        self._translate_values(events, kinds, numbers)

    def _translate_values(self, events: Events, kinds: Any, numbers: Numbers) -> None:
        tagged = ~_PLAIN_KEYS[kinds]
        _put(events, "key", tagged & (events["ktag"] == Tag.OBJ), numbers.objects)
        named = np.flatnonzero(tagged & (events["ktag"] == Tag.NAME))
        if len(named):
            names = np.frombuffer(numbers.names, np.int64)
            events["key"][named] = names[events["key"][named]]
        happened = kinds >= DICTIONARY_END
        _put(events, "value", happened & (events["vtag"] == Tag.OBJ), numbers.objects)
        _put(events, "value", _CELL[kinds], numbers.calls)
        _put(events, "key", _OBJ[kinds], numbers.types)
        begun = np.flatnonzero(_BEGINNINGS[kinds])
        if len(begun):
            events["key"][begun] = _caller(events["key"][begun], numbers)


def _put(events: Events, name: str, where: Bools, numbers: Callable[[Ints], Ints]) -> None:
    chosen = np.flatnonzero(where)
    if len(chosen):
        events[name][chosen] = numbers(events[name][chosen].astype(np.int64))


def _caller(keys: Ints, numbers: Numbers) -> Ints:
    """Return where calls were made and in which thread, from the key of their ENTER."""
    sites, threads = keys & _LOW, keys >> 32
    known: Ints = np.where((sites != 0) & (sites < SITE_LINE), numbers.sites(sites), sites)
    return known | numbers.threads(threads) << 32


def _newest_object(events: Events) -> Ints:
    """Return the largest object number in each event."""
    kinds = kinds_of(events)
    newest = np.where(_OBJECTS[kinds], obj_ids(events), 0)
    happened = kinds >= DICTIONARY_END
    in_key = ~_PLAIN_KEYS[kinds] & (events["ktag"] == Tag.OBJ)
    np.maximum(newest, np.where(in_key, events["key"], 0), out=newest)
    in_value = happened & (events["vtag"] == Tag.OBJ)
    np.maximum(newest, np.where(in_value, events["value"], 0), out=newest)
    return newest


def _is_start(event: np.void) -> bool:
    told = event["kind"] == Kind.PROCESS and event["ktag"] == Tag.INT and event["obj"] != 0
    return bool(told) and int(event["key"]) & int(_LOW) in STARTS


def _cut_at_starts(events: Events, stretches: Sequence[Stretch]) -> list[list[Stretch]]:
    """Divide stretches into parts, each of which ends where a process is started, or at the end."""
    where = np.flatnonzero((events["kind"] == Kind.PROCESS) & (events["obj"] != 0)).tolist()
    parts: list[list[Stretch]] = [[]]
    for process, begin, end in stretches:
        for cut in where[bisect_left(where, begin) : bisect_left(where, end)]:
            parts[-1].append(Stretch(process, begin, cut + 1))
            parts.append([])
            begin = cut + 1
        if begin < end:
            parts[-1].append(Stretch(process, begin, end))
    return [part for part in parts if part]


def _content_of(meta: dict[str, Any]) -> bytes:
    """Return a hash of a file's description, whatever its numbers are in the run."""
    plain = {**meta, "file": 0, "first_function": 0, "first_site": 0}
    return blake2b(json.dumps(plain, sort_keys=True).encode(), digest_size=16).digest()


class _Texts:
    """The bytes of a batch, and the dictionary events that are looked at one by one: all but contents."""

    def __init__(self, events: Events, data: bytes) -> None:
        kinds = kinds_of(events)
        where = np.flatnonzero(kinds < DICTIONARY_END)
        ends = np.cumsum(np.where(_CARRIERS[kinds[where]], obj_ids(events[where]), 0))
        begins = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        single = ~_CONTENTS[kinds[where]]
        self._where: list[int] = where[single].tolist()
        spans = zip(begins[single].tolist(), ends[single].tolist(), strict=True)
        self._spans = dict(zip(self._where, spans, strict=True))
        self._data = data
        self._replaced: dict[int, bytes] = {}

    def between(self, begin: int, end: int) -> list[int]:
        """Return the positions of these events."""
        return self._where[bisect_left(self._where, begin) : bisect_left(self._where, end)]

    def __getitem__(self, position: int) -> bytes:
        begin, end = self._spans[position]
        return self._data[begin:end]

    def replace(self, position: int, text: bytes, events: Events) -> None:
        """Give an event other bytes."""
        self._replaced[position] = text
        events[position]["obj"] = len(text)

    def joined(self, keep: Bools) -> bytes:
        """Return the bytes of the events that are kept."""
        parts, done = [], 0
        for position in self._where:
            if position in self._replaced or not keep[position]:
                begin, end = self._spans[position]
                parts += [self._data[done:begin]]
                parts += [self._replaced.get(position, b"")] if keep[position] else []
                done = end
        return b"".join([*parts, self._data[done:]])
