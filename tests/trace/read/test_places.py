"""Places inside objects: what tells them apart."""

from __future__ import annotations

import pytest

from wrongcall.trace.read.places import Attr, Entry, Item, Place
from wrongcall.trace.read.values import Clipped, Ref

PLACES: list[Place] = [Item(1), Item(2), Attr("1"), Entry(1), Entry("1"), Entry(Ref(1))]


def test_places_of_different_kinds_are_different_though_they_hold_the_same() -> None:
    assert len(set(PLACES)) == len(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_a_place_is_equal_to_one_made_alike(place: Place) -> None:
    again = type(place)(*vars(place).values())
    assert again == place
    assert hash(again) == hash(place)


def test_clipped_keys_are_the_same_only_by_their_content() -> None:
    assert Entry(Clipped("a", 9, 1)) != Entry(Clipped("a", 9, 2))
