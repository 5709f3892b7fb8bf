"""The page in a browser: frames, grids and records as tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import EXAMPLES, Open, recorded

pytestmark = pytest.mark.once

PROGRAM = """
import pandas as pd

class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price

def discount(items):
    items[1].price = items[1].price - 5
    items.append(Item("cup", 7))

def flip(board):
    board[1][2] = "x"
    return board

def grow(frame):
    frame.loc[1, "total"] = 99.0
    return frame

def amount_of(numbers):
    return len(numbers)

def main():
    discount([Item("tea", 30), Item("pot", 25), Item("jug", 9)])
    flip([["." for _ in range(4)] for _ in range(3)])
    grow(pd.DataFrame({"name": ["a", "b", "c"], "total": [1.5, 2.5, 0.5]}))
    amount_of([{"id": i, "square": i * i} for i in range(2000)])

main()
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose calls are given tables."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "tables.py").write_text(PROGRAM)
    return recorded(folder / "tables.py", folder / "tables.wrongcall")


def opened(page: Page, function: str, name: str) -> None:
    """Look at a call and open one of its arguments, unless it is open."""
    pages.search(page, function, 1).click()
    pages.settle(page)
    expand = page.locator("main").get_by_role("button", name=f"Expand {name}", exact=True)
    if expand.count():
        expand.click()
    expect(page.locator("main").get_by_role("table", name=name)).to_be_visible()
    pages.settle(page)


def test_records_are_columns_and_changed_cells_are_marked(open_page: Open, tables: Path) -> None:
    page = open_page("tables", path=tables)
    opened(page, "discount", "items")
    table = page.locator("main").get_by_role("table", name="items")
    expect(table.get_by_role("columnheader", name="price")).to_be_visible()
    marked = table.locator("[data-changed=true]")
    expect(marked).to_have_count(1)
    expect(marked).to_have_text("25, became 20")
    pages.shoot(page, "records")
    marked.get_by_role("button").click()
    expect(page.get_by_test_id("picked-place")).to_contain_text("items[1].price")


def test_a_click_on_a_head_sorts_the_table(open_page: Open, tables: Path) -> None:
    page = open_page("tables", path=tables)
    opened(page, "amount_of", "numbers")
    table = page.locator("main").get_by_role("table", name="numbers")
    head = table.get_by_role("columnheader", name="square")
    expect(head).to_have_attribute("aria-sort", "none")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "descending")
    expect(table.get_by_test_id("table-row").first).to_contain_text("3996001")
    head.get_by_role("button").click()
    expect(table.get_by_test_id("table-row").first).to_contain_text("00")
    # It has a row for each of 2,000 elements, of which only those in sight are drawn.
    expect(table).to_have_attribute("aria-rowcount", "2001")
    assert table.get_by_test_id("table-row").count() < 100


def test_a_list_of_lists_is_a_grid(open_page: Open, tables: Path) -> None:
    page = open_page("tables", path=tables)
    opened(page, "flip", "board")
    table = page.locator("main").get_by_role("table", name="board")
    expect(table.get_by_test_id("table-row")).to_have_count(3)
    expect(table.locator("[data-changed=true]")).to_have_text("., became x")
    page.locator("main").get_by_role("group", name="Show board as").get_by_text("List").click()
    expect(table).to_have_count(0)


def test_a_frame_is_a_table(open_page: Open, tables: Path) -> None:
    page = open_page("tables", path=tables)
    opened(page, "grow", "frame")
    table = page.locator("main").get_by_role("table", name="frame")
    expect(table.get_by_role("columnheader", name="total")).to_contain_text("float64")
    expect(table.locator("[data-changed=true]")).to_have_text("2.5, became 99.0")
    # What pandas keeps in it is no graph that anybody looks for.
    choice = page.locator("main").get_by_role("group", name="Show frame as").get_by_role("button")
    expect(choice).to_have_text(["Table", "List"])
    pages.shoot(page, "frame")


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An everyday program with frames, recorded."""
    return recorded(EXAMPLES / "sales.py", tmp_path_factory.mktemp("sales") / "sales.wrongcall")


@pytest.mark.parametrize("size", [(600, 800), (1280, 860), (1920, 1080)])
def test_a_frame_is_opened_in_as_many_rows_as_there_is_room_for(
    open_page: Open, sales: Path, size: tuple[int, int]
) -> None:
    page = open_page("sales", path=sales)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if size[0] > 1000:
        pages.search(page, "corrected", 1).click()
    pages.settle(page)
    card = page.locator("main")
    outcome = card.get_by_test_id("outcome")
    expect(outcome.get_by_role("table")).to_be_visible()
    # Its line says what it is, once.
    expect(outcome.get_by_text("DataFrame", exact=False)).to_have_count(1)
    expect(outcome.get_by_test_id("table-row").nth(2)).to_be_visible()
    # It fills the panel, and no more.
    body = card.get_by_test_id("call-card").locator("xpath=..")
    assert body.evaluate("body => body.scrollHeight <= body.clientHeight")
    foot = outcome.get_by_text("rows, 5 columns")
    expect(foot).to_be_in_viewport(ratio=1)


def test_the_source_shows_a_frame_not_what_its_library_keeps_in_it(
    open_page: Open, sales: Path
) -> None:
    page = open_page("sales", path=sales)
    pages.search(page, "add_totals", 1).click()
    pages.settle(page)
    values = page.locator(".cm-values")
    expect(values).to_have_count(2)
    expect(values.last).to_contain_text("orders = DataFrame 6x8 [")
    expect(values.last).not_to_contain_text("_mgr")
