"""Streams of events for owner indexes and checkpoints: owners that are used throughout, now and then, or once."""

from __future__ import annotations

import random

import numpy as np

from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.trace.format.event_records import (
    EVENT,
    OBJECT_KINDS,
    Events,
    Ints,
    call_ids,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, OBJECT, VARIABLE_KINDS

COUNT = EXTENT_EVENTS * 2 + 70_000
_ATTRS = (Kind.ATTR, Kind.ATTR, Kind.ATTR | SEEN, Kind.ATTR_DEL, Kind.EXPLORED)
_CONTENTS = (Kind.ENTRY, Kind.ENTRY_DEL, Kind.MEMBER, Kind.CLEAR, Kind.KEY)


def stream(seed: int, busy: bool) -> Events:
    """Return events of many owners; if it is busy, one variable has far most of them."""
    chance = random.Random(seed)
    events = np.zeros(COUNT, EVENT)
    events["kind"] = Kind.LOCAL if busy else Kind.BLOCK
    events["call"], events["site"], events["vtag"] = 1, 3, Tag.INT
    events["value"] = np.arange(COUNT)
    objects, calls = 0, 1
    events[0] = _row(Kind.ENTER, call=1)
    for time in sorted(chance.sample(range(1, COUNT), 5000)):
        roll = chance.random()
        if objects < 3 or roll < 0.1:
            objects += 1
            events[time] = _row(Kind.OBJ, obj=objects, ktag=Layout.INSTANCE, key=1)
        elif roll < 0.2:
            calls += 1
            events[time] = _row(Kind.ENTER, call=calls, obj=chance.randrange(calls))
        elif roll < 0.5:
            owner = _old_or_new(chance, calls)
            binds = chance.choice([Kind.LOCAL, Kind.LOCAL, Kind.LOCAL_DEL])
            other = chance.random() < 0.2  # a function inside it binds its variable
            inner = {"call": calls, "obj": owner} if other else {"call": owner}
            events[time] = _row(binds, site=chance.randrange(1, 6), value=time, **inner)
        else:
            owner = _old_or_new(chance, objects)
            kind = chance.choice(_ATTRS if owner % 2 else _CONTENTS)
            tag = Tag.NAME if kind & ~SEEN in (Kind.ATTR, Kind.ATTR_DEL) else Tag.INT
            stored = chance.random() < 0.2 and owner < objects
            value = (Tag.OBJ, objects) if stored else (Tag.INT, time)
            key = chance.randrange(5)
            events[time] = _row(
                kind,
                obj=owner,
                ktag=tag,
                key=key,
                vtag=value[0],
                value=value[1],
                call=calls,
                site=9,
            )
    return events


def _old_or_new(chance: random.Random, newest: int) -> int:
    if chance.random() < 0.4:
        return min(newest, chance.randrange(1, 4))
    if chance.random() < 0.5:
        return max(1, newest - chance.randrange(4))
    return chance.randrange(1, newest + 1)


def _row(
    kind: int,
    *,
    ktag: int = 0,
    vtag: int = Tag.INT,
    site: int = 0,
    call: int = 0,
    obj: int = 0,
    key: int = 0,
    value: int = 0,
) -> tuple[int, ...]:
    return (kind, ktag, vtag, 0, site, call, obj, key, value)


def owners_of(events: Events) -> Ints:
    """Return whose each event is, 0: nobody's, the slow and obvious way."""
    objs = obj_ids(events)
    callers = np.where(objs != 0, objs, call_ids(events))
    is_object = kind_table(OBJECT_KINDS)[events["kind"]]
    is_variable = kind_table(VARIABLE_KINDS)[events["kind"]]
    return np.where(is_object, objs | OBJECT, np.where(is_variable, callers, 0))
