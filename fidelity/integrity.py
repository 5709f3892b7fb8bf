"""Check what must hold in every trace, however its recording ended."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

import wrongcall.recording
from wrongcall.events import Kind, Tag
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import Events, call_ids


def problems_of(path: Path) -> list[str]:
    """Return the problems of a trace, in words."""
    found = []
    with wrongcall.recording.open(path) as recording:
        events = recording.events.between()
        if len(events) != recording.event_count:
            found.append(f"{len(events)} events instead of {recording.event_count}")
        found += _calls(recording, events)
        found += _references(recording, events)
    return found + _database(path)


def _database(path: Path) -> list[str]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        rows = [row[0] for row in db.execute("PRAGMA integrity_check").fetchall()]
    return [] if rows == ["ok"] else rows


def _calls(recording: Recording, events: Events) -> list[str]:
    calls = recording.calls.columns()
    ended = calls.exit >= 0
    found = []
    if (calls.entry[ended] >= calls.exit[ended]).any():
        found.append("a call ends before it begins")
    if not np.isin(calls.parent[calls.parent > 0], calls.id).all():
        found.append("a call has a parent that is not a call")
    owners = call_ids(events)
    if not np.isin(np.unique(owners[owners > 0]), calls.id).all():
        found.append("an event belongs to a call that never began")
    return found


def _references(recording: Recording, events: Events) -> list[str]:
    """Check that everything an event refers to came before it."""
    found = []
    known = np.array([0, *recording.program.sites], dtype=np.uint32)
    if not np.isin(np.unique(events["site"]), known).all():
        found.append("an event is at a site that is not described")
    texts = events["value"][events["vtag"] == Tag.STR]
    told = events["value"][np.isin(events["kind"], (Kind.CONTENT, Kind.CONTENT_APPEND))]
    missing = np.setdiff1d(texts, told)
    if len(missing):
        found.append(f"{len(missing)} texts are missing")
    for number in np.unique(told)[:2000].tolist():
        recording.states.values.read(Tag.STR, number)
    return found
