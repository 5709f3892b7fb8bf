"""Queries about calls."""

from __future__ import annotations

import pytest

import wrongcall.recording
from tests.recording.conftest import Record
from tests.recording.small_run import SmallRun
from wrongcall.errors import TraceError


def test_calls_are_counted_and_found_by_number(small_run: SmallRun) -> None:
    calls = small_run.recording.calls
    assert calls.count == 2
    assert calls.get(small_run.work).function.qualname == "work"
    assert calls.get(small_run.work).parent == calls.get(small_run.module)
    with pytest.raises(TraceError, match="no call 3"):
        calls.get(3)


def test_columns_have_a_row_for_each_call(small_run: SmallRun) -> None:
    columns = small_run.recording.calls.columns()
    assert columns.id.tolist() == [1, 2]
    assert columns.parent.tolist() == [0, 1]
    assert columns.function.tolist() == [small_run.module_function, small_run.work_function]
    assert columns.exit.tolist() == [small_run.last, small_run.returned]


def test_roots_are_the_calls_that_nobody_made(small_run: SmallRun) -> None:
    assert [call.id for call in small_run.recording.calls.roots()] == [small_run.module]


def test_roots_are_the_same_if_all_calls_are_in_memory(record: Record) -> None:
    run = record(
        """
        import threading

        def work():
            pass

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        work()
        """
    )
    with wrongcall.recording.open(run.recording.path) as found:
        from_tables = [call.id for call in found.calls.roots()]
    with wrongcall.recording.open(run.recording.path) as found:
        found.calls.columns()
        assert [call.id for call in found.calls.roots()] == from_tables
    assert from_tables == [1, *(call.id for call in run.calls("work")[:3])]


def test_calls_of_functions_may_be_looked_for_below_one(small_run: SmallRun) -> None:
    of = small_run.recording.calls.of_functions
    assert list(of([small_run.work_function])) == [small_run.work]
    assert list(of([small_run.work_function], below=small_run.module)) == [small_run.work]
    assert list(of([small_run.module_function], below=small_run.module)) == []
    assert list(of([])) == []
