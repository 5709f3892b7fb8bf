from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind, Layout, SiteKind, Tag, TypeOrigin
from wrongcall.trace.format.event_records import kinds_of
from wrongcall.trace.write.dictionary_events import Extract, extract


def extracted(emitter: Emitter, data: bytes | None = None) -> Extract:
    events = emitter.events()
    return extract(events, kinds_of(events), bytes(emitter.data) if data is None else data)


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
    assert extracted(emitter).rows == {
        "types": [(1, "builtins", "list", Layout.LIST, TypeOrigin.UNKNOWN)],
        "names": [(1, "größe")],
        "threads": [(2, 4711)],
    }


def test_a_file_becomes_rows_of_four_tables() -> None:
    emitter = Emitter()
    function = {
        "name": "f",
        "qualname": "C.f",
        "params": ["a"],
        "entry": 5,
        "blocks": [[2, 3], [4]],
    }
    emitter.file([function], [(SiteKind.ENTRY, 7, 2), (SiteKind.PARAM, 7, 2, "a")], first=(3, 7, 5))
    rows = extracted(emitter).rows
    assert rows["files"] == [(3, "/program/__main__.py", "__main__", "")]
    assert [row[:5] for row in rows["functions"]] == [(7, 3, "f", "C.f", "function")]
    assert rows["blocks"] == [(7, 0, "[2, 3]", 0, 0, "[]", "[]"), (7, 1, "[4]", 0, 0, "[]", "[]")]
    assert [(row[0], row[2], row[7]) for row in rows["sites"]] == [(5, 7, None), (6, 7, "a")]


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
    found = extracted(emitter)
    ends = np.cumsum(found.contents["size"]).tolist()
    begins = [0, *ends]
    parts = [found.data[i:j] for i, j in zip(begins, ends, strict=False)]
    assert list(zip(found.contents["id"].tolist(), parts, strict=True)) == written


def test_appended_contents_name_their_base() -> None:
    emitter = Emitter()
    base = emitter.content(Tag.STR, b"abc", length=500)
    emitter.append(base, b"def", 9)
    entries = extracted(emitter).contents
    assert entries["appended"].tolist() == [0, 1]
    assert entries["clipped"].tolist() == [1, 0]
    assert entries["length"].tolist() == [500, 0]
    assert entries["base"].tolist() == [0, base[1]]


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
