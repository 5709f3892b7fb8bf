"""Values that are one thing: as source would have them, or by their type."""

from __future__ import annotations

import re

import pytest

from tests.present.objects import HOSTILE, Objects
from wrongcall.events import Kind, Layout, Tag
from wrongcall.present.forms import atoms
from wrongcall.present.forms.form import Writer


@pytest.mark.parametrize(
    "value",
    [range(5), range(2, 9), range(2, 9, 3), range(9, 2, -1), slice(1, 5), slice(None, 3, 2)],
)
def test_ranges_and_slices_are_written_as_their_repr(
    objects: Objects, value: range | slice
) -> None:
    layout = Layout.RANGE if isinstance(value, range) else Layout.SLICE
    parts = {"start": value.start, "stop": value.stop, "step": value.step}
    ref = objects.new(type(value).__name__, parts, layout=layout)
    assert objects.text(atoms.interval, ref) == repr(value)


def test_a_partly_known_range_shows_its_known_bounds(objects: Objects) -> None:
    ref = objects.new("range", {"start": 1}, layout=Layout.RANGE)
    assert objects.text(atoms.interval, ref) == "range(1)"


@pytest.mark.parametrize("value,shown", [(21.5, "Celsius(21.5)"), ("a\x1b", r"Celsius('a\x1b')")])
def test_an_instance_of_a_subclass_of_a_plain_type_shows_its_value(
    objects: Objects, value: object, shown: str
) -> None:
    ref = objects.new("Celsius", {"__value__": value}, layout=Layout.SCALAR)
    assert objects.text(atoms.scalar, ref) == shown


@pytest.mark.parametrize("text", ["say hello", "say h\u00e9llo w\u00f6rld", b"say hello"])
def test_a_match_is_written_as_its_repr(objects: Objects, text: str | bytes) -> None:
    found = re.search(r"h\w+", text) if isinstance(text, str) else re.search(rb"h\w+", text)
    assert found is not None
    parts = {"string": text, "start": found.start(), "end": found.end()}
    ref = objects.new("Match", parts, module="re")
    expected = repr(found).replace(" object;", "")
    assert objects.text(atoms.match, ref) == expected


@pytest.mark.parametrize(
    "parts,shown",
    [
        ({}, "<re.Match>"),
        ({"start": 1, "end": None, "string": "abc"}, "<re.Match>"),
        ({"start": 1, "end": 2}, "<re.Match span=(1, 2)>"),
        ({"start": 1, "end": 9, "string": "abc"}, "<re.Match span=(1, 9)>"),
    ],
)
def test_a_match_without_known_text_shows_only_its_span(
    objects: Objects, parts: dict[str, object], shown: str
) -> None:
    assert objects.text(atoms.match, objects.new("Match", parts, module="re")) == shown


def test_a_match_is_cut_out_of_the_known_beginning_of_a_long_text(objects: Objects) -> None:
    ref, other = (objects.new("Match", module="re") for _ in range(2))
    emitter = objects.emitter
    for one, end in ((ref, 9), (other, 12)):
        emitter.attr(one, "start", 4)
        emitter.attr(one, "end", end)
        text = emitter.content(Tag.STR, b"say hello w", 5_000_000)
        emitter.event(Kind.ATTR, obj=one.oid, key=emitter.name("string"), value=text)
    assert objects.text(atoms.match, ref) == "<re.Match span=(4, 9), match='hello'>"
    assert objects.text(atoms.match, other) == "<re.Match span=(4, 12)>"


def test_unexplored_objects_show_their_type(objects: Objects) -> None:
    opaque = objects.new(f"Odd{HOSTILE}", layout=Layout.OPAQUE)
    waiting = objects.new("list", explored=False)
    known = objects.new("list")
    assert objects.text(atoms.unknown, opaque) == r"<Odd\x1b[2J\u202e\n>"
    assert objects.text(atoms.unknown, waiting) == "<list, not looked into>"
    assert objects.text(atoms.unknown, known) is None


def test_a_date_whose_parts_could_not_be_read_is_written_by_its_type(objects: Objects) -> None:
    unread = objects.new("date", module="datetime")
    read = objects.new("date", {"year": 2024}, module="datetime")
    own = objects.new("date", module="shop")
    assert objects.text(atoms.unreadable, unread) == "<date>"
    assert objects.text(atoms.unreadable, read) is None
    assert objects.text(atoms.unreadable, own) is None


def test_members_of_enums_are_written_as_in_source_and_stay_on_their_line(objects: Objects) -> None:
    red = objects.new("Color", {"_name_": "RED", "_value_": 1})
    several = objects.new("Perm", {"_name_": None, "_value_": 6})
    hostile = objects.new("Color", {"_name_": HOSTILE, "_value_": 1})
    assert objects.text(atoms.written, red) == "Color.RED"
    assert objects.text(atoms.written, several) == "Perm(6)"
    shown = objects.text(atoms.written, hostile)
    assert shown is not None
    assert shown.isprintable()


@pytest.mark.parametrize("write", [atoms.scalar, atoms.interval, atoms.match, atoms.written])
def test_other_objects_are_left_to_other_writers(objects: Objects, write: Writer) -> None:
    ref = objects.new("Match", {"start": 0, "end": 1}, module="tennis")
    assert objects.text(write, ref) is None
