"""Questions and findings of a search, drawn with as much opened as there is room for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.conftest import Record
from tests.session.truth import advanced
from wrongcall.present.lines import Line, text_of
from wrongcall.present.screens.drawing import Drawing
from wrongcall.present.screens.question import Head, Size
from wrongcall.present.text import columns
from wrongcall.session import Finding, Question
from wrongcall.session.search import How, Search

HEAD = Head(1, "about 2 left")
PROGRAM = """
class Table:
    def __init__(self):
        self.rows = [{"id": i, "name": "x" * 20} for i in range(60)]

    def put(self, x):
        self.rows.append(x)

def scan(table, n):
    return [row["id"] for row in table.rows] * n

def main():
    table = Table()
    for i in range(12):
        table.put(i)
    return scan(Table(), 2)

main()
"""


@pytest.fixture
def search(record: Record) -> Iterator[Search]:
    with Search(record(PROGRAM).recording, How()) as search:
        search.assume_wrong()
        yield search


def calls(search: Search, name: str) -> list[int]:
    functions = search.recording.program.functions.values()
    chosen = [function.id for function in functions if function.qualname == name]
    return list(search.recording.calls.of_functions(chosen))


def about(search: Search, *names: str, is_list: bool = False) -> Question:
    """Return a question about all calls of some functions."""
    found = [call for name in names for call in calls(search, name)]
    functions = [search.recording.call(call).function.id for call in found]
    counts = tuple((function, 1) for function in functions)
    return Question(0, tuple(found), None, counts, is_list=is_list)


def texts(lines: list[Line]) -> list[str]:
    return [text_of(line) for line in lines]


@pytest.mark.parametrize("height", [12, 24, 60])
def test_a_question_fits_the_screen_and_uses_it(search: Search, height: int) -> None:
    asked = about(search, "scan")
    shown = texts(Drawing(search).question(asked, HEAD, Size(80, height)))
    assert len(shown) <= max(height, 12)
    assert shown[0].startswith("Question 1 (about 2 left)")
    assert any(line.startswith("  scan(") for line in shown)
    more = texts(Drawing(search).question(asked, HEAD, Size(80, 2 * height)))
    assert len(more) >= len(shown)


def test_an_opened_question_shows_every_part(search: Search) -> None:
    asked = about(search, "scan")
    shown = texts(Drawing(search).question(asked, HEAD, Size(80, 24, detail=1)))
    assert sum("'name':" in line for line in shown) >= 60
    assert not [line for line in shown if "shows all" in line]


def test_a_group_and_a_list_are_told_apart(search: Search) -> None:
    size = Size(80, 24)
    group = texts(Drawing(search).question(about(search, "Table.put"), HEAD, size))
    assert "  12 calls in a row to Table.put" in group
    assert any("more like these" in line for line in group)
    whole = texts(
        Drawing(search).question(about(search, "Table.put"), HEAD, Size(80, 24, detail=1))
    )
    assert not [line for line in whole if "more like these" in line]
    listed = texts(Drawing(search).question(about(search, "Table.put", is_list=True), HEAD, size))
    assert "  12 calls to Table.put; judge each one" in listed


@pytest.mark.parametrize(
    "functions,names",
    [
        (("scan",), "scan"),
        (("scan", "main"), "main and scan"),
        (("scan", "main", "Table.put"), "3 functions"),
    ],
)
def test_functions_are_named_or_counted(
    search: Search, functions: tuple[str, ...], names: str
) -> None:
    assert Drawing(search).names(about(search, *functions)) == names


@pytest.mark.parametrize("detail", [0, 1])
def test_a_finding_is_drawn_folded_and_opened(search: Search, detail: int) -> None:
    (scan,) = calls(search, "scan")
    search.session.judge(scan, "wrong")
    found = advanced(search)
    assert isinstance(found, Finding)
    size = Size(80, 24, detail=detail)
    shown = texts(Drawing(search).finding(found, size))
    assert shown[0].startswith("The bug is in scan  ")
    assert max(map(columns, shown)) <= 80
    assert (sum("'name':" in line for line in shown) >= 60) is bool(detail)
