"""The page in a browser, with a slow server: what a panel showed stays, with a mark, until the new content is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web import pages
from tests.web.conftest import Open
from tests.web.test_page_compare import compare

pytestmark = pytest.mark.once
BLANK = "[data-kind=loading], [data-testid=waiting]"


@contextmanager
def waiting(page: Page) -> Iterator[list[Route]]:
    """Let no request about the run be answered; afterwards, let all of them go on."""
    held: list[Route] = []
    pattern = re.compile(r"/api/(calls|files|rows|path|icicle|compare|titles)")
    page.route(pattern, lambda route: held.append(route))
    yield held
    page.unroute(pattern)  # which lets the held ones go on


def stays(page: Page, panel: Locator, act: Callable[[], None], *, busy: Locator) -> None:
    """Do something that changes a panel: nothing is blank meanwhile, and the panel is marked."""
    pages.settle(page)
    before = shown(panel)
    assert before.strip()
    with waiting(page) as held:
        act()
        while not held:  # what is typed is not asked at once
            page.wait_for_timeout(20)
        expect(busy).to_have_attribute("aria-busy", "true")
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
        assert shown(panel) == before
        assert panel.locator(BLANK).count() == 0
    pages.settle(page)
    assert shown(panel) != before


def shown(panel: Locator) -> str:
    """Return the text of a panel; found calls have nothing to fold, whatever is found."""
    return panel.inner_text().replace("▾\n", "")


def details(page: Page) -> tuple[Locator, Locator]:
    return page.get_by_test_id("tab-panel"), page.locator("section[aria-label=Details]")


@pytest.mark.parametrize("tab", ["Events", "Variables"])
def test_details_stay_until_those_of_another_call_are_there(open_page: Open, tab: str) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]", has_text="merge(")
    rows.nth(0).click()
    page.get_by_role("tab", name=tab).click()
    panel, busy = details(page)
    stays(page, panel, lambda: rows.nth(2).click(), busy=busy)


def test_the_source_and_the_middle_stay(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]", has_text="merge(")
    rows.nth(0).click()
    source = page.get_by_test_id("source-panel")
    stays(page, source, rows.nth(1).click, busy=source)
    middle = page.locator("main [aria-busy]").first
    stays(page, middle, rows.nth(2).click, busy=middle)


@pytest.mark.parametrize("tab", ["History", "Origin"])
def test_a_place_stays_until_the_next_one_is_there(open_page: Open, tab: str) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    values = page.locator('main section[aria-label="Given"] [data-testid=value-pick]')
    values.nth(0).click()
    page.get_by_role("tab", name=tab).click()
    panel, busy = details(page)
    if tab == "Origin":  # some of what it depended on opens by itself
        expect(panel).to_contain_text("line 36 · sort #3 · passed")
    stays(page, panel, values.nth(1).click, busy=busy)


def test_the_tree_stays_until_the_calls_are_found(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    tree = page.get_by_role("tree")
    calls = page.locator("aside section[aria-label=Calls]")
    search = page.get_by_label("Search calls")
    stays(page, tree, lambda: search.fill("merge"), busy=calls)


def test_the_picture_stays_until_it_is_drawn_anew(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    picture = page.locator("section[aria-label='The whole run']")
    pages.settle(page)
    boxes = picture.locator("canvas, svg").first
    before = boxes.screenshot()
    with waiting(page) as held:
        picture.get_by_role("radio", name="time").or_(
            picture.get_by_role("button", name=re.compile("time", re.IGNORECASE))
        ).first.click()
        while not held:
            page.wait_for_timeout(20)
        expect(picture).to_have_attribute("aria-busy", "true")
        assert boxes.screenshot() == before


def test_a_comparison_stays(open_page: Open) -> None:
    page = open_page("mergesort")
    rows = page.locator("[role=treeitem]", has_text="merge(")
    titles = [re.search(r"merge\(.*?\)", text) for text in rows.all_inner_texts()]
    first, second, third = (title[0] for title in titles[:3] if title)
    compare(page, first, second)
    table = page.get_by_role("table", name="Two calls side by side")
    busy = page.locator("[data-kind=compared] [aria-busy]")
    stays(page, table, lambda: pages.row_of(page, third).click(), busy=busy)
