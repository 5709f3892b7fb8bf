from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.events import CARRIERS, Kind, Tag
from wrongcall.trace.format.event_records import EVENT, Events, call_ids, obj_ids
from wrongcall.trace.write.batch import Batch, ContentColumns, OtherEvent, read_batch

_U32 = st.integers(0, 3) | st.integers(0, 2**32 - 1)
_I64 = st.integers(-(2**63), 2**63 - 1)
_BYTE = st.integers(0, 255)
_KINDS = st.sampled_from(Kind) | _BYTE
ROWS = st.lists(st.tuples(_KINDS, _BYTE, _BYTE, _BYTE, _U32, _U32, _U32, _I64, _I64), max_size=40)


@given(ROWS)
def test_what_is_looked_at_one_by_one_is_found(rows: list[tuple[int, ...]]) -> None:
    events = np.array(rows, EVENT)
    found = read_batch(events.view(np.uint8))
    kinds, calls, objs = (
        events["kind"].tolist(),
        call_ids(events).tolist(),
        obj_ids(events).tolist(),
    )
    begun = [calls[i] for i, kind in enumerate(kinds) if kind in (Kind.ENTER, Kind.CREATE)]
    assert (found.begun, found.newest_call) == (len(begun), max(begun, default=0))
    seen = [objs[i] for i, kind in enumerate(kinds) if kind == Kind.OBJ]
    assert found.newest_object == max(seen, default=0)
    sizes = [objs[i] if kind in CARRIERS else 0 for i, kind in enumerate(kinds)]
    assert found.owned == sum(sizes)
    contents = (Kind.CONTENT, Kind.CONTENT_APPEND)
    expected = [
        OtherEvent(
            i, kind, int(events["ktag"][i]), calls[i], objs[i], int(events["key"][i]),
            int(events["value"][i]), sum(sizes[:i]), sum(sizes[: i + 1]),
        )
        for i, kind in enumerate(kinds)
        if (kind < Kind.ENTER and kind not in contents) or kind == Kind.PROCESS
    ]  # fmt: skip
    assert found.others == expected
    check_contents(events[np.isin(events["kind"], contents)], found.contents)


def check_contents(events: Events, found: ContentColumns) -> None:
    appended = events["kind"] == Kind.CONTENT_APPEND
    wide = {
        "id": events["value"],
        "base": np.where(appended, events["key"], 0),
        "length": np.where(appended, 0, events["key"]),
        "size": obj_ids(events),
    }
    for name, column in wide.items():
        assert np.frombuffer(getattr(found, name), np.int64).tolist() == column.tolist()
    assert list(found.tag) == events["vtag"].tolist()
    assert list(found.clipped) == (events["ktag"] == 1).astype(int).tolist()
    assert list(found.appended) == appended.astype(int).tolist()


def test_appended_contents_name_their_base() -> None:
    emitter = Emitter()
    base = emitter.content(Tag.STR, b"abc", length=500)
    emitter.append(base, b"def", 9)
    contents = read_batch(emitter.events()).contents
    assert list(contents.appended) == [0, 1]
    assert list(contents.clipped) == [1, 0]
    assert np.frombuffer(contents.length, np.int64).tolist() == [500, 0]
    assert np.frombuffer(contents.base, np.int64).tolist() == [0, base[1]]


def test_a_batch_counts_its_events() -> None:
    assert Batch(bytes(96), b"").count == 3
    assert Batch(np.zeros(2, EVENT), b"").count == 2
