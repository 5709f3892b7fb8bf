"""Where the program was at a time."""

from __future__ import annotations

from pathlib import Path

from tests.trace.emitter import Emitter
from wrongcall.events import SITE_LINE, Kind, SiteKind
from wrongcall.replay.position import NOWHERE, Position

SITES = [(SiteKind.ENTRY, 1, 1), (SiteKind.WRITE, 1, 4, "x")]


def test_a_first_sight_has_the_position_of_the_event_after_it(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{}], SITES)
    call = emitter.enter(1)
    seen = emitter.now + 1
    items = emitter.new("list")
    written = emitter.local(call, 2, items)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        where = Position(written, call, 2, 4)
        assert recording.places.position(seen) == where
        assert recording.places.position(written) == where


def test_a_line_may_stand_instead_of_a_site(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{}], SITES)
    call = emitter.enter(1)
    time = emitter.event(Kind.PRINT, call=call, site=SITE_LINE | 30)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.places.position(time) == Position(time, call, SITE_LINE | 30, 30)


def test_after_the_last_event_of_any_call_nothing_is_known(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{}], SITES)
    emitter.leave(emitter.enter(1))
    emitter.new("list")
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.places.position(emitter.now) == NOWHERE
