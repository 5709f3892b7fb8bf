"""Which steps of a call changed a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.steps.checks import EXCEPTIONS, check_marks
from tests.trace.conftest import Record
from tests.trace.emitter import Emitter
from wrongcall.events import Kind, SiteKind
from wrongcall.recording import Recording, StepKind

SITES = [
    (SiteKind.ENTRY, 1, 1, None, 0),
    (SiteKind.WRITE, 1, 2, "items", 0),
    (SiteKind.CALL, 1, 3, None, 0),
    (SiteKind.ENTRY, 2, 9, None, 0),
    (SiteKind.ITEM, 2, 10, None, 0),
    (SiteKind.RETURN, 1, 4, None, 0),
]
NAME, CALL, INNER, ITEM, RETURN = 2, 3, 4, 5, 6


@pytest.fixture
def emitter() -> Emitter:
    emitter = Emitter()
    emitter.file(
        [
            {"locals": ["items"], "blocks": [[2, 3, 4]]},
            {"qualname": "g", "entry": INNER, "line": 9, "blocks": [[10]]},
        ],
        SITES,
    )
    return emitter


def _marks(recording: Recording, path: str) -> list[tuple[StepKind, int, bool]]:
    """Kind, line and whether it was inside of a call."""
    steps = list(recording.execution.steps(1).by_time())
    found = recording.places.marks(1, path)
    at = zip(found.at.tolist(), found.inside.tolist(), strict=True)
    return [(steps[i].kind, steps[i].line, inside) for i, inside in at]


def test_a_write_marks_itself_and_one_below_marks_the_call_that_was_made(
    emitter: Emitter, tmp_path: Path
) -> None:
    outer = emitter.enter(1)
    items = emitter.new("list", length=1)
    emitter.item(Kind.ITEM, items, 0, "first", site=NAME, call=outer)
    emitter.local(outer, NAME, items)
    idle = emitter.enter(INNER, outer, CALL)
    emitter.leave(idle)
    inner = emitter.enter(INNER, outer, CALL)
    deeper = emitter.enter(INNER, inner, ITEM)
    emitter.item(Kind.ITEM, items, 0, "second", site=ITEM, call=deeper)
    emitter.item(Kind.ITEM, items, 0, "third", site=ITEM, call=deeper)
    emitter.leave(deeper)
    emitter.leave(inner)
    emitter.leave(outer, site=RETURN)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _marks(recording, "items[0]") == [
            (StepKind.WRITE, 2, False),
            (StepKind.CALL, 3, True),  # once, though it wrote twice
        ]
        assert _marks(recording, "items") == [(StepKind.WRITE, 2, False)]


def test_a_write_after_a_call_ended_is_not_attributed_to_it(
    emitter: Emitter, tmp_path: Path
) -> None:
    outer = emitter.enter(1)
    items = emitter.new("list", length=1)
    emitter.local(outer, NAME, items)
    emitter.leave(emitter.enter(INNER, outer, CALL))
    emitter.item(Kind.ITEM, items, 0, 5, site=NAME, call=outer)
    emitter.leave(outer, site=RETURN)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert _marks(recording, "items[0]") == [(StepKind.WRITE, 2, False)]


def test_marks_of_what_objects_hold_seen_from_any_call(record: Record) -> None:
    recording = record(EXCEPTIONS).recording
    calls = [recording.call(number) for number in range(1, recording.calls.count + 1)]
    by_name = {call.function.name: call for call in reversed(calls)}
    often, user = by_name["often"], by_name["user"]
    places = [(often, "table[-1]"), (often, "quiet.m"), (user, "inner.times"), (user, "big[3]")]
    for call, path in [*places, (user, "big['same']"), (user, "total")]:
        assert check_marks(recording, call, path, call) > 0
        assert check_marks(recording, call, path, calls[0]) > 0
