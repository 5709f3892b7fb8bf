"""Events, histories and origins as plain data."""

from __future__ import annotations

import json

from tests.present.conftest import Record
from tests.present.programs import TRAIL
from wrongcall.present.json_shapes import (
    EventData,
    OriginData,
    VersionData,
    event_data,
    origin_data,
    version_data,
)
from wrongcall.recording import EndKind, LinkKind, StepKind


def test_an_event_says_what_happened_where(record: Record) -> None:
    run = record(TRAIL)
    call = run.call("keep").id
    events = [event_data(run.recording, step) for step in run.recording.execution.steps(call)]
    assert all(set(event) == set(EventData.__annotations__) for event in events)
    written = {(e["place"], e["value"], e["line"]) for e in events if e["kind"] is StepKind.WRITE}
    assert ("box['y']", "5", 7) in written
    assert ("box['z']", r"'\x1b[2J'", 10) in written
    (made,) = [event for event in events if event["kind"] is StepKind.CALL]
    assert (made["call"], made["line"]) == (run.call("make").id, 6)
    (branch,) = [event for event in events if event["kind"] is StepKind.BRANCH]
    assert branch["taken"] is True
    assert branch["value"] == ""


def test_a_version_names_its_writer_and_a_removed_place_has_no_value(record: Record) -> None:
    run = record(TRAIL)
    call = run.call("keep").id
    found = run.recording.places.history(call, "box['x']")
    versions = [version_data(run.recording, version) for version in found]
    assert all(set(version) == set(VersionData.__annotations__) for version in versions)
    removed = versions[-2]
    assert (removed["value"], removed["function"], removed["line"]) == (None, "keep", 8)
    assert removed["source"] == 'del box["x"]'
    assert "5" in [version["value"] for version in versions]


def test_an_origin_leads_from_the_place_to_the_expression(record: Record) -> None:
    run = record(TRAIL)
    call = run.call("keep")
    found = origin_data(run.recording, run.recording.places.origin(call.id, "box['y']"))
    assert set(found) == set(OriginData.__annotations__)
    assert (found["value"], found["end"], found["expression"]) == (
        "5",
        EndKind.EXPRESSION,
        "n + 1",
    )
    assert (found["made_by"], found["made_at"]) == (run.call("make").id, 3)
    assert found["operands"] == [{"text": "n", "value": "4"}]
    assert {link["function"] for link in found["links"]} >= {"keep"}
    assert found["links"][0]["place"] == 'box["y"]'
    assert all(isinstance(link["kind"], LinkKind) for link in found["links"])


def test_everything_but_enums_is_plain(record: Record) -> None:
    run = record(TRAIL)
    call = run.call("keep").id
    found = origin_data(run.recording, run.recording.places.origin(call, "box['z']"))
    text = json.dumps(found, default=lambda enum: enum.value)
    assert r"\\x1b[2J" in text
    assert json.loads(text)["value"] == r"'\x1b[2J'"
