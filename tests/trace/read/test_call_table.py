from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.recording import Outcome, Recording
from wrongcall.trace.write.writer import TraceWriter


def described() -> Emitter:
    emitter = Emitter()
    sites = [(SiteKind.ENTRY, 1, 1), (SiteKind.CALL, 1, 2), (SiteKind.ENTRY, 2, 5)]
    emitter.file([{"qualname": "outer"}, {"qualname": "inner", "entry": 3}], sites)
    return emitter


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["call", "return", "raise", "drop", "again"]), max_size=40))
def test_the_columns_tell_what_happened(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    emitter = described()
    stack, expected = [0], dict[int, list[int]]()
    kinds = {"return": Kind.RETURN, "raise": Kind.RAISE, "drop": Kind.DROP, "again": Kind.RETURN}
    outcomes = {"return": 1, "raise": 2, "drop": 3, "again": 1}
    for i, step in enumerate(steps):
        if step == "call":
            call = emitter.enter(1 + 2 * (i % 2), stack[-1], caller=2)
            expected[call] = [stack[-1], 1 + i % 2, emitter.now, -1, 0, 0]
            stack.append(call)
        elif len(stack) > 1:
            expected[stack[-1]][3:] = [emitter.leave(stack[-1], i, kind=kinds[step]), 0, i]
            expected[stack[-1]][4] = outcomes[step]
            if step != "again":
                stack.pop()
    with emitter.open(tmp_path_factory.mktemp("calls") / "t.wrongcall") as recording:
        calls = recording.calls.columns()
        columns = (
            calls.parent,
            calls.function,
            calls.entry,
            calls.exit,
            calls.outcome,
            calls.value,
        )
        found = np.array(columns).T.tolist()
        assert dict(zip(calls.id.tolist(), found, strict=True)) == expected
        for parent in [0, *expected]:
            children = [call for call, row in expected.items() if row[0] == parent]
            assert calls.children(parent).tolist() == children
            left = [c for c in children if expected[c][4] in (Outcome.RAISED, Outcome.DROPPED)]
            assert calls.left_children(parent).tolist() == left


def test_the_caller_is_a_site_or_a_line(tmp_path: Path) -> None:
    emitter = described()
    emitter.enter(1, caller=2, thread=3)
    emitter.enter(1, caller=1 << 31 | 44, thread=65_000)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        calls = recording.calls.columns()
        assert calls.caller_site.tolist() == [2, 0]
        assert calls.caller_line.tolist() == [0, 44]
        assert calls.thread.tolist() == [3, 65_000]
        assert [recording.call(call).caller_line for call in (1, 2)] == [2, 44]


def test_the_columns_grow_with_the_trace(tmp_path: Path) -> None:
    events = streams.fibonacci(23)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    with Recording(tmp_path / "t.wrongcall") as recording:
        for begin in range(0, len(events), 40_000):
            writer.add(events[begin : begin + 40_000], b"")
            writer.flush()
            recording.refresh()
            known = events[: begin + 40_000]
            calls = recording.calls.columns()
            assert len(calls) == np.count_nonzero(known["kind"] == Kind.ENTER)
            completed = np.count_nonzero(known["kind"] == Kind.RETURN)
            assert np.count_nonzero(calls.exit >= 0) == completed
        whole = Recording(tmp_path / "t.wrongcall")
        assert whole.calls.columns().exit.tolist() == calls.exit.tolist()
        assert whole.calls.columns() is whole.calls.columns()
        whole.close()
    writer.close("exit")


def test_an_end_without_a_beginning_is_ignored(tmp_path: Path) -> None:
    emitter = described()
    emitter.enter(1)
    emitter.leave(99)
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert recording.calls.columns().outcome.tolist() == [Outcome.NONE]


def test_a_call_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with described().open(tmp_path / "t.wrongcall") as recording:
        with pytest.raises(TraceError, match="there is no call 3"):
            recording.call(3)
        assert len(recording.calls.columns()) == 0


def test_ids_that_do_not_rise_are_an_error(tmp_path: Path) -> None:
    emitter = described()
    for call in (2, 1):
        emitter.event(Kind.ENTER, call=call, site=1, key=(Tag.INT, 0))
    with (
        emitter.open(tmp_path / "t.wrongcall") as recording,
        pytest.raises(TraceError, match="do not rise"),
    ):
        recording.calls.columns()


def test_parents_of_many_calls_are_those_of_each(tmp_path: Path) -> None:
    events = streams.fibonacci(22)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        assert len(recording._store.segments.index.count) > 1
        table, chance = recording.calls._table, np.random.default_rng(3)
        calls = chance.integers(1, recording.calls.count + 1, 500)
        parents, functions = table.parents(calls)
        begun = [table.begun(call) for call in calls.tolist()]
        assert parents.tolist() == [each.parent for each in begun]
        assert functions.tolist() == [each.function for each in begun]
        assert table.parents(np.empty(0, np.int64))[0].tolist() == []
        for missing in (0, recording.calls.count + 1):
            with pytest.raises(TraceError, match=f"there is no call {missing}"):
                table.parents(np.array([1, missing]))
