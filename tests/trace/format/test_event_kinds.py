from __future__ import annotations

import re
from pathlib import Path

import pytest

from wrongcall import events
from wrongcall.events import SEEN, Kind
from wrongcall.trace.format import event_kinds
from wrongcall.trace.format.event_kinds import GROUPS, TRAITS, Trait, with_seen

HEADER = Path(event_kinds.__file__).parent / "native" / "packing.h"


def native(name: str) -> int:
    """Return a number from the header of the native code."""
    found = re.search(rf"\b{name} = (\d+)", HEADER.read_text())
    assert found is not None, f"{name} is not in {HEADER.name}"
    return int(found[1])


@pytest.mark.parametrize("trait", Trait, ids=lambda trait: str(trait.name))
def test_the_native_code_has_the_same_traits(trait: Trait) -> None:
    assert native(str(trait.name)) == trait


def test_the_native_code_has_the_same_kinds() -> None:
    for kind in ("CONTENT", "CONTENT_APPEND", "THREAD", "FIELDS", "PROCESS", "ACTIVATION"):
        assert native(f"KIND_{kind}") == Kind[kind]
    assert native("DICTIONARY_END") == event_kinds.DICTIONARY_END
    assert native("SEEN") == events.SEEN


def test_kinds_below_thread_and_fields_carry_bytes() -> None:
    """The native code tells carriers by these."""
    assert set(events.CARRIERS) == {*range(1, Kind.THREAD), Kind.FIELDS}


def test_a_kind_at_first_sight_has_the_same_slot() -> None:
    assert with_seen({Kind.ATTR}) == {Kind.ATTR, Kind.ATTR | SEEN}
    assert GROUPS[Kind.ATTR] == GROUPS[Kind.ATTR | SEEN] != GROUPS[Kind.ITEM]
    assert GROUPS[Kind.BLOCK] == 0


def test_traits_say_what_kinds_mean() -> None:
    assert TRAITS[Kind.ENTER] == Trait.BEGINNING
    assert TRAITS[Kind.RETURN] == Trait.END | Trait.HAS_OBJECT
    assert TRAITS[Kind.ATTR | SEEN] == Trait.OF_OBJECT | Trait.WRITE | Trait.HAS_OBJECT
    assert TRAITS[Kind.META] == 0
