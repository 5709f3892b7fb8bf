"""How the types of the contract become JSON, and identifiers become enums again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum

import pytest

from wrongcall.errors import UsageError
from wrongcall.web.wire import identifiers, member_of, to_json


class Colour(Enum):
    DARK_RED = "a dark red"
    BLUE = "blue"


@dataclass(frozen=True)
class Paint:
    colour: Colour
    parts: tuple[int, ...]


def test_a_dataclass_is_an_object_and_an_enum_its_name() -> None:
    sent = {"paints": [Paint(Colour.DARK_RED, (1, 2))]}
    assert json.loads(to_json(sent)) == {"paints": [{"colour": "dark_red", "parts": [1, 2]}]}


def test_a_lone_surrogate_survives_as_its_escape() -> None:
    assert json.loads(to_json("a\ud800ü")) == "a\ud800ü"
    assert "ü".encode() in to_json("ü")


def test_numbers_and_types_unknown_to_json_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json(float("nan"))
    with pytest.raises(TypeError, match="object has no JSON"):
        to_json(object())


@pytest.mark.parametrize("member", Colour)
def test_identifiers_lead_back_to_their_members(member: Colour) -> None:
    name = json.loads(to_json(member))
    assert name in identifiers(Colour)
    assert member_of(Colour, name, "colour") is member


def test_an_unknown_identifier_says_what_there_is() -> None:
    with pytest.raises(
        UsageError, match="there is no colour 'DARK_RED'; there are: dark_red, blue"
    ):
        member_of(Colour, "DARK_RED", "colour")
