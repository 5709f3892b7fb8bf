"""A line for the page: its executions and rounds are those of the program, which notes them itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import wrongcall.recording
from tests.web.conftest import recorded
from wrongcall.errors import UsageError
from wrongcall.recording import Recording
from wrongcall.web.line_json import Runs, evaluated_data, rounds_data, runs_data

PROGRAM = """
def total(prices):
    amount = 0
    for price in prices:
        for part in range(2):
            amount += price
    return amount

def main():
    for n in range(3):
        print(total([10, 20][:n]))

main()
"""
LINE = 6
"""amount += price"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """The program, recorded."""
    folder = tmp_path_factory.mktemp("lines")
    (folder / "sums.py").write_text(PROGRAM)
    trace = recorded(folder / "sums.py", folder / "sums.wrongcall")
    with wrongcall.recording.open(trace) as opened:
        yield opened


def expected() -> list[tuple[int, int, int]]:
    """Return round, amount and price right before each execution of the line."""
    noted = []
    for n in range(3):
        amount = 0
        for price in [10, 20][:n]:
            for part in range(2):
                noted.append((part + 1, amount, price))
                amount += price
    return noted


def file_of(recording: Recording) -> int:
    """Return the number of the program's file."""
    (file,) = recording.program.files
    return file


def test_executions_of_a_line_have_its_variables(recording: Recording) -> None:
    found = runs_data(recording, Runs(file_of(recording), LINE))
    assert found["expressions"] == ["amount", "price"]
    shown = [(run["round"], *map(int, run["values"])) for run in found["runs"]]
    assert shown == expected()
    assert found["count"] == len(expected())
    assert {run["function"] for run in found["runs"]} == {"total"}


def test_an_expression_is_evaluated_at_each_and_drawn_as_numbers(recording: Recording) -> None:
    asked = Runs(file_of(recording), LINE, "amount / 4 + price")
    found = runs_data(recording, asked)
    wanted = [amount / 4 + price for _, amount, price in expected()]
    assert [run["numbers"] for run in found["runs"]] == [[number] for number in wanted]
    texts = runs_data(recording, Runs(file_of(recording), LINE, "str(price)"))
    assert [run["numbers"] for run in texts["runs"]] == [[None]] * len(wanted)


def test_some_are_taken_and_the_one_at_a_time_is_found(recording: Recording) -> None:
    every = runs_data(recording, Runs(file_of(recording), LINE))["runs"]
    some = runs_data(recording, Runs(file_of(recording), LINE, first=1, count=2, every=2))
    assert some["runs"] == [every[1], every[3]]
    at = every[4]
    found = runs_data(recording, Runs(file_of(recording), LINE, call=at["call"], time=at["time"]))
    assert found["index"] == 4
    inside = runs_data(recording, Runs(file_of(recording), LINE, below=at["call"]))
    assert inside["runs"] == [run for run in every if run["call"] == at["call"]]


def test_a_line_without_statement_is_refused(recording: Recording) -> None:
    with pytest.raises(UsageError, match="no statement begins at line 1 "):
        runs_data(recording, Runs(file_of(recording), 1))
    with pytest.raises(UsageError, match="there is no file 99"):
        runs_data(recording, Runs(99, LINE))


def test_rounds_are_found_by_time_and_by_number(recording: Recording) -> None:
    last = runs_data(recording, Runs(file_of(recording), LINE))["runs"][-1]
    call = last["call"]
    inner = rounds_data(recording, call, LINE, last["time"], 0)
    assert (inner["header"], inner["last"], inner["round"], inner["count"]) == (5, 6, 2, 2)
    assert inner["start"] <= last["time"] <= inner["end"]
    first = rounds_data(recording, call, LINE, last["time"], 1)
    assert (first["round"], first["end"] < inner["start"]) == (1, True)
    outer = rounds_data(recording, call, 4, last["time"], 0)
    assert (outer["round"], outer["count"]) == (2, 2)
    assert rounds_data(recording, call, 3, None, 0)["header"] == 0


def test_an_expression_is_evaluated_at_a_time(recording: Recording) -> None:
    at = runs_data(recording, Runs(file_of(recording), LINE))["runs"][3]
    found = evaluated_data(recording, at["call"], "prices[0] + 1", at["time"])
    assert (found["text"], found["known"]) == ("11", True)
    assert not evaluated_data(recording, at["call"], "nothing", at["time"])["known"]
