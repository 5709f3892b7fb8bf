from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.recording import Clipped
from wrongcall.trace.format.content_batch import (
    CONTENT,
    ContentIndex,
    Entries,
    unpack_batch,
    unpack_ids,
)
from wrongcall.trace.write.batch import ContentColumns
from wrongcall.trace.write.contents import pack_contents


def packed_batch(entries: Entries, data: bytes) -> tuple[bytes, bytes]:
    columns = [bytearray(np.ascontiguousarray(entries[name])) for name in ContentColumns._fields]
    return pack_contents(columns, data)


_I64 = st.integers(-(2**63), 2**63 - 1)


@st.composite
def batches(draw: st.DrawFn) -> tuple[Entries, bytes]:
    texts = draw(st.lists(st.binary(max_size=40), max_size=30))
    entries: Entries = np.zeros(len(texts), CONTENT)
    for name in ("id", "base", "length"):
        entries[name] = draw(st.lists(_I64, min_size=len(texts), max_size=len(texts)))
    entries["size"] = [len(text) for text in texts]
    entries["tag"] = Tag.STR
    entries["appended"] = draw(st.integers(0, 1))
    return entries, b"".join(texts)


@given(batches())
def test_unpacking_gives_back_what_was_packed(batch: tuple[Entries, bytes]) -> None:
    entries, data = batch
    ids, packed = packed_batch(entries, data)
    found = unpack_batch(unpack_ids(ids), packed)
    assert found.entries.tobytes() == entries.tobytes()
    assert b"".join(found.stored(i) for i in range(len(entries))) == data


@given(batches(), st.data())
def test_damage_is_an_error_or_harmless(batch: tuple[Entries, bytes], data: st.DataObject) -> None:
    ids, packed = packed_batch(*batch)
    damaged = bytearray(packed)
    damaged[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack_batch(unpack_ids(ids), bytes(damaged))
    except TraceError:
        return
    assert len(found.entries) == len(batch[0])


@pytest.mark.parametrize("cut", [0, 10, -1])
def test_a_batch_that_is_cut_off_is_refused(cut: int) -> None:
    entries = np.zeros(1, CONTENT)
    entries["size"] = 3
    ids, packed = packed_batch(entries, b"abc")
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_batch(unpack_ids(ids), packed[:cut])


def test_contents_that_do_not_fill_their_bytes_are_refused() -> None:
    entries = np.zeros(2, CONTENT)
    entries["size"] = [5, -2]
    ids, packed = packed_batch(entries, b"abc")
    with pytest.raises(TraceError, match="do not fill"):
        unpack_batch(unpack_ids(ids), packed)


@pytest.mark.parametrize("packed", [b"", b"\xff" * 40, b"\x02\0\0\0\x01nonsense"])
def test_damaged_ids_are_refused(packed: bytes) -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_ids(packed)


@given(st.lists(st.lists(_I64, max_size=9), max_size=9))
def test_the_index_finds_each_content(rows: list[list[int]]) -> None:
    index = ContentIndex()
    for row, ids in enumerate(rows):
        index.note(row, 0, np.array(ids, "<i8"))
        for number in ids:
            found_row, place = index.find(number)
            assert rows[found_row][place] == number
    missing = next(n for n in range(200) if all(n not in ids for ids in rows))
    with pytest.raises(TraceError, match=f"no content {missing}"):
        index.find(missing)


def test_a_batch_that_has_grown_is_noted_from_where_it_was_known() -> None:
    index = ContentIndex()
    index.note(1, 0, np.array([30, 10], "<i8"))
    assert index.find(10) == (1, 1)
    index.note(1, 2, np.array([30, 10, 20], "<i8"))
    assert [index.find(n) for n in (10, 20, 30)] == [(1, 1), (1, 2), (1, 0)]


def test_a_text_that_grew_is_put_together(tmp_path: Path) -> None:
    emitter = Emitter()
    text = emitter.value("grün und blau")
    expected = "grün und blau"
    for i in range(2000):
        text = emitter.append(text, f"é{i}".encode(), 1000 + i)
        expected += f"é{i}"
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.values.read(*text) == expected
        assert recording.states.values.read(Tag.STR, 1000) == "grün und blaué0"


def test_text_appended_to_a_clipped_one_counts_in_its_length(tmp_path: Path) -> None:
    emitter = Emitter()
    base = emitter.content(Tag.STR, b"beginning", length=2_000_000)
    text = emitter.append(base, "né".encode(), 77)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.values.read(*base) == Clipped("beginning", 2_000_000, base[1])
        assert recording.states.values.read(*text) == Clipped("beginning", 2_000_002, 77)


def test_a_text_that_continues_itself_is_refused(tmp_path: Path) -> None:
    emitter = Emitter()
    text = emitter.append((Tag.STR, 2), b"x", 1)
    emitter.append((Tag.STR, 1), b"y", 2)
    with (
        emitter.open(tmp_path / "t.wrongcall") as recording,
        pytest.raises(TraceError, match="continues itself"),
    ):
        recording.states.values.read(*text)
