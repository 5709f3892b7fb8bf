"""Calls by their values, in slices of time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import recorded
from wrongcall.web import value_search
from wrongcall.web.tree_rows import Wanted, Window
from wrongcall.web.value_search import ValueSearch
from wrongcall.web.workspace import Workspace

PROGRAM = """
def add(a, b):
    return a + b

def greet(name):
    return "hello " + name

for i in range(5):
    add(i, 40)
greet("ann")
"""
ALL = Window(0, 100)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "prog.py").write_text(PROGRAM)
    found = Workspace(recorded(tmp_path / "prog.py", tmp_path / "prog.wrongcall"))
    yield found
    found.close()


def functions(workspace: Workspace, **wanted: str) -> list[str]:
    rows = ValueSearch().data(workspace, Wanted((), **wanted), ALL)  # type: ignore[arg-type]
    assert rows["looked"] == rows["candidates"]
    return [row["function"] for row in rows["rows"]]


def test_arguments_and_outcomes_are_searched(workspace: Workspace) -> None:
    assert functions(workspace, value="43") == ["add"]  # the outcome
    assert functions(workspace, value="a=3") == ["add"]
    assert functions(workspace, value="'ann'") == ["greet"]
    assert functions(workspace, value="b=40") == ["add"] * 5
    assert functions(workspace, value="nowhere") == []


def test_only_calls_of_the_wanted_functions_are_read(workspace: Workspace) -> None:
    search = ValueSearch()
    rows = search.data(workspace, Wanted((), function="greet", value="ann"), ALL)
    assert (rows["candidates"], rows["count"]) == (1, 1)


def test_the_same_request_again_continues_and_another_begins_anew(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.snapshot()
    clock = iter(range(10**6))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    monkeypatch.setattr(value_search, "SLICE_S", 1.5)  # two calls per request
    search, wanted = ValueSearch(), Wanted((), value="b=40")
    looked: list[int] = []
    while not looked or looked[-1] < 7:
        rows = search.data(workspace, wanted, ALL)
        looked.append(rows["looked"])
    assert looked == [2, 4, 6, 7]
    assert rows["count"] == 5
    assert search.data(workspace, Wanted((), value="ann"), ALL)["looked"] == 2


def test_a_request_that_is_late_reads_a_call_all_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_search, "SLICE_S", -1.0)
    search, wanted = ValueSearch(), Wanted((), value="b=40")
    assert [search.data(workspace, wanted, ALL)["looked"] for _ in range(3)] == [1, 2, 3]


def test_a_window_shows_part_of_what_was_found(workspace: Workspace) -> None:
    rows = ValueSearch().data(workspace, Wanted((), value="b=40"), Window(3, 1))
    assert (len(rows["rows"]), rows["count"], rows["first"]) == (1, 5, 3)
