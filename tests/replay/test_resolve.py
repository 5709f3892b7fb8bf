"""The places that paths mean in a call at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import UsageError
from wrongcall.events import Kind, SiteKind
from wrongcall.recording import Attr, Entry, Item, Member, Recording, Ref
from wrongcall.recording import Path as PlacePath
from wrongcall.replay.resolve import ObjectSlot, Places, Result, Variable

SITES = [
    (SiteKind.ENTRY, 1, 1),
    (SiteKind.WRITE, 1, 2, "items"),
    (SiteKind.WRITE, 1, 2, "table"),
    (SiteKind.WRITE, 1, 2, "i"),
    (SiteKind.WRITE, 1, 2, "thing"),
]


class Run:
    """One call, with ``items = [5, 6]``, ``table = {"k": 7, (1, 0): 8}``, ``i = 1`` and a ``thing``."""

    def __init__(self, folder: Path) -> None:
        emitter = Emitter()
        emitter.file([{"locals": ["items", "table", "i", "thing", "unbound"]}], SITES)
        self.module = emitter.new("module")
        emitter.attr(self.module, "__name__", "__main__")
        emitter.attr(self.module, "shared", 9)
        emitter.attr(self.module, "i", 100)  # the local one hides it
        self.items, self.table = emitter.new("list"), emitter.new("dict")
        self.thing, self.pair = emitter.new("Thing"), emitter.new("tuple", length=2)
        for index, value in enumerate((5, 6)):
            emitter.item(Kind.INSERT, self.items, index, value)
        for index, value in enumerate((1, 0)):
            emitter.item(Kind.ITEM, self.pair, index, value)
        emitter.entry(self.table, "k", 7)
        emitter.entry(self.table, self.pair, 8)
        emitter.attr(self.thing, "_Thing__secret", 3)
        emitter.attr(self.thing, "name", "a thing")
        call = emitter.enter(1)
        values: list[object] = [self.items, self.table, 1, self.thing]
        for site, held in enumerate(values, 2):
            emitter.local(call, site, held)
        self.bound = emitter.now
        emitter.item(Kind.ITEM, self.items, 0, 50)
        emitter.leave(call, "done")
        self.recording: Recording = emitter.open(folder / "t.wrongcall")

    def find(self, path: str, time: int | None = None) -> tuple[object, object]:
        return self.recording.places.find(1, path, time)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run(tmp_path)
    yield made
    made.recording.close()


def test_a_path_leads_to_a_place_and_what_is_there(run: Run) -> None:
    assert run.find("items[1]") == (ObjectSlot(run.items.oid, Item(1)), 6)
    assert run.find("items[-1]") == (ObjectSlot(run.items.oid, Item(1)), 6)
    assert run.find("items[i]") == (ObjectSlot(run.items.oid, Item(1)), 6)
    assert run.find("thing.name") == (ObjectSlot(run.thing.oid, Attr("name")), "a thing")
    assert run.find("i") == (Variable(1, "i"), 1)


def test_keys_of_dicts_are_found_by_what_they_are(run: Run) -> None:
    assert run.find('table["k"]') == (ObjectSlot(run.table.oid, Entry("k")), 7)
    assert run.find("table[1, 0]") == (ObjectSlot(run.table.oid, Entry(Ref(run.pair.oid))), 8)
    assert run.find("table[i, 0]")[1] == 8


def test_the_value_is_that_of_the_time(run: Run) -> None:
    assert run.find("items[0]", run.bound)[1] == 5
    assert run.find("items[0]")[1] == 50


def test_globals_are_found_behind_variables(run: Run) -> None:
    assert run.find("shared") == (ObjectSlot(run.module.oid, Attr("shared")), 9)
    assert run.find("i")[1] == 1


def test_the_result_can_be_read_once_the_call_has_ended(run: Run) -> None:
    assert run.find("result") == (Result(1), "done")
    with pytest.raises(UsageError, match="has no variable 'result'"):
        run.find("result", run.bound)
    assert run.find("return") == (Result(1), "done")
    with pytest.raises(UsageError, match="has no variable 'return'"):
        run.find("return", run.bound)


def test_a_private_attribute_may_be_written_as_in_the_class(run: Run) -> None:
    assert run.find("thing.__secret") == (ObjectSlot(run.thing.oid, Attr("_Thing__secret")), 3)


@pytest.mark.parametrize(
    "path, message",
    [
        ("nothing", "f (call 1) has no variable 'nothing'"),
        ("unbound", "it has items, table, i, thing"),
        ("items[7]", "items is a list with 2 elements: there is no index 7"),
        ("items['x']", "list has no key 'x'"),
        ("thing.other", "thing is a Thing without an attribute 'other': it has"),
        ("table['x']", "table is a dict without the key 'x': it has 'k', (1, 0)"),
        ("i.real", "i is not an object at time"),
    ],
)
def test_a_missing_place_is_an_error_that_lists_what_exists(
    run: Run, path: str, message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        run.find(path)


def test_elements_of_sets_have_no_place(run: Run) -> None:
    with pytest.raises(UsageError, match="no place of their own"):
        run.recording.places.find(1, PlacePath("items", (Member(1),)))


def test_the_value_of_a_place_can_be_read_at_any_time(run: Run) -> None:
    states = run.recording.states
    places = Places(run.recording._store, states.heap, states.variables)
    slot = ObjectSlot(run.items.oid, Item(0))
    assert (places.value(slot, run.bound), places.value(slot, run.bound + 1)) == (5, 50)
    assert places.value(Variable(1, "i"), run.bound) == 1
    with pytest.raises(ValueError, match="result of call 1 has no time"):
        places.value(Result(1), run.bound)
