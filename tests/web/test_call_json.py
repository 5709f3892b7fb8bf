"""What the page can ask about one call."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import UsageError
from wrongcall.recording import Recording
from wrongcall.web import call_json
from wrongcall.web.call_json import (
    MAX_ITEMS,
    Cache,
    Window,
    call_data,
    events_data,
    file_data,
    marks_data,
    output_data,
    parts_data,
    source_data,
    time_of,
    title_data,
    trail_data,
    variables_data,
)
from wrongcall.web.history_json import history_data
from wrongcall.web.workspace import Workspace

MERGE = 8
ALL = Window(0, 10**6)


@pytest.fixture
def workspace(traces: dict[str, Path], tmp_path: Path) -> Iterator[Workspace]:
    """The merge sort of the JHyde paper."""
    found = Workspace(Path(shutil.copy(traces["paper_mergesort"], tmp_path / "p.wrongcall")))
    yield found
    found.close()


@pytest.fixture
def recording(workspace: Workspace) -> Recording:
    return workspace.recording


def test_what_a_call_did_is_put_together_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = call_data(workspace, MERGE)
    with monkeypatch.context() as patched:
        patched.delattr(call_json, "question")
        workspace.change(lambda search: search.session.judge(MERGE, "wrong"))
        again = call_data(workspace, MERGE)
    assert (first.status.value, again.status.value) == ("suspect", "wrong")
    assert replace(again, status=first.status) == first


# -- windows and caches ----------------------------------------------------------------------------


@given(st.lists(st.integers(0, 50)).map(sorted), st.none() | st.integers(0, 60))
def test_the_index_is_that_of_the_last_item_at_a_time(times: list[int], time: int | None) -> None:
    index = Window(0, 1, time).index(times)
    if time is None:
        assert index == len(times) - 1
    else:
        assert index == max(sum(each <= time for each in times) - 1, 0)


def test_a_window_is_never_larger_than_an_answer_may_be() -> None:
    assert list(range(10**6))[Window(5, 10**9).part] == list(range(5, 5 + MAX_ITEMS))
    assert list(range(10))[Window(8, 5).part] == [8, 9]


# -- calls -----------------------------------------------------------------------------------------


def test_a_call_says_what_is_known_about_it(workspace: Workspace) -> None:
    data = call_data(workspace, MERGE)
    assert [change.place for change in data.changed] == ["c[0]", "c[1]", "c[2]"]
    assert (data.changed_count, data.calls_below, data.called_by_program) == (3, 0, False)
    assert call_data(workspace, 2).called_by_program
    assert call_data(workspace, 2).calls_below == 6


def test_a_title_is_one_line(workspace: Workspace) -> None:
    title = title_data(workspace, 3)
    assert (title.call, title.title, title.outcome) == (3, "sort(a=[4, 9, 1, 7])", "-> None")
    assert title.completed


@pytest.mark.parametrize("number", [0, 9, 10**14])
def test_an_unknown_call_is_refused(workspace: Workspace, number: int) -> None:
    with pytest.raises(UsageError, match=f"there is no call {number}: the trace has calls 1 to 8"):
        call_data(workspace, number)


def test_without_a_time_it_is_the_last_of_the_call(recording: Recording) -> None:
    call = recording.call(MERGE)
    assert time_of(call, None) == call.last
    assert time_of(call, call.entry) == call.entry
    with pytest.raises(UsageError, match=f"call {MERGE} has no time 0"):
        time_of(call, 0)


# -- values ----------------------------------------------------------------------------------------


def test_variables_are_those_of_the_call_and_of_its_module(recording: Recording) -> None:
    call = recording.call(MERGE)
    late, early = (variables_data(recording, MERGE, time) for time in (None, call.entry))
    assert {node.label: node.summary for node in late["variables"]}["c"] == "[1, 4, 9, 7]"
    assert late["time"] == call.last
    assert "lb" not in {node.label for node in early["variables"]} or early["time"] < late["time"]
    names = {node.label for node in late["globals"]}
    assert "merge" in names
    assert not [name for name in names if name.startswith("__")]


def test_parts_of_an_object_are_as_of_a_time(recording: Recording) -> None:
    call = recording.call(MERGE)
    held = next(
        node for node in variables_data(recording, MERGE, None)["variables"] if node.label == "c"
    )
    now = parts_data(recording, held.object, call.last, 1, 2)
    assert [(part.label, part.summary) for part in now["parts"]] == [("[1]", "4"), ("[2]", "9")]
    before = parts_data(recording, held.object, call.entry, 0, 10**9)
    assert len(before["parts"]) == 4
    for time in (-1, recording.event_count):
        with pytest.raises(UsageError, match=f"there is no time {time}"):
            parts_data(recording, held.object, time, 0, 1)


# -- events, histories, origins --------------------------------------------------------------------


def test_events_have_an_index_and_neighbours(recording: Recording) -> None:
    whole = events_data(recording, MERGE, ALL)
    assert whole["count"] == len(whole["events"])
    middle = whole["events"][5]["time"]
    part = events_data(recording, MERGE, Window(4, 3, middle))
    assert part["events"] == whole["events"][4:7]
    assert whole["events"][part["index"]]["time"] == middle


def test_an_event_that_is_a_call_shows_it(recording: Recording) -> None:
    made = [e for e in events_data(recording, 3, ALL)["events"] if e["call"]]
    assert made[-1]["value"].startswith("merge(a=[4, 9, 0, 0], ")
    assert made[-1]["value"].endswith(" -> None")


def test_history_marks_and_origin_agree_on_the_last_write(recording: Recording) -> None:
    history = history_data(recording, Cache(), MERGE, "c[2]", None, ALL)
    last = history["versions"][-1]
    assert (last["value"], last["function"], history["index"]) == ("9", "merge", 3)
    marks = marks_data(recording, MERGE, "c[2]", None, MERGE)
    assert last["time"] in [time for _, time, how in marks["marks"] if how == "changed"]
    origin = trail_data(recording, MERGE, "c[2]", None)
    assert (origin["value"], origin["links"][0]["time"]) == ("9", last["time"])


def test_a_change_made_by_a_call_below_is_inside(recording: Recording) -> None:
    marks = marks_data(recording, MERGE, "c[2]", None, 3)
    assert {how for _, _, how in marks["marks"]} == {"inside"}


# -- text ------------------------------------------------------------------------------------------


def test_source_has_what_was_executed_by_a_time(recording: Recording) -> None:
    call = recording.call(MERGE)
    late, early = (source_data(recording, MERGE, time) for time in (None, call.entry))
    assert (late["function"], late["line"], late["time"]) == ("merge", 0, call.last)
    assert early["line"] == call.function.line
    executed = [sum(line.executed for line in each["lines"]) for each in (early, late)]
    assert executed[0] < executed[1]


def test_a_file_is_served_as_it_was(recording: Recording) -> None:
    number = recording.call(MERGE).function.file
    data = file_data(recording, number)
    assert data["path"].endswith("paper_mergesort.py")
    assert data["lines"] == recording.program.files[number].source.splitlines()
    with pytest.raises(UsageError, match="there is no file 99"):
        file_data(recording, 99)


def test_output_has_the_calls_that_printed_it(recording: Recording) -> None:
    data = output_data(recording, Cache(), Window(0, 10, 0))
    assert [line["text"] for line in data["lines"]] == ["[1, 4, 9, 7]"]
    assert (data["count"], data["index"]) == (1, 0)
    assert recording.call(data["lines"][0]["call"]).function.name == "main"
