"""Histories for the page: the values of a place with the rounds in which they were written, and series of numbers."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np

from wrongcall.present.lookup import find_call
from wrongcall.present.text import safe
from wrongcall.present.written_rounds import (
    MOST_FILTERED,
    MOST_LOOKED_AT,
    WrittenRounds,
    matches,
)
from wrongcall.recording import Recording, Value, Version, Versions
from wrongcall.web import inside_contract
from wrongcall.web.call_json import Cache, Window, time_of

MOST_POINTS = 60
"""Points of a small line."""
MOST_SERIES = 40


def history_data(
    recording: Recording,
    cache: Cache,
    number: int,
    place: str,
    time: int | None,
    window: Window,
    wanted: str = "",
) -> inside_contract.History:
    """Return values of a place in a call, and the index of the one at a time; ``wanted``: a text that filters them."""
    versions = cache.history(recording, number, place, time_of(find_call(recording, number), time))
    rounds = WrittenRounds(recording)
    columns = rounds.columns(versions[:MOST_LOOKED_AT])
    found: inside_contract.History = {
        "call": number,
        "place": safe(place),
        "count": len(versions),
        "first": window.first,
        "index": window.index(versions.times),
        "columns": columns,
        "searched": 0,
        "versions": [],
    }
    if not wanted:
        return {**found, "versions": [rounds.data(v, columns) for v in versions[window.part]]}
    searched = [rounds.data(version, columns) for version in islice(versions, MOST_FILTERED)]
    matching = [version for version in searched if matches(version, columns, wanted)]
    return {
        **found,
        "count": len(matching),
        "index": -1,
        "searched": len(searched),
        "versions": matching[window.part],
    }


def series_data(recording: Recording, number: int, time: int | None) -> inside_contract.AllSeries:
    """Return the numbers that the variables of a call had up to a time."""
    call = find_call(recording, number)
    when = time_of(call, time)
    names = [
        name
        for name, value in recording.states.locals(number, when).items()
        if _number(value) is not None
    ]
    found = [_series(recording, number, name, when) for name in names[:MOST_SERIES]]
    return {"call": number, "time": when, "series": [s for s in found if len(s["points"]) > 1]}


def _series(recording: Recording, number: int, name: str, time: int) -> inside_contract.Series:
    versions = recording.places.history(number, name, time)
    count = int((np.asarray(versions.times) <= time).sum())
    chosen = _spread(versions, count)
    points = [(v.time, y) for v in chosen if (y := _number(v.new)) is not None]
    return {"name": safe(name), "count": count, "points": points}


def _spread(versions: Versions, count: int) -> list[Version]:
    """Return the first versions, or as many of them, evenly spread, as are drawn."""
    every = -(-count // MOST_POINTS) or 1
    chosen = versions[0:count:every]
    last = versions[count - 1 : count]
    return [*chosen, *(v for v in last if v.time != chosen[-1].time)]


def _number(value: Value) -> float | None:
    """Return a number that can be drawn; None: it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
