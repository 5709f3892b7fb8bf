"""Values of library types as source would have them; evaluating the text gives the value again."""

from __future__ import annotations

import datetime
import fractions
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from pathlib import Path
from typing import Any

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.recording import Ref
from wrongcall.replay.literals import Literal, is_partly_known, is_value_type, literal
from wrongcall.trace.format.program_tables import Type

NAMES = {
    **vars(fractions),
    **vars(uuid),
    **vars(ipaddress),
    **vars(pathlib),
    "re": re,
    "zoneinfo": zoneinfo,
    "datetime": datetime,
}


def _made(emitter: Emitter, module: str, name: str, parts: dict[str, Any]) -> Ref:
    ref = emitter.new(name, module=module)
    for part, value in parts.items():
        emitter.attr(ref, part, value)
    return ref


def _literal(folder: Path, module: str, name: str, parts: dict[str, Any]) -> Literal | None:
    emitter = Emitter()
    ref = _made(emitter, module, name, parts)
    with emitter.open(folder / "t.wrongcall") as recording:
        heap = recording.states.heap
        return literal(heap.peek(ref.oid), heap.peek)


VALUES: dict[str, tuple[str, str, dict[str, Any], Any]] = {
    "fraction": (
        "fractions",
        "Fraction",
        {"_numerator": -3, "_denominator": 7},
        fractions.Fraction(-3, 7),
    ),
    "uuid": ("uuid", "UUID", {"int": 12345}, uuid.UUID(int=12345)),
    "zone": ("zoneinfo", "ZoneInfo", {"key": "UTC"}, zoneinfo.ZoneInfo("UTC")),
    "address": (
        "ipaddress",
        "IPv4Address",
        {"_ip": 0x7F000001},
        ipaddress.IPv4Address("127.0.0.1"),
    ),
    "long address": (
        "ipaddress",
        "IPv6Address",
        {"_ip": 1, "_scope_id": "eth0"},
        ipaddress.IPv6Address("::1%eth0"),
    ),
    "pattern": (
        "re",
        "Pattern",
        {"pattern": "a'b", "flags": int(re.compile("a", re.IGNORECASE | re.VERBOSE).flags)},
        re.compile("a'b", re.IGNORECASE | re.VERBOSE),
    ),
    "pattern of bytes": ("re", "Pattern", {"pattern": b"a", "flags": 0}, re.compile(b"a")),
    "date": (
        "datetime",
        "date",
        {"__repr__": "datetime.date(2024, 2, 29)"},
        datetime.date(2024, 2, 29),
    ),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_text_is_source_for_the_value(tmp_path: Path, name: str) -> None:
    module, kind, parts, value = VALUES[name]
    found = _literal(tmp_path, module, kind, parts)
    assert found is not None
    assert found.parts == ()
    assert eval(found.opening + found.closing, dict(NAMES)) == value


def test_a_path_is_joined_from_its_texts(tmp_path: Path) -> None:
    emitter = Emitter()
    texts = emitter.new("tuple", length=2)
    for index, text in enumerate(("/a", "b/c")):
        emitter.item(Kind.ITEM | SEEN, texts, index, text)
    ref = _made(emitter, "pathlib", "PosixPath", {"__posix_path__": texts})
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = literal(recording.states.heap.peek(ref.oid), recording.states.heap.peek)
        assert found is not None
        assert eval(found.opening, dict(NAMES)) == pathlib.PosixPath("/a", "b/c")


def test_a_network_is_its_address_and_size(tmp_path: Path) -> None:
    emitter = Emitter()
    base = _made(emitter, "ipaddress", "IPv4Address", {"_ip": 10 << 24})
    ref = _made(emitter, "ipaddress", "IPv4Network", {"network_address": base, "_prefixlen": 8})
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        found = literal(recording.states.heap.peek(ref.oid), recording.states.heap.peek)
        assert found is not None
        assert eval(found.opening, dict(NAMES)) == ipaddress.IPv4Network("10.0.0.0/8")


def test_members_of_enums_are_written_by_name(tmp_path: Path) -> None:
    named = _literal(tmp_path, "app", "Color", {"_name_": "RED", "_value_": 1})
    assert named == Literal("Color.RED")
    combined = _literal(tmp_path, "app", "Perm", {"_name_": None, "_value_": 3})
    assert combined == Literal("Perm(", (("", 3),), ")")


def test_a_subclass_is_written_under_its_own_name_with_what_it_adds(tmp_path: Path) -> None:
    parts = {"__repr__": "datetime.date(2024, 1, 2)", "label": "x"}
    found = _literal(tmp_path, "app", "Birthday", parts)
    assert found == Literal("Birthday(2024, 1, 2, ", (("label=", "x"),), ")")


@pytest.mark.parametrize(
    "module, kind, parts",
    [
        ("fractions", "Fraction", {"_numerator": 1}),
        ("uuid", "UUID", {"int": 1 << 128}),
        ("ipaddress", "IPv4Address", {"_ip": 1 << 40}),
        ("app", "Thing", {"x": 1}),
        ("app", "Fraction", {"_numerator": 1, "_denominator": 2}),  # not the one of fractions
    ],
)
def test_incomplete_values_have_no_literal(
    tmp_path: Path, module: str, kind: str, parts: dict[str, Any]
) -> None:
    assert _literal(tmp_path, module, kind, parts) is None


@pytest.mark.parametrize(
    "module, name, expected",
    [
        ("decimal", "Decimal", True),
        ("pathlib._local", "PosixPath", True),
        ("numpy", "int64", True),
        ("app", "Decimal", False),
        ("collections", "deque", False),
        ("pathlib", "Path", False),
    ],
)
def test_types_that_count_by_value_are_known_exactly(
    module: str, name: str, expected: bool
) -> None:
    assert is_value_type(Type(1, module, name, Layout.INSTANCE)) is expected


def test_objects_with_a_state_that_is_not_read_are_partly_known(tmp_path: Path) -> None:
    emitter = Emitter()
    kinds = [("_io", "StringIO"), ("decimal", "Decimal"), ("app", "Thing"), ("builtins", "list")]
    refs = [emitter.new(name, module=module) for module, name in kinds]
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        states = [recording.states.state(ref.oid) for ref in refs]
        assert [is_partly_known(state) for state in states] == [True, True, False, False]
