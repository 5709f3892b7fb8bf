from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.described import described
from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind, Layout, SiteKind, Tag, TypeOrigin
from wrongcall.trace.write.batch import read_batch
from wrongcall.trace.write.dictionary_events import Extract, extract


def extracted(emitter: Emitter, data: bytes | None = None) -> Extract:
    found = read_batch(emitter.events())
    return extract(found, bytes(emitter.data) if data is None else data)


def test_the_declarations_of_a_type_become_rows() -> None:
    emitter = Emitter()
    number = emitter.type("Point", Layout.INSTANCE)
    emitter.carrier(Kind.FIELDS, b"plain\0x", (0, 1), (Tag.INT, number))
    emitter.carrier(Kind.FIELDS, "dataclass\0y\0größe".encode(), (0, 2), (Tag.INT, number))
    assert extracted(emitter).rows["fields"] == [
        (1, number, "plain", '["x"]'),
        (2, number, "dataclass", json.dumps(["y", "größe"])),
    ]


def test_types_names_and_threads_become_rows() -> None:
    emitter = Emitter()
    emitter.type("list", Layout.LIST)
    emitter.event(Kind.BLOCK)
    emitter.name("größe")
    emitter.event(Kind.THREAD, key=(Tag.INT, 4711), value=(Tag.INT, 2))
    emitter.event(Kind.THREAD, key=(Tag.INT, 4711), value=(Tag.INT, 3), obj=5)
    assert extracted(emitter).rows == {
        "types": [(1, "builtins", "list", Layout.LIST, TypeOrigin.UNKNOWN)],
        "names": [(1, "größe")],
        "threads": [(2, 4711, 1), (3, 4711, 5)],
    }


def test_a_file_becomes_rows_of_four_tables_with_the_numbers_of_the_trace() -> None:
    emitter = Emitter()
    outer = {"name": "C", "qualname": "C", "kind": "class", "entry": 1}
    function = {
        "name": "f",
        "qualname": "C.f",
        "params": ["a"],
        "entry": 2,
        "outer": 1,
        "blocks": [[2, 3], [4]],
    }
    sites = [(SiteKind.ENTRY, 1, 1), (SiteKind.ENTRY, 2, 2), (SiteKind.PARAM, 2, 2, "a")]
    emitter.file([outer, function], sites, first=(3, 7, 5))
    rows = extracted(emitter).rows
    assert rows["files"] == [(3, "/program/__main__.py", "__main__", "")]
    assert [(row[0], row[1], row[3]) for row in rows["functions"]] == [(7, 3, "C"), (8, 3, "C.f")]
    outside, entry = 7, -1
    assert [(row[outside], row[entry]) for row in rows["functions"]] == [(0, 5), (7, 6)]
    assert [row for row in rows["blocks"] if row[0] == 8] == [
        (8, 0, "[2, 3]", 0, 0, "[]", "[]"),
        (8, 1, "[4]", 0, 0, "[]", "[]"),
    ]
    assert [row[:3] for row in rows["sites"]] == [
        (5, SiteKind.ENTRY, 7),
        (6, SiteKind.ENTRY, 8),
        (7, SiteKind.PARAM, 8),
    ]


def test_the_site_that_begins_a_round_gets_its_number_and_none_stays_none() -> None:
    emitter = described("def f():\n    while x:\n        y = 1\n")
    first = list(extracted(emitter).rows["blocks"])
    moved = Emitter()
    meta = json.loads(bytes(emitter.data))
    moved.carrier(Kind.META, json.dumps({**meta, "first_site": 101}).encode())
    begin = 4
    wanted = [row[begin] and row[begin] + 100 for row in first]  # type: ignore[operator]
    assert any(wanted)
    assert [row[begin] for row in extracted(moved).rows["blocks"]] == wanted


def test_an_entry_of_the_code_cache_follows_the_description() -> None:
    emitter = described("x = 1\n")
    plain = extracted(emitter)
    with_entry = Emitter()
    with_entry.carrier(Kind.META, bytes(emitter.data) + b"\0" + b"00ff\0a\0b")
    found = extracted(with_entry)
    assert found.code == [("00ff", b"a\0b")]
    assert found.rows == plain.rows
    assert plain.code == []


def test_descriptions_are_shortened_by_an_entry_of_the_code_cache() -> None:
    emitter, with_entry = described("x = 1\n"), Emitter()
    with_entry.event(Kind.BLOCK)
    with_entry.carrier(Kind.META, bytes(emitter.data) + b"\0" + b"00ff\0content")
    assert extracted(with_entry).shortened == {1: len(emitter.data)}
    assert extracted(emitter).shortened == {}


@given(st.lists(st.one_of(st.text(max_size=20), st.just(None))))
def test_contents_come_out_with_their_bytes_whatever_lies_between(texts: list[str | None]) -> None:
    emitter = Emitter()
    written = []
    for i, text in enumerate(texts):
        if text is None:
            emitter.name(f"name {i}")
        else:
            data = f"{i} {text}".encode()
            written.append((emitter.content(Tag.STR, data)[1], data))
        emitter.event(Kind.BLOCK)
    found, contents = extracted(emitter), read_batch(emitter.events()).contents
    ends = np.cumsum(np.frombuffer(contents.size, np.int64)).tolist()
    begins = [0, *ends]
    parts = [found.data[i:j] for i, j in zip(begins, ends, strict=False)]
    ids = np.frombuffer(contents.id, np.int64).tolist()
    assert list(zip(ids, parts, strict=True)) == written


def test_bytes_that_are_missing_are_reported() -> None:
    emitter = Emitter()
    emitter.name("abc")
    with pytest.raises(TraceError, match="3 bytes are announced, 2 were handed over"):
        extracted(emitter, b"ab")


@pytest.mark.parametrize("text", [b"not json", json.dumps({"file": 1}).encode(), b"[]"])
def test_a_damaged_description_is_reported(text: bytes) -> None:
    emitter = Emitter()
    emitter.carrier(Kind.META, text)
    with pytest.raises(TraceError, match="description of a file is damaged"):
        extracted(emitter)
