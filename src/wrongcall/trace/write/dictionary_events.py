"""Turn the dictionary events of a batch into table rows.

Dictionary events are rare (a type, a name, a file), except contents, of which programs that work on text have many:
those are extracted as whole columns.

Invariant: the bytes of a batch are those of its carriers, in order, without gaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.format.content_batch import CONTENT, Entries
from wrongcall.trace.format.event_records import DICTIONARY_END, Bytes, Events, Ints, carriers
from wrongcall.trace.format.failed_tests import MARK
from wrongcall.trace.format.program_tables import FIRST_PROCESS, Unrecorded

Row = tuple[int | str | None, ...]

_SITE_FIELDS = ("kind", "function", "line", "col", "end_line", "end_col", "name", "scope", "block")


@dataclass
class Extract:
    """The dictionary events of a batch: rows by table, contents, unrecorded modules, code, marks of tests."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    unrecorded: list[Unrecorded] = field(default_factory=list)
    code: list[tuple[str, bytes]] = field(default_factory=list)
    """Entries for the cache of instrumented code: name and content."""
    shortened: dict[int, int] = field(default_factory=dict)
    """The size of descriptions without such an entry, by the position of their events: the trace is the same with or
    without a cache."""
    marks: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """What a test runner said, each with its place in the batch."""
    contents: Entries = field(default_factory=lambda: np.empty(0, CONTENT))
    data: bytes = b""

    def add(self, table: str, row: Row) -> None:
        """Add a row for a table."""
        self.rows.setdefault(table, []).append(row)


def extract(events: Events, kinds: Bytes, data: bytes) -> Extract:
    """Extract the dictionary events among these; ``kinds`` is the column of their kinds."""
    found = Extract()
    where = np.flatnonzero(kinds < DICTIONARY_END)
    if len(where):
        batch, events = events, events[where]
        for event in events[events["kind"] == Kind.THREAD]:
            process = int(event["obj"]) or FIRST_PROCESS
            found.add("threads", (int(event["value"]), int(event["key"]), process))
        carrying, sizes = carriers(events)
        announced = int(sizes.sum())
        if announced != len(data):
            raise TraceError(f"{announced} bytes are announced, {len(data)} were handed over")
        _extract_carriers(found, events[carrying], where[carrying], sizes, data)
        for place, size in found.shortened.items():
            batch["obj"][place] = size
    return found


def _extract_carriers(
    found: Extract, events: Events, places: Ints, sizes: Ints, data: bytes
) -> None:
    ends = np.cumsum(sizes)
    kinds = events["kind"]
    is_content = (kinds == Kind.CONTENT) | (kinds == Kind.CONTENT_APPEND)
    found.contents = _entries(events[is_content], sizes[is_content])
    kept, done = [], 0
    for i in np.flatnonzero(~is_content):
        end = int(ends[i])
        begin = end - int(sizes[i])
        kept.append(data[done:begin])
        done = end
        _describe(found, events[i], int(places[i]), data[begin:end])
        if kinds[i] == Kind.META and (text := data.find(b"\0", begin, end)) >= 0:
            found.shortened[int(places[i])] = text - begin
    found.data = b"".join([*kept, data[done:]])


def _entries(events: Events, sizes: Ints) -> Entries:
    appended = events["kind"] == Kind.CONTENT_APPEND
    entries: Entries = np.empty(len(events), CONTENT)
    entries["id"] = events["value"]
    entries["base"] = np.where(appended, events["key"], 0)
    entries["length"] = np.where(appended, 0, events["key"])
    entries["size"] = sizes
    entries["tag"] = events["vtag"]
    entries["clipped"] = events["ktag"] == 1
    entries["appended"] = appended
    return entries


def _describe(found: Extract, event: np.void, place: int, data: bytes) -> None:
    kind = event["kind"]
    if kind == Kind.META:
        _describe_file(found, place, data)
        return
    text = data.decode("utf-8", "replace")
    if kind == Kind.NAME:
        found.add("names", (int(event["value"]), text))
    elif kind == Kind.FIELDS:
        declared, *names = text.split("\0")
        row = (int(event["key"]), int(event["value"]), declared, json.dumps(names))
        found.add("fields", row)
    else:
        module, _, qualname = text.partition("\0")
        numbers = (int(event["key"]), int(event["ktag"]))
        found.add("types", (int(event["value"]), module, qualname, *numbers))


def _describe_file(found: Extract, place: int, data: bytes) -> None:
    text, _, more = data.partition(b"\0")
    if more:
        name, _, content = more.partition(b"\0")
        found.code.append((name.decode("ascii", "replace"), content))
    try:
        meta = json.loads(text)
        if MARK in meta:
            found.marks.append((place, meta[MARK]))
            return
        if "unrecorded" in meta:
            found.unrecorded.append(Unrecorded(**meta["unrecorded"]))
        elif "file" in meta:
            _describe_tables(found, meta)
        else:  # a site that was made while the program ran
            found.rows.setdefault("sites", []).extend(_site_rows(meta["first_site"], meta["sites"]))
    except (ValueError, KeyError, TypeError) as exc:
        raise TraceError(f"the description of a file is damaged: {exc!r}") from exc


def _describe_tables(found: Extract, meta: dict[str, Any]) -> None:
    """Add the tables of a file, in which functions and sites are numbered from 1."""
    file, function, site = meta["file"], meta["first_function"] - 1, meta["first_site"] - 1
    found.add("files", (file, meta["path"], meta["module"], meta["source"]))
    for number, described in enumerate(meta["functions"], function + 1):
        if described["outer"]:
            described["outer"] += function
        described["entry"] += site
        begin = described["flow"]["begin"]
        described["flow"]["begin"] = [each and each + site for each in begin]
        found.add("functions", _function_row(number, file, described))
        for row in _block_rows(number, described):
            found.add("blocks", row)
    sites = meta["sites"]
    sites["function"] = [each + function for each in sites["function"]]
    found.rows.setdefault("sites", []).extend(_site_rows(site + 1, sites))


def _function_row(number: int, file: int, function: dict[str, Any]) -> Row:
    numbers = (function["line"], function["end_line"], function["outer"])
    names = (json.dumps(function[key]) for key in ("params", "free", "locals"))
    texts = (function["name"], function["qualname"], function["kind"])
    return (number, file, *texts, *numbers, *names, function["entry"])


def _block_rows(number: int, function: dict[str, Any]) -> Iterator[Row]:
    flow = function["flow"]
    columns = (flow[name] for name in ("silent", "begin", "next", "resume"))
    for block, row in enumerate(zip(function["blocks"], *columns, strict=True)):
        lines, silent, begin, following, resume = row
        lists = (json.dumps(following), json.dumps(resume))
        yield (number, block, json.dumps(lines), silent, begin, *lists)


def _site_rows(first: int, sites: dict[str, list[Any]]) -> Iterator[Row]:
    columns = zip(*(sites[name] for name in _SITE_FIELDS), strict=True)
    return ((number, *site) for number, site in enumerate(columns, first))
