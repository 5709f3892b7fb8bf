"""The page for everybody: what axe-core finds against WCAG 2.1 A and AA, and the page without a mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import pages
from tests.web.conftest import Open, recorded
from tests.web.test_page_values import PROGRAM, card_of, expand

pytestmark = pytest.mark.once

AXE = pages.ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
NARROW = {"width": 420, "height": 800}
RUN = """async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
    const found = await axe.run(document, { runOnly: tags });
    if (found.passes.length === 0) throw new Error("nothing was checked");
    return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}"""


class Review:
    """What is wrong with a page, by the state in which it was looked at."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.found: dict[str, list[str]] = {}
        page.evaluate(AXE.read_text())

    def look(self, state: str) -> None:
        """Look at the page as it is now."""
        pages.settle(self._page)
        if found := self._page.evaluate(RUN):
            self.found[state] = found


@pytest.fixture(params=["light", "dark"])
def dark(request: pytest.FixtureRequest) -> bool:
    """Whether the colours are dark."""
    return bool(request.param == "dark")


def test_questions_and_findings_are_accessible(open_page: Open, dark: bool) -> None:
    page = open_page("paper_mergesort", answering=True, dark=dark)
    review = Review(page)
    review.look("question")
    page.get_by_role("button", name="More", exact=True).click()
    page.keyboard.press("w")
    page.keyboard.press("e")
    review.look("why, more answers, what was expected")
    page.keyboard.press("Escape")
    page.locator("[aria-keyshortcuts=n]").hover()
    review.look("what an answer takes away")
    while not page.locator("[data-testid=members]").is_visible():
        answer(page)
    review.look("group")
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        answer(page)
    review.look("finding")
    pages.tell(page, page.get_by_role("button", name="That is it").click)
    review.look("confirmed")
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    review.look("finding, narrow")
    assert review.found == {}


def answer(page: Page) -> None:
    """Answer by what is shown; the groups of this run are right."""
    right = page.locator("[data-testid=members]").is_visible() or pages.merges_rightly(
        pages.asked(page), pages.given(page), pages.changed(page)
    )
    pages.tell(
        page, page.locator("[aria-keyshortcuts=y]" if right else "[aria-keyshortcuts=n]").click
    )


def test_a_call_and_its_inside_are_accessible(open_page: Open, dark: bool) -> None:
    page = open_page("paper_mergesort", dark=dark)
    review = Review(page)
    pages.look_at_the_last_merge(page)
    review.look("call")
    page.locator("[data-testid=change]", has_text="c[2]").click()
    for time in ("at its end", "at a change"):
        for tab in ("Events", "Line", "Variables", "History", "Origin", "Output"):
            page.get_by_role("tab", name=tab, exact=True).click()
            review.look(f"{tab}, {time}")
        page.keyboard.press("[")
    page.locator(".cm-line", has_text="lc += 1").first.click()
    page.get_by_label("Print at line").fill("lc * 10")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("chart")).to_be_visible()
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".cm-search")).to_be_visible()
    review.look("line, print, chart, rounds, find")
    page.keyboard.press("Escape")
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    for view in ("Question", "Run", "Inside"):
        page.get_by_role("button", name=view, exact=True).click()
        review.look(f"{view}, narrow")
    assert review.found == {}


def test_views_of_values_are_accessible(open_page: Open, dark: bool, tmp_path: Path) -> None:
    (tmp_path / "values.py").write_text(PROGRAM)
    trace = recorded(tmp_path / "values.py", tmp_path / "recorded.wrongcall")
    page, card = card_of(open_page, trace, "improve", dark=dark)
    review = Review(page)
    expand(page, card.get_by_role("region", name="Changed"), "letter.text")
    expand(page, card.get_by_role("region", name="Changed"), "letter.copies")
    review.look("side by side")
    for function, path, view in (("insert", "root", "Graph"), ("paint", "picture", "Image")):
        pages.search(page, function, 1).click()
        pages.settle(page)
        expand(page, card, path)
        card.get_by_role("group", name=f"Show {path} as").get_by_text(view).click()
        review.look(view)
    pages.search(page, "read", 1).click()
    pages.settle(page)
    expand(page, card, "text")
    card.get_by_label("Search in text").fill("needle")
    review.look("long text")
    pages.search(page, "total", 1).click()
    pages.settle(page)
    page.get_by_role("tab", name="Variables").click()
    review.look("small lines")
    page.get_by_role("button", name="History of sum").click()
    review.look("history with rounds")
    assert review.found == {}


