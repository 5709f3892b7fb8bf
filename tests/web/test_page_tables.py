"""The page in a browser: frames, grids and records as tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import Open, recorded

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
    pages.shoot(page, "frame")
