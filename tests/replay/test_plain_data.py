from __future__ import annotations

from pathlib import Path

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout


def test_atoms_are_themselves(tmp_path: Path) -> None:
    with Emitter().open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.plain(5) == 5
        assert recording.states.plain("text") == "text"


def test_containers_are_drawn_with_their_ids(tmp_path: Path) -> None:
    emitter = Emitter()
    inner = emitter.new("set")
    emitter.member(inner, 3)
    outer = emitter.new("dict")
    emitter.entry(outer, "k", inner)
    items = emitter.new("list", length=2)
    emitter.item(Kind.ITEM | SEEN, items, 0, outer)
    emitter.item(Kind.ITEM | SEEN, items, 1, inner)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        drawn_inner = ("set", inner.oid, [3])
        assert recording.states.plain(items) == (
            "list",
            items.oid,
            [("dict", outer.oid, [("k", drawn_inner)]), ("set", inner.oid, ...)],
        )


def test_instances_have_attributes_and_so_may_containers(tmp_path: Path) -> None:
    emitter = Emitter()
    point = emitter.new("Point")
    emitter.attr(point, "x", 1)
    special = emitter.new("MyList", layout=Layout.LIST)
    emitter.item(Kind.INSERT, special, 0, 7)
    emitter.attr(special, "label", "seven")
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.plain(point) == ("Point", point.oid, {"x": 1})
        assert recording.states.plain(special) == ("MyList", special.oid, [7], {"label": "seven"})


def test_cycles_end(tmp_path: Path) -> None:
    emitter = Emitter()
    items = emitter.new("list")
    emitter.item(Kind.INSERT, items, 0, items)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.plain(items) == ("list", items.oid, [("list", items.oid, ...)])


def test_deep_or_unknown_objects_are_left_out(tmp_path: Path) -> None:
    emitter = Emitter()
    waiting = emitter.new("list", length=None)
    items = emitter.new("list")
    emitter.item(Kind.INSERT, items, 0, waiting)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.plain(items, depth=1) == (
            "list",
            items.oid,
            [("list", waiting.oid, ...)],
        )
        assert recording.states.plain(items) == ("list", items.oid, [("list", waiting.oid, None)])


def test_plain_data_shows_the_state_at_its_time(tmp_path: Path) -> None:
    emitter = Emitter()
    items = emitter.new("list")
    first = emitter.item(Kind.INSERT, items, 0, 1)
    emitter.item(Kind.INSERT, items, 1, 2)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.plain(items, first) == ("list", items.oid, [1])
        assert recording.states.plain(items) == ("list", items.oid, [1, 2])


def test_a_long_chain_can_be_drawn_to_some_depth(tmp_path: Path) -> None:
    emitter = Emitter()
    last = emitter.new("list")
    for _ in range(50):
        inner, last = last, emitter.new("list")
        emitter.item(Kind.INSERT, last, 0, inner)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        picture, depth = recording.states.plain(last, depth=30), 0
        while picture[2] is not ...:
            picture, depth = picture[2][0], depth + 1
        assert depth == 30
