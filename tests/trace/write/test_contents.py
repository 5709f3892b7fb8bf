from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace import slow_packing
from wrongcall.events import Tag
from wrongcall.trace.format.content_batch import CONTENT, Entries, unpack_batch, unpack_ids
from wrongcall.trace.write.batch import ContentColumns
from wrongcall.trace.write.contents import BATCH_CONTENTS, ContentTail, pack_contents

_I64 = st.integers(0, 9) | st.integers(-(2**63), 2**63 - 1)


@st.composite
def entries(draw: st.DrawFn) -> tuple[Entries, bytes]:
    texts = draw(st.lists(st.binary(max_size=40), max_size=30))
    made: Entries = np.zeros(len(texts), CONTENT)
    for name in ("id", "base", "length"):
        made[name] = draw(st.lists(_I64, min_size=len(texts), max_size=len(texts)))
    made["size"] = [len(text) for text in texts]
    made["tag"] = draw(st.sampled_from([Tag.STR, Tag.BYTES]))
    made["appended"] = draw(st.integers(0, 1))
    return made, b"".join(texts)


def columns_of(made: Entries) -> ContentColumns:
    return ContentColumns(
        *(np.ascontiguousarray(made[name]).tobytes() for name in CONTENT.names or ())
    )


@given(entries())
def test_contents_are_packed_as_the_slow_version_packs_them(batch: tuple[Entries, bytes]) -> None:
    made, data = batch
    columns = [bytearray(column) for column in columns_of(made)]
    assert pack_contents(columns, data) == slow_packing.pack_contents(made, data)


@given(st.lists(entries(), max_size=4))
def test_a_batch_grows_until_it_is_full(batches: list[tuple[Entries, bytes]]) -> None:
    tail = ContentTail()
    for made, data in batches:
        tail.add(columns_of(made), data)
        assert tail.dirty
        tail.packed()
        assert not tail.dirty
    row, ids, packed = tail.packed()
    found = unpack_batch(unpack_ids(ids), packed)
    assert row == 1
    assert found.entries.tobytes() == b"".join(made.tobytes() for made, _ in batches)
    assert found.data == b"".join(data for _, data in batches)


def test_a_full_batch_is_followed_by_an_empty_one() -> None:
    tail = ContentTail()
    tail.add(columns_of(np.zeros(BATCH_CONTENTS - 1, CONTENT)), b"")
    full = [tail.full]
    tail.add(columns_of(np.zeros(1, CONTENT)), b"")
    full.append(tail.full)
    tail.next()
    assert [*full, tail.full] == [False, True, False]
    assert tail.packed()[0] == 2
