"""How objects are reached from the variables of a call."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import Kind, Layout, SiteKind
from wrongcall.recording import Recording, Ref
from wrongcall.replay import reaching
from wrongcall.replay.reaching import Reaching, references

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.WRITE, 1, 2, "a"), (SiteKind.WRITE, 1, 3, "b")]
A, B = 2, 3


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file([{"locals": ["a", "b"]}], SITES)
    return emitter


def _path(recording: Recording, ref: Ref) -> str | None:
    states = recording.states
    searching = Reaching(recording._store, states.heap, states.variables)
    found = searching.path(recording.call(1), ref.oid, recording.event_count - 1)
    return None if found is None else str(found)


def test_the_shortest_path_is_found(emitter: Emitter, tmp_path: Path) -> None:
    inner, thing, items = emitter.new("list"), emitter.new("Thing"), emitter.new("list")
    far = emitter.new("list")
    emitter.attr(thing, "held", inner)
    emitter.item(Kind.INSERT, items, 0, thing)
    emitter.item(Kind.INSERT, items, 1, inner)
    emitter.item(Kind.INSERT, inner, 0, far)
    call = emitter.enter(1)
    emitter.local(call, A, items)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _path(recording, items) == "a"
        assert _path(recording, inner) == "a[1]"  # not a[0].held
        assert _path(recording, thing) == "a[0]"
        assert _path(recording, far) == "a[1][0]"


def test_own_variables_come_before_globals(emitter: Emitter, tmp_path: Path) -> None:
    module = emitter.new("module")
    emitter.attr(module, "__name__", "__main__")
    shared, only_global = emitter.new("list"), emitter.new("list")
    emitter.attr(module, "g", shared)
    emitter.attr(module, "h", only_global)
    held = emitter.new("list")
    emitter.item(Kind.INSERT, held, 0, shared)
    call = emitter.enter(1)
    emitter.local(call, A, held)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _path(recording, shared) == "a[0]"
        assert _path(recording, only_global) == "h"


def test_circles_end_and_what_nothing_leads_to_has_no_path(
    emitter: Emitter, tmp_path: Path
) -> None:
    items, other = emitter.new("list"), emitter.new("list")
    emitter.item(Kind.INSERT, items, 0, items)
    call = emitter.enter(1)
    emitter.local(call, A, items)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _path(recording, other) is None


def test_the_search_gives_up_after_some_objects(
    emitter: Emitter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = [emitter.new("list") for _ in range(5)]
    for before, after in pairwise(chain):
        emitter.item(Kind.INSERT, before, 0, after)
    call = emitter.enter(1)
    emitter.local(call, A, chain[0])
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _path(recording, chain[4]) == "a[0][0][0][0]"
        monkeypatch.setattr(reaching, "MOST_OBJECTS", 2)
        assert _path(recording, chain[2]) is None
        assert _path(recording, chain[1]) == "a[0]"


@pytest.fixture
def holders(tmp_path: Path) -> Iterator[tuple[Recording, dict[str, Ref]]]:
    emitter = Emitter()
    target = emitter.new("list")
    refs = {
        "set": emitter.new("set"),
        "dict": emitter.new("dict"),
        "function": emitter.new("function"),
        "class": emitter.new("Class", layout=Layout.CLASS),
        "bound": emitter.new("builtin_function_or_method"),
    }
    emitter.member(refs["set"], target)
    emitter.entry(refs["dict"], "k", target)
    emitter.entry(refs["dict"], "n", 5)
    for name in ("function", "class", "bound"):
        emitter.attr(refs[name], "held", target)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        yield recording, refs | {"target": target}


@pytest.mark.parametrize(
    "name, count", [("set", 1), ("dict", 1), ("function", 0), ("class", 0), ("bound", 0)]
)
def test_the_program_itself_is_not_looked_through(
    holders: tuple[Recording, dict[str, Ref]], name: str, count: int
) -> None:
    recording, refs = holders
    found = list(references(recording.states.state(refs[name].oid)))
    assert [ref for _, ref in found] == [refs["target"]] * count
