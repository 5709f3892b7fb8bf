"""Histories as the page asks for them: filters, and series of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import recorded
from wrongcall import recording
from wrongcall.recording import Call, Recording
from wrongcall.web.call_json import Cache, Window
from wrongcall.web.history_json import MOST_POINTS, history_data, series_data

PROGRAM = """
def work(n):
    total, name, flag = 0, "x", True
    for i in range(n):
        total += i
        name = name + "y"
        flag = not flag
    return total
work(5)
work(400)
"""
ALL = Window(0, 500)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Recording]:
    (tmp_path / "work.py").write_text(PROGRAM)
    with recording.open(recorded(tmp_path / "work.py", tmp_path / "work.wrongcall")) as found:
        yield found


def calls(opened: Recording) -> list[Call]:
    every = (opened.call(int(number)) for number in opened.calls.columns().id)
    return [call for call in every if call.function.qualname == "work"]


def test_a_filter_leaves_the_matching_values(opened: Recording) -> None:
    call = calls(opened)[0].id
    whole = history_data(opened, Cache(), call, "total", None, ALL)
    assert [v["value"] for v in whole["versions"]] == ["0", "0", "1", "3", "6", "10"]
    assert (whole["columns"], whole["searched"]) == (["i", "round"], 0)
    some = history_data(opened, Cache(), call, "total", None, ALL, "i = 3")
    assert [(v["value"], v["rounds"]) for v in some["versions"]] == [("6", ["3", "4"])]
    assert (some["count"], some["searched"], some["index"]) == (1, 6, -1)
    part = history_data(opened, Cache(), call, "total", None, Window(1, 1), "total +=")
    assert ([v["value"] for v in part["versions"]], part["count"]) == (["1"], 5)


def test_series_are_the_numbers_of_variables_up_to_a_time(opened: Recording) -> None:
    short, long = calls(opened)
    series = {each["name"]: each for each in series_data(opened, short.id, None)["series"]}
    assert sorted(series) == ["i", "total"]
    assert [y for _, y in series["total"]["points"]] == [0, 0, 1, 3, 6, 10]
    middle = series["total"]["points"][3][0]
    earlier = {s["name"]: s for s in series_data(opened, short.id, middle)["series"]}
    assert [y for _, y in earlier["total"]["points"]] == [0, 0, 1, 3]
    many = {each["name"]: each for each in series_data(opened, long.id, None)["series"]}
    points = many["total"]["points"]
    assert many["total"]["count"] == 401
    assert len(points) <= MOST_POINTS + 1
    assert points[-1][1] == sum(range(400))
    assert points == sorted(points)
