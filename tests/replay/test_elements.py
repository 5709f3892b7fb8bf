"""Runs of elements that are written as bytes, against the types that hold them."""

from __future__ import annotations

import array
import struct

import numpy as np
import pytest

from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.replay.elements import Slot, elements

NUMBERS = {
    "b": [-128, 0, 127],
    "B": [0, 255],
    "h": [-(1 << 15), 7],
    "H": [0, (1 << 16) - 1],
    "i": [-(1 << 31), 7],
    "I": [0, (1 << 32) - 1],
    "q": [-(1 << 63), (1 << 63) - 1],
    "Q": [0, (1 << 64) - 1],
}


@pytest.mark.parametrize("code", NUMBERS)
def test_integers_are_those_of_an_array(code: str) -> None:
    held = array.array(code, NUMBERS[code])
    size, slots = elements(held.tobytes(), ord(code), time=9)
    assert size == held.itemsize
    assert slots == [Slot(Tag.INT, number, 9) for number in held]


@pytest.mark.parametrize("code", ["e", "f", "d"])
def test_floats_keep_their_value_as_doubles(code: str) -> None:
    values = [0.0, -1.5, float("inf"), 2.0**-14]
    _, slots = elements(struct.pack(f"<4{code}", *values), ord(code), 1)
    assert [struct.unpack("<d", struct.pack("<q", slot.bits))[0] for slot in slots] == values
    assert {slot.tag for slot in slots} == {Tag.FLOAT}


def test_truth_values_are_constants() -> None:
    data = np.array([True, False]).tobytes()
    false, true = 1, 2  # the numbers of these constants
    assert elements(data, ord("?"), 1)[1] == [Slot(Tag.CONST, true, 1), Slot(Tag.CONST, false, 1)]


def test_invalid_code_points_stay_numbers() -> None:
    data = struct.pack("<2I", ord("ü"), 0x110000)
    assert elements(data, ord("w"), 1)[1] == [
        Slot(Tag.CHAR, ord("ü"), 1),
        Slot(Tag.INT, 0x110000, 1),
    ]


def test_a_part_of_an_element_at_the_end_is_no_element() -> None:
    assert len(elements(b"\0" * 11, ord("i"), 1)[1]) == 2


def test_an_unknown_code_is_an_error_of_the_trace() -> None:
    with pytest.raises(TraceError, match="unknown type code 122"):
        elements(b"", ord("z"), 1)
