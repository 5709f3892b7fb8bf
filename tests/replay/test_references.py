"""The event in which an object was first seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, SiteKind
from wrongcall.recording import Ref
from wrongcall.replay.references import HOLDING, WINDOW, first_reference
from wrongcall.trace.read.store import Store


def _first(emitter: Emitter, folder: Path, ref: Ref, born: int) -> tuple[int, int] | None:
    """Kind and object of the event, None if there is none."""
    emitter.write(folder / "t.wrongcall")
    store = Store(folder / "t.wrongcall")
    found = first_reference(store, ref.oid, born)
    store.close()
    return None if found is None else (int(found["kind"][0]), int(found["obj"][0]))


def test_the_first_that_holds_an_object_counts(tmp_path: Path) -> None:
    emitter = Emitter()
    first, second = emitter.new("Thing"), emitter.new("Thing")
    held = emitter.new("list")
    born = emitter.now
    emitter.attr(first, "x", held)
    emitter.attr(second, "x", held)
    assert _first(emitter, tmp_path, held, born) == (Kind.ATTR, first.oid)


def test_references_before_the_first_sight_count(tmp_path: Path) -> None:
    emitter = Emitter()
    thing = emitter.new("Thing")
    name = emitter.name("x")
    later = Ref(thing.oid + 1)
    emitter.event(Kind.ATTR | SEEN, obj=thing.oid, key=name, value=emitter.value(later))
    assert emitter.new("list") == later
    assert _first(emitter, tmp_path, later, emitter.now) == (Kind.ATTR | SEEN, thing.oid)


def test_a_key_of_a_dict_or_set_counts_and_an_index_does_not(tmp_path: Path) -> None:
    emitter = Emitter()
    table, other = emitter.new("dict"), emitter.new("list")
    key = emitter.new("tuple")
    born = emitter.now
    emitter.item(Kind.INSERT, other, key.oid, 0)  # the same number, but an index
    emitter.entry(table, key, 1)
    assert _first(emitter, tmp_path, key, born) == (Kind.ENTRY, table.oid)


def test_variables_hold_but_are_no_objects(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{"locals": ["x"]}], [(SiteKind.ENTRY, 1, 1), (SiteKind.WRITE, 1, 2, "x")])
    call = emitter.enter(1)
    held = emitter.new("list")
    born = emitter.now
    emitter.local(call, 2, held)
    found = _first(emitter, tmp_path, held, born)
    assert found == (Kind.LOCAL, 0)
    assert not HOLDING[Kind.LOCAL]
    assert HOLDING[Kind.ATTR]


@pytest.mark.parametrize("distance, known", [(WINDOW - 10, True), (WINDOW + 10, False)])
def test_only_events_near_by_are_searched(tmp_path: Path, distance: int, known: bool) -> None:
    emitter = Emitter()
    thing, held = emitter.new("Thing"), emitter.new("list")
    born = emitter.now
    for _ in range(distance):
        emitter.event(Kind.BLOCK)
    emitter.attr(thing, "x", held)
    assert (_first(emitter, tmp_path, held, born) is not None) is known
