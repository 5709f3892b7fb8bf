from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, Layout, Scope, SiteKind, Tag
from wrongcall.recording import UNSET, Ref
from wrongcall.replay import variables

SITES = [
    (SiteKind.ENTRY, 1, 1),
    (SiteKind.PARAM, 1, 1, "n"),
    (SiteKind.WRITE, 1, 2, "total"),
    (SiteKind.WRITE, 1, 3, "total"),
    (SiteKind.DELETE, 1, 4, "total"),
    (SiteKind.TARGET, 1, 5, "n"),
    (SiteKind.ENTRY, 2, 6),
    (SiteKind.WRITE, 2, 7, "total", 0, Scope.NONLOCAL),
    (SiteKind.WRITE, 1, 8, "limit", 0, Scope.GLOBAL),
]


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    outer = {"qualname": "outer", "params": ["n"], "locals": ["n", "total"]}
    inner = {"qualname": "inner", "outer": 1, "free": ["total"], "entry": 7}
    emitter.file([outer, inner], SITES)
    return emitter


def test_a_local_has_a_value_at_each_time(emitter: Emitter, tmp_path: Path) -> None:
    call, other = emitter.enter(1), emitter.enter(1)
    begin = emitter.local(call, 2, 5)
    emitter.local(other, 3, "the other call's")
    first = emitter.local(call, 3, 1)
    second = emitter.local(call, 4, 2)
    emitter.event(Kind.LOCAL_DEL, site=5, call=call)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        values = [recording.states.local(call, "total", t) for t in (begin, first, second, None)]
        assert values == [UNSET, 1, 2, UNSET]
        assert recording.states.locals(call, second) == {"n": 5, "total": 2}
        assert recording.states.locals(call) == {"n": 5}
        assert recording.states.locals(other) == {"total": "the other call's"}


def test_locals_of_a_long_call_are_in_the_order_of_the_source(
    emitter: Emitter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variables, "_SHORT", 2)
    call = emitter.enter(1)
    for value in range(4):
        emitter.local(call, 3, value)  # total
        emitter.local(call, 2, -value)  # n
    emitter.local(call, 4, 7)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert list(recording.states.locals(call).items()) == [("n", -3), ("total", 7)]


def test_the_history_of_a_local_has_its_lines(emitter: Emitter, tmp_path: Path) -> None:
    call = emitter.enter(1)
    emitter.local(call, 3, 1)
    emitter.local(call, 4, 2)
    emitter.event(Kind.LOCAL_DEL, site=5, call=call)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        history = recording.places.local_writes(call, "total")
        assert [(w.line, w.old, w.new) for w in history] == [
            (2, UNSET, 1),
            (3, 1, 2),
            (4, 2, UNSET),
        ]
        assert {write.call for write in history} == {call}


def test_a_comprehensions_variable_is_not_a_local(emitter: Emitter, tmp_path: Path) -> None:
    call = emitter.enter(1)
    emitter.local(call, 2, 5)
    emitter.local(call, 6, 99)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.local(call, "n") == 5


def test_a_free_variable_belongs_to_the_enclosing_call(emitter: Emitter, tmp_path: Path) -> None:
    outer = emitter.enter(1)
    emitter.local(outer, 3, 1)
    inner = emitter.enter(7, outer)
    emitter.event(Kind.CLOSURE, call=inner, obj=outer, key=emitter.name("total"))
    before = emitter.now
    emitter.local(inner, 8, 2, owner=outer)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.local(inner, "total", before) == 1
        assert recording.states.local(inner, "total") == recording.states.local(outer, "total") == 2
        assert recording.states.locals(inner) == {"total": 2}
        assert [(w.call, w.new) for w in recording.places.local_writes(outer, "total")] == [
            (outer, 1),
            (inner, 2),
        ]


def test_a_free_variable_is_found_through_the_function_object(
    emitter: Emitter, tmp_path: Path
) -> None:
    outer = emitter.enter(1)
    emitter.local(outer, 3, 1)
    function = emitter.new("function")
    emitter.event(Kind.CELL, obj=function.oid, key=emitter.name("total"), value=(Tag.INT, outer))
    value = emitter.value(function)
    emitter.event(Kind.ENTER, site=7, call=2, obj=outer, key=(Tag.INT, 1 << 32), value=value)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.local(2, "total") == 1


def test_globals_are_attributes_of_the_module_that_is_written_to(
    emitter: Emitter, tmp_path: Path
) -> None:
    other, module = emitter.new("module"), emitter.new("module")
    emitter.attr(other, "limit", 1)
    first = emitter.attr(module, "limit", 10, site=9, call=1)
    emitter.attr(module, "limit", 20, site=9, call=1)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.globals("__main__", first) == {"limit": 10}
        assert recording.states.globals("__main__") == {"limit": 20}
        assert [w.new for w in recording.places.global_writes("__main__", "limit")] == [10, 20]
        assert recording.places.global_writes("other", "limit") == []


def test_a_module_that_was_only_read_is_found_by_its_name(emitter: Emitter, tmp_path: Path) -> None:
    module = emitter.new("module", layout=Layout.MODULE)
    key, value = emitter.name("__name__"), emitter.value("settings")
    emitter.event(Kind.ATTR | SEEN, obj=module.oid, key=key, value=value)
    emitter.attr(module, "limit", Ref(7))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.states.globals("settings") == {"__name__": "settings", "limit": Ref(7)}
        assert recording.states.globals("missing") == {}