def test_objects_help_searches_and_notices_are_accessible(open_page: Open, dark: bool) -> None:
    page = open_page("shop", answering=True, dark=dark, expected="409 (Conflict)")
    review = Review(page)
    page.keyboard.press("?")
    review.look("help")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    review.look("settings")
    page.keyboard.press("Escape")
    pages.search(page, "Order.add", 2).first.click()
    page.locator("main").get_by_role("button", name="Expand self", exact=True).click()
    review.look("search, objects")
    pages.tell(page, lambda: page.keyboard.press("y"))
    page.locator("[role=treeitem]").first.click()
    page.keyboard.press("n")
    expect(page.locator("[data-testid=notice]")).to_contain_text("contradict")
    review.look("contradiction")
    page.get_by_label("Search calls").fill("no such function")
    expect(page.locator("aside section[aria-label=Calls]")).to_contain_text("No calls match.")
    review.look("search without hits")
    assert review.found == {}


def test_a_list_of_calls_is_accessible(open_page: Open, dark: bool) -> None:
    page = open_page("mergesort", answering=True, dark=dark)
    review = Review(page)
    while not page.locator("[data-testid=member][data-kind=listed]").first.is_visible():
        pages.tell(page, lambda: page.keyboard.press("d"))
    review.look("list")
    assert review.found == {}


# -- without a mouse -------------------------------------------------------------------------------


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus; it is visible wherever it comes by."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            continue  # round the end of the page
        check_focus(page)
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"Tab does not reach {wanted}")


def check_focus(page: Page) -> None:
    """Something has the focus, and that can be seen."""
    shown = page.evaluate(
        """() => {
            const focused = document.activeElement;
            const drawn = focused.closest(".cm-editor") ?? focused;
            const { outlineStyle, outlineWidth } = getComputedStyle(drawn);
            return [focused.localName, outlineStyle, parseFloat(outlineWidth) >= 2];
        }"""
    )
    assert shown[0] != "body"
    assert shown[1:] == ["solid", True], shown


def test_the_bug_is_found_without_a_mouse(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True)
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        right = page.locator("[data-testid=members]").is_visible() or pages.merges_rightly(
            pages.asked(page), pages.given(page), pages.changed(page)
        )
        button = page.locator("[aria-keyshortcuts=y]" if right else "[aria-keyshortcuts=n]")
        tab_to(page, button)
        pages.tell(page, lambda: page.keyboard.press("Enter"))
        check_focus(page)
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in merge"
    )
    expect(page.locator("main")).to_be_focused()  # the button is gone
    tab_to(page, page.locator("[data-testid=where]").get_by_role("button"))  # its caller
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=looked-at]")).to_be_visible()
    check_focus(page)
    tab_to(page, page.get_by_role("button", name="← Back"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="That is it"))
    pages.tell(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator("[data-testid=confirmed]")).to_be_visible()
    check_focus(page)


def test_all_views_work_without_a_mouse(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.settle(page)
    tab_to(page, page.get_by_label("Search calls"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("tree")).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    expect(page.get_by_role("tree")).to_be_focused()
    pages.settle(page)
    tab_to(page, page.locator("[data-testid=change]", has_text="c[2]"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Time in the call"))
    page.keyboard.press("Home")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_attribute("id", "event-0")
    tab_to(page, page.get_by_role("listbox", name="Events"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("[role=option][aria-selected=true]")).not_to_have_attribute("id", "event-0")
    for tab, shown in (
        ("Variables", "a = [4, 9, 0, 0]"),
        ("History", "had 4 values"),
        ("Origin", "written in the source as"),
        ("Output", "[1, 4"),
    ):
        tab_to(page, page.get_by_role("tab", name=tab))
        page.keyboard.press("Enter")
        expect(page.get_by_role("tabpanel", name=tab)).to_contain_text(shown)
        check_focus(page)
    tab_to(page, page.get_by_role("tab", name="History"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("tabpanel").get_by_role("button").nth(1))
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 1, 0, 0], la=1"
    )
    check_focus(page)
    tab_to(page, page.get_by_role("button", name="Clear the picked value").first)
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=picked-bar]")).to_have_count(0)
    check_focus(page)
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    check_focus(page)
