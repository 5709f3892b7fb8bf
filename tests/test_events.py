"""The vocabulary of events is the same in Python, in C and in the documents."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import pytest

from wrongcall import events
from wrongcall.events import Kind, Layout, Passing, Tag, TypeOrigin

ROOT = Path(__file__).parents[1]
HEADER = (ROOT / "src/wrongcall/recorder/native/emit/events.h").read_text()
EMIT = (ROOT / "src/wrongcall/recorder/native/emit/emit.h").read_text()

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "macro, enum",
    [
        ("WC_KINDS", Kind),
        ("WC_TAGS", Tag),
        ("WC_LAYOUTS", Layout),
        ("WC_PASSINGS", Passing),
        ("WC_ORIGINS", TypeOrigin),
    ],
)
def test_the_header_has_the_same_numbers(macro: str, enum: type[IntEnum]) -> None:
    (body,) = re.findall(rf"#define {macro}\(X\)((?:.*\\\n)*.*)\n", HEADER)
    listed = {name: int(number) for name, number in re.findall(r"X\((\w+), (\d+)\)", body)}
    assert listed == {member.name: member.value for member in enum}


@pytest.mark.parametrize(
    "name, header, value",
    [
        ("EVENT_FORMAT_VERSION", HEADER, events.FORMAT_VERSION),
        ("EVENT_SIZE", HEADER, events.EVENT_SIZE),
        ("EV_SEEN", HEADER, events.SEEN),
        ("SITE_LINE", EMIT, events.SITE_LINE),
    ],
)
def test_the_header_has_the_same_constants(name: str, header: str, value: int) -> None:
    (found,) = re.findall(rf"#define {name}\s+(0x[0-9A-Fa-f]+|\d+)u?\b", header)
    assert int(found, 0) == value


def test_no_two_kinds_are_the_same_when_seen() -> None:
    assert all(kind < events.SEEN for kind in Kind)


def test_the_document_of_the_ring_has_the_size_of_an_event() -> None:
    page = (ROOT / "docs/reference/trace-format.md").read_text()
    assert f"| 12 | 4 | event size ({events.EVENT_SIZE}) |" in page
