"""Buffers show their position and content, files their name and mode."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.objects import Objects
from wrongcall.events import Layout
from wrongcall.present.forms.streams import stream


def text(objects: Objects, name: str, module: str = "_io", **parts: Any) -> str | None:
    return objects.text(stream, objects.new(name, parts, module=module))


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({}, "<StringIO>"),
        ({"closed": True, "content": "x"}, "<StringIO: closed>"),
        ({"closed": False}, "<StringIO>"),
        ({"closed": False, "position": 0, "content": ""}, "<StringIO: position 0, ''>"),
        (
            {"closed": False, "position": 1234, "content": "a\x1b"},
            r"<StringIO: position 1,234, 'a\x1b'>",
        ),
        ({"closed": False, "position": 5, "size": 9000}, "<StringIO: position 5 of 9,000>"),
        ({"closed": False, "content": "x"}, "<StringIO, 'x'>"),
    ],
)
def test_a_buffer_shows_what_is_known_of_it(
    objects: Objects, parts: dict[str, Any], shown: str
) -> None:
    assert text(objects, "StringIO", **parts) == shown


def test_a_long_buffer_shows_both_ends_and_its_size(objects: Objects) -> None:
    parts: dict[str, Any] = {
        "closed": False,
        "position": 3,
        "size": 5000,
        "beginning": b"begin",
        "end": b"x" * 99,
    }
    shown = text(objects, "BytesIO", **parts)
    assert shown == f"<BytesIO: position 3, b'begin…' (5,000), ends with {b'x' * 20!r}>"


@pytest.mark.parametrize(
    "name,parts,shown",
    [
        ("TextIOWrapper", {"name": "a.txt", "mode": "r"}, "<text file, 'a.txt', mode 'r'>"),
        ("FileIO", {}, "<raw file>"),
        ("FileIO", {"name": 3, "mode": "rb+"}, "<raw file, 3, mode 'rb+'>"),
        (
            "BufferedWriter",
            {"closed": True, "position": 1024, "name": "a"},
            "<binary file: closed, position 1,024, 'a'>",
        ),
        ("BufferedReader", {"closed": False, "position": 0}, "<binary file: position 0>"),
    ],
)
def test_a_file_shows_name_mode_and_position(
    objects: Objects, name: str, parts: dict[str, Any], shown: str
) -> None:
    assert objects.text(stream, objects.new(name, parts, module="_io")) == shown


def test_other_objects_are_left_to_other_writers(objects: Objects) -> None:
    foreign = objects.new("StringIO", {"closed": True}, module="shop")
    opaque = objects.new("StringIO", module="_io", layout=Layout.OPAQUE)
    other = objects.new("Reader", module="_io")
    assert [objects.text(stream, ref) for ref in (foreign, opaque, other)] == [None] * 3
