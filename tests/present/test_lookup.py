"""Calls and times that a user names; a wrong one is answered with what there is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import UsageError
from wrongcall.events import SiteKind
from wrongcall.present.lookup import check_time, find_call


def test_a_call_is_found_by_its_number(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.file([{}], [(SiteKind.ENTRY, 1, 1)])
    calls = [emitter.enter(1) for _ in range(2)]
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        assert [find_call(recording, number).id for number in calls] == [1, 2]
        for number in (0, -1, 3, 10**20):
            with pytest.raises(UsageError) as caught:
                find_call(recording, number)
            assert str(caught.value) == f"there is no call {number}: the trace has calls 1 to 2"


def test_a_trace_without_calls_says_so(tmp_path: Path) -> None:
    emitter = Emitter()
    emitter.new("list")
    with (
        emitter.open(tmp_path / "t.wrongcall") as recording,
        pytest.raises(UsageError, match="there is no call 1: the trace has no calls"),
    ):
        find_call(recording, 1)


@pytest.mark.parametrize("time", [None, 10, 15, 20])
def test_a_time_of_the_call_is_returned(time: int | None) -> None:
    call: Any = SimpleNamespace(id=3, entry=10, last=20)
    assert check_time(call, time) == time


@pytest.mark.parametrize("time", [9, 21, 0, -5])
def test_a_time_outside_the_call_is_refused(time: int) -> None:
    call: Any = SimpleNamespace(id=3, entry=10, last=20)
    with pytest.raises(UsageError, match=f"call 3 has no time {time}: it ran from 10 to 20"):
        check_time(call, time)
