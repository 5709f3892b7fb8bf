"""Searches of the whole run: what is found is what the program did."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace

import pytest

from tests.web.conftest import recorded
from wrongcall.web import contract, run_search
from wrongcall.web.run_search import SLICE_S, RunSearch, searches
from wrongcall.web.workspace import Workspace

PROGRAM = """
def total(prices):
    amount = 0
    for price in prices:
        amount += price
    return amount

def check(amount):
    if amount > 25:
        raise KeyError(amount)

for n in (1, 2, 3):
    print("total", total([10] * n))
try:
    check(30)
except KeyError:
    print("too much")
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The program, recorded and opened."""
    folder = tmp_path_factory.mktemp("search")
    (folder / "sums.py").write_text(PROGRAM)
    opened = Workspace(recorded(folder / "sums.py", folder / "sums.wrongcall"))
    yield opened
    opened.close()


def found(workspace: Workspace, text: str) -> contract.SearchResults:
    """Search until everything is found."""
    search = RunSearch()
    while not (results := search.data(workspace, text))["done"]:
        pass
    return results


def test_a_word_finds_functions_files_and_what_was_printed(workspace: Workspace) -> None:
    results = found(workspace, "total")
    (function,) = results["functions"]
    assert (function["function"], function["calls"]) == ("total", 3)
    assert [match["text"] for match in results["matches"]] == ["total 10", "total 20", "total 30"]
    assert {match["kind"] for match in results["matches"]} == {"printed"}
    assert [file["call"] for file in found(workspace, "sums")["files"]] == [1]


def test_exceptions_values_and_conditions_are_found(workspace: Workspace) -> None:
    raised = found(workspace, "KeyError")["matches"]
    assert [(match["kind"], match["function"]) for match in raised] == [("raised", "check")]
    assert raised[0]["source"] == "raise KeyError(amount)"
    values = found(workspace, "=30")["matches"]
    assert {match["kind"] for match in values} == {"wrote", "returned"}
    assert all(match["value"] == "30" for match in values)
    became = found(workspace, "amount > 15")["matches"]
    assert [match["function"] for match in became] == ["total", "total", "check"]


def test_what_is_wrong_with_a_text_is_told(workspace: Workspace) -> None:
    results = found(workspace, "amount >")
    assert (results["done"], results["matches"]) == (True, [])
    assert "amount >" in results["trouble"]


def test_the_kind_of_search_is_seen_in_the_text() -> None:
    assert searches("= 4") == ["value == 4"]
    assert searches("=") == []
    assert searches("x > 3") == ["x > 3"]
    assert searches("raised KeyError") == ["raised KeyError"]
    assert searches("KeyError") == ["raised KeyError", "printed /KeyError/"]
    assert searches("OutOfStock")[0] == "raised OutOfStock"
    assert searches("a.b") == [r"printed /a\.b/"]


def test_a_search_goes_on_where_the_last_slice_ended(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each look at the clock is a slice later: every request takes one step.
    ticks = count(step=0.6 * SLICE_S)
    monkeypatch.setattr(run_search, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    search, seen = RunSearch(), []
    while not (results := search.data(workspace, "amount > 15"))["done"]:
        seen.append(results["progress"])
    assert seen
    assert seen == sorted(seen)
    assert (results["progress"], results["complete"]) == (1.0, True)
    assert [match["function"] for match in results["matches"]] == ["total", "total", "check"]
