from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.recording import UNKNOWN, UNSET, Clipped, Recording, Ref, TupleKey
from wrongcall.trace.read.values import same_key

ATOMS = st.one_of(
    st.sampled_from([None, False, True, Ellipsis, NotImplemented, 2**63, -(2**63), -(2**63) - 1]),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(st.characters(codec=None), max_size=20),
    st.binary(max_size=20),
    st.integers(1, 2**36 - 1).map(Ref),
)


@settings(max_examples=40)
@given(st.lists(ATOMS, max_size=40))
def test_atoms_come_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, atoms: list[Any]
) -> None:
    emitter = Emitter()
    written = [emitter.value(atom) for atom in atoms]
    with emitter.open(tmp_path_factory.mktemp("values") / "run.wrongcall") as recording:
        for atom, (tag, bits) in zip(atoms, written, strict=True):
            value = recording.states.values.read(tag, bits)
            assert type(value) is type(atom)
            assert repr(value) == repr(atom)


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    emitter = Emitter()
    emitter.name("colour")
    emitter.content(Tag.COMPLEX, b"too short")
    emitter.content(Tag.BIGINT, b"not a number")
    emitter.content(Tag.STR, b"\xff\xff")
    emitter.content(Tag.BYTES, b"x" * 10, length=1 << 40)
    return emitter.open(tmp_path / "run.wrongcall")


def test_other_tags_have_their_descriptions(recording: Recording) -> None:
    with recording:
        assert recording.states.values.read(Tag.UNSET, 0) is UNSET
        assert recording.states.values.read(Tag.NAME, 1) == "colour"
        assert recording.states.values.read(Tag.TUPLE, 5) == TupleKey(5)


def test_the_beginning_of_long_bytes_says_how_long_they_are(recording: Recording) -> None:
    with recording:
        content = int(recording.events.between(4, 5)["value"][0])
        assert recording.states.values.read(Tag.BYTES, content) == Clipped(
            b"x" * 10, 1 << 40, content
        )


@pytest.mark.parametrize(
    "tag, bits, message",
    [
        (12, 0, "unknown tag 12"),
        (Tag.CHAR, 0x110000, "unknown tag 11"),
        (Tag.STR_INLINE + 9, 0, "unknown tag 25"),
        (Tag.BYTES_INLINE + 9, 0, "unknown tag 41"),
        (Tag.CONST, 5, "unknown tag 1"),
        (Tag.NAME, 99, "no name 99"),
        (Tag.STR, 99, "no content 99"),
    ],
)
def test_impossible_contents_are_trace_errors(
    recording: Recording, tag: int, bits: int, message: str
) -> None:
    with recording, pytest.raises(TraceError, match=message):
        recording.states.values.read(tag, bits)


def test_damaged_contents_are_errors_of_the_trace(recording: Recording) -> None:
    with recording:
        for event in recording.events.between(1, 4):
            with pytest.raises(TraceError, match="damaged trace: content"):
                recording.states.values.read(int(event["vtag"]), int(event["value"]))


@given(ATOMS, ATOMS)
def test_keys_are_the_same_when_a_dict_takes_them_for_the_same(a: Any, b: Any) -> None:
    if a != a or b != b:
        return
    assert (same_key(a) == same_key(b)) == (len({a, b}) == 1)


def test_not_a_number_is_the_same_key_as_itself() -> None:
    assert same_key(math.nan) == same_key(float("nan"))
    assert same_key(complex("nan")) == same_key(complex("nan"))
    assert same_key(math.nan) != same_key("nan")


def test_stand_ins_for_values_are_not_mistaken_for_values() -> None:
    assert (repr(UNSET), repr(UNKNOWN)) == ("UNSET", "UNKNOWN")
