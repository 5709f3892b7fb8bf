"""The page in a browser: the spaces in values, printed lines and paths are all there, in every view."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once

PROGRAM = """
class Sheet:
    def __init__(self):
        self.title = "no   title"
        self.rows = [{"name": "a   row", "size": 1}, {"name": "b   row", "size": 2}]

def column(text, width):
    padded = text + "   |"
    return padded

def write(sheet, title):
    sheet.title = title
    sheet.rows[1]["name"] = title + "   row"
    print(title + "   printed")
    return sheet

def main():
    columns = []
    for text in ("one   column", "two   columns", "all   columns"):
        columns.append(column(text, 9))
    sheet = write(Sheet(), "a   title")
    return write(sheet, "another   title")

main()
"""

# Runs in the page: the texts with several spaces in a row of which only one is shown.
SQUEEZED = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const parent = text.parentElement;
        if (!/\\S {3}\\S/.test(text.data) || !parent.checkVisibility()) continue;
        if (parent.getBoundingClientRect().width <= 1) continue; // which is only heard
        const start = text.data.search(/ {3}/);
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, start + 3);
        const wide = [...range.getClientRects()].reduce((sum, box) => sum + box.width, 0);
        range.setEnd(text, start + 1);
        const narrow = [...range.getClientRects()].reduce((sum, box) => sum + box.width, 0);
        window.looked = (window.looked ?? 0) + 1;
        // A line may be broken after them: then they take no room at all.
        if (wide > 0 && wide < 2.5 * narrow) found.push(text.data);
    }
    return found;
}"""


def squeezed(page: Page) -> list[str]:
    """Return the texts whose spaces are not all shown, of what can be seen; there must be some with spaces."""
    pages.settle(page)
    page.evaluate("window.looked = 0")
    found: list[str] = page.evaluate(SQUEEZED)
    assert page.evaluate("window.looked") > 0
    return found


@pytest.fixture(scope="module")
def spaced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose values have several spaces in a row."""
    folder = tmp_path_factory.mktemp("spaced")
    (folder / "spaced.py").write_text(PROGRAM)
    return recorded(folder / "spaced.py", folder / "spaced.wrongcall")


def test_spaces_in_values_are_all_shown(open_page: Open, spaced: Path) -> None:
    page = open_page("spaced", path=spaced)
    faults = {"question": squeezed(page)}
    pages.search(page, "write", 2).last.click()
    faults["a call, its source and its events"] = squeezed(page)
    for place in ("sheet", "sheet.rows"):
        expand = page.locator("main").get_by_role("button", name=f"Expand {place}", exact=True)
        if expand.count():
            expand.first.click()
            pages.settle(page)
    faults["a table"] = squeezed(page)
    changed = page.locator("main").get_by_role("region", name="Changed")
    changed.get_by_test_id("change").first.click()
    for tab in ("History", "Origin", "Variables", "Output"):
        page.get_by_role("tab", name=tab).click()
        faults[tab] = squeezed(page)
    page.locator(".cm-line", has_text="sheet.title = title").click()
    faults["a line"] = squeezed(page)
    page.get_by_role("button", name="Pin to compare").click()
    pages.search(page, "write", 2).first.click()
    page.get_by_role("button", name="Compare with").click()
    faults["a comparison"] = squeezed(page)
    page.keyboard.press("Escape")
    page.get_by_label("Search the run").fill("title   printed")
    page.get_by_test_id("search-state").get_by_text("match").wait_for()
    page.get_by_label("Search the run").fill("='another   title'")
    faults["the search"] = squeezed(page)
    assert {view: texts for view, texts in faults.items() if texts} == {}


def test_spaces_in_a_list_of_calls_are_all_shown(open_page: Open, spaced: Path) -> None:
    page = open_page("spaced", path=spaced)
    pages.search(page, "column", 3).first.click()
    assert squeezed(page) == []
