"""Turn the dictionary events of a batch into table rows.

Dictionary events are rare (a type, a name, a file), except contents, of which programs that work on text have many:
those arrive here as whole columns.

Invariant: the bytes of a batch are those of its carriers, in order, without gaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.events import CARRIERS, Kind
from wrongcall.trace.format.failed_tests import MARK
from wrongcall.trace.format.run_facts import FIRST_PROCESS, Unrecorded
from wrongcall.trace.write.batch import Found, OtherEvent

Row = tuple[int | str | None, ...]

_DESCRIBED = CARRIERS - {Kind.CONTENT, Kind.CONTENT_APPEND}
_SITE_FIELDS = ("kind", "function", "line", "col", "end_line", "end_col", "name", "scope", "block")


@dataclass
class Extract:
    """What a batch says about the program: rows by table, unrecorded modules, code, marks of tests, processes."""

    rows: dict[str, list[Row]] = field(default_factory=dict)
    unrecorded: list[Unrecorded] = field(default_factory=list)
    code: list[tuple[str, bytes]] = field(default_factory=list)
    """Entries for the cache of instrumented code: name and content."""
    shortened: dict[int, int] = field(default_factory=dict)
    """The size of descriptions without such an entry, by the position of their events: the trace is the same with or
    without a cache."""
    marks: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    """What a test runner said, each with its place in the batch."""
    processes: list[OtherEvent] = field(default_factory=list)
    """The events about processes."""
    data: bytes = b""
    """The bytes of the contents."""

    def add(self, table: str, row: Row) -> None:
        """Add a row for a table."""
        self.rows.setdefault(table, []).append(row)


def extract(found: Found, data: bytes) -> Extract:
    """Extract what describes the program from a batch with these bytes."""
    if found.owned != len(data):
        raise TraceError(f"{found.owned} bytes are announced, {len(data)} were handed over")
    made = Extract()
    kept, done = [], 0
    for event in found.others:
        if event.kind == Kind.PROCESS:
            made.processes.append(event)
        elif event.kind == Kind.THREAD:
            made.add("threads", (event.value, event.key, event.obj or FIRST_PROCESS))
        elif event.kind in _DESCRIBED:
            kept.append(data[done : event.begin])
            done = event.end
            _describe(made, event, data[event.begin : event.end])
    made.data = b"".join([*kept, data[done:]]) if done else data
    return made


def _describe(found: Extract, event: OtherEvent, data: bytes) -> None:
    if event.kind == Kind.META:
        _describe_file(found, event.place, data)
        if (size := data.find(b"\0")) >= 0:
            found.shortened[event.place] = size
        return
    text = data.decode("utf-8", "replace")
    if event.kind == Kind.NAME:
        found.add("names", (event.value, text))
    elif event.kind == Kind.FIELDS:
        declared, *names = text.split("\0")
        found.add("fields", (event.key, event.value, declared, json.dumps(names)))
    else:
        module, _, qualname = text.partition("\0")
        found.add("types", (event.value, module, qualname, event.key, event.ktag))


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
