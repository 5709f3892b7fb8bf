"""Two calls side by side in the browser: pin one, go to another, see what differs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import Open
from tests.web.test_page_access import Review

pytestmark = pytest.mark.once


def compare(page: Page, first: str, second: str) -> None:
    """Pin a call, and compare another one with it."""
    pages.look_at(page, first)
    page.get_by_role("button", name="Pin to compare").click()
    expect(page.locator("[role=treeitem]", has_text="pinned")).to_have_count(1)
    pages.look_at(page, second)
    page.get_by_role("button", name=re.compile("Compare with")).click()
    expect(page.get_by_role("table", name="Two calls side by side")).to_be_visible()
    pages.settle(page)


@pytest.mark.parametrize("dark", [False, True])
def test_two_calls_are_compared_with_their_differences_marked(open_page: Open, dark: bool) -> None:
    page = open_page("mergesort", dark=dark)
    review = Review(page)
    rows = page.locator("[role=treeitem]", has_text="merge(")
    first, second = rows.nth(0).inner_text(), rows.nth(1).inner_text()
    titles = [re.search(r"merge\(.*?\)", text) for text in (first, second)]
    assert titles[0]
    assert titles[1]
    compare(page, titles[0][0], titles[1][0])
    table = page.get_by_role("table", name="Two calls side by side")
    expect(table.get_by_role("columnheader")).to_contain_text(
        ["What is compared", titles[0][0], titles[1][0]]
    )
    different = table.locator("[data-testid=compared-row][data-same=false]")
    shown = page.locator("[data-kind=compared] h1").inner_text()
    assert shown.startswith(f"{different.count()} difference")
    expect(table.get_by_role("row", name=re.compile("Given left"))).to_be_visible()
    expect(different.locator("mark").first).to_be_visible()
    review.look("two calls side by side")
    pages.shoot(page, "compare-dark" if dark else "compare")
    page.get_by_label("Only what differs").check()
    expect(table.locator("[data-same=true]")).to_have_count(0)
    page.reload()  # a comparison has an address
    pages.settle(page)
    expect(table).to_be_visible()
    page.keyboard.press("Escape")
    expect(table).to_have_count(0)
    expect(page.locator("[data-kind=looked-at]")).to_be_visible()
    page.get_by_role("button", name="Unpin").click()
    expect(page.get_by_role("button", name="Pin to compare")).to_be_visible()
    assert review.found == {}


def test_another_call_in_the_tree_is_compared_at_once(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.get_by_role("button", name="Pin to compare").click()
    page.locator("[role=treeitem]").nth(1).click()
    page.get_by_role("button", name=re.compile("Compare with")).click()
    heading = page.locator("[data-kind=compared] [class]", has_text="Calls #").first
    expect(heading).to_be_visible()
    page.locator("[role=treeitem]").nth(2).click()
    table = page.get_by_role("table", name="Two calls side by side")
    pages.settle(page)
    third = page.locator("[role=treeitem][aria-selected=true]").inner_text()
    name = re.search(r"\w+\(", third)
    assert name
    expect(table.get_by_role("columnheader").last).to_contain_text(name[0])
    table.get_by_role("columnheader").last.get_by_role("button").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(name[0])
