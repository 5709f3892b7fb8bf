from __future__ import annotations

from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.events import SEEN, Kind, SiteKind, Tag
from wrongcall.recording import UNSET, Outcome, Recording

SITES = [
    (SiteKind.ENTRY, 1, 1),
    (SiteKind.PARAM, 1, 1, "items"),
    (SiteKind.PARAM, 1, 1, "n"),
    (SiteKind.WRITE, 1, 2, "n"),
    (SiteKind.CALL, 1, 3, "inner"),
    (SiteKind.RETURN, 1, 4),
    (SiteKind.ENTRY, 2, 7),
    (SiteKind.PARAM, 2, 7, "x"),
    (SiteKind.YIELD, 2, 8),
    (SiteKind.RESUME, 2, 8),
    (SiteKind.RETURN, 2, 9),
]


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    """Make a function that makes a generator, which yields twice; both print."""
    emitter = Emitter()
    emitter.file(
        [
            {"qualname": "outer", "params": ["items", "n"]},
            {"qualname": "inner", "kind": "generator", "params": ["x"], "entry": 7},
        ],
        SITES,
    )
    outer = emitter.enter(1)
    items = emitter.new("list", length=1)
    emitter.item(Kind.ITEM | SEEN, items, 0, 5)
    emitter.local(outer, 2, items)
    emitter.local(outer, 3, 10)
    emitter.local(outer, 4, 11)
    inner = emitter.enter(7, outer, caller=5, kind=Kind.CREATE)
    emitter.event(Kind.START, site=7, call=inner)
    emitter.local(inner, 8, "x value that is long")
    for i in range(2):
        emitter.event(Kind.YIELD, site=9, call=inner, value=emitter.value(i * 10))
        printed(emitter, outer, 1, f"got {i}\n")
        emitter.event(Kind.RESUME, site=10, call=inner, value=emitter.value(None))
    printed(emitter, inner, 2, "done, with a long text\n")
    emitter.leave(inner, None, site=11)
    emitter.leave(outer, items, site=6)
    emitter.enter(1)
    return emitter.open(tmp_path / "t.wrongcall")


def printed(emitter: Emitter, call: int, stream: int, text: str) -> None:
    key, value = (Tag.INT, stream), emitter.value(text)
    emitter.event(Kind.PRINT, call=call, key=key, value=value)


def test_a_call_knows_its_function_and_relatives(recording: Recording) -> None:
    with recording:
        outer, inner = recording.call(1), recording.call(2)
        assert (outer.function.qualname, inner.function.qualname) == ("outer", "inner")
        assert outer.parent is None
        assert inner.parent == outer
        assert list(outer.children) == [inner]
        assert inner.caller == recording.program.sites[5]
        assert (inner.caller_line, outer.caller_line) == (3, 0)
        assert inner.thread == 1


def test_arguments_are_the_values_at_entry_not_later_ones(recording: Recording) -> None:
    with recording:
        outer = recording.call(1)
        assert [arg.name for arg in outer.args] == ["items", "n"]
        assert outer.args[1].value == 10
        assert [(arg.name, arg.value) for arg in recording.call(2).args] == [
            ("x", "x value that is long")
        ]


def test_the_state_at_entry_has_the_arguments(recording: Recording) -> None:
    with recording:
        outer = recording.call(1)
        assert outer.entry < outer.entered
        assert recording.states.locals(1, outer.entered).keys() == {"items", "n"}
        assert recording.states.plain(outer.args[0].value, outer.entered)[2] == [5]


def test_an_outcome_has_a_kind_and_a_value(recording: Recording) -> None:
    with recording:
        outer, running = recording.call(1), recording.call(3)
        assert (outer.outcome, outer.value) == (Outcome.RETURNED, outer.args[0].value)
        assert (running.outcome, running.value, running.exit) == (Outcome.NONE, UNSET, -1)


def test_yielded_values_and_output_are_part_of_the_key(recording: Recording) -> None:
    with recording:
        outer, inner = recording.call(1), recording.call(2)
        assert [item.value for item in inner.yielded] == [0, 10]
        assert outer.yielded == []
        assert outer.printed == "got 0\ngot 1\n"
        assert [(part.stream, part.text) for part in inner.prints] == [
            ("stderr", "done, with a long text\n")
        ]


def test_the_events_of_a_call_come_in_order(recording: Recording) -> None:
    with recording:
        kinds = recording.call(2).events().events["kind"].tolist()
        assert kinds[:3] == [Kind.CREATE, Kind.START, Kind.LOCAL]
        assert kinds[-1] == Kind.RETURN
