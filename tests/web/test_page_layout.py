"""The layout of the page: panels that are resized, what is open, the first visit, the finding's source."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once


def width(part: Locator) -> float:
    """Return how wide an element is, in pixels."""
    box = part.bounding_box()
    assert box is not None
    return box["width"]


def drag(page: Page, bar: Locator, x: int, y: int) -> None:
    """Drag a splitter by some pixels."""
    box = bar.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y, steps=4)
    page.mouse.up()


def test_panels_are_resized_by_mouse_and_keys_and_remembered(open_page: Open) -> None:
    page = open_page("mergesort")
    run, inside = page.locator("aside").first, page.locator("aside").last
    usual = width(run), width(inside)
    drag(page, page.get_by_role("separator", name="Width of the run"), 80, 0)
    page.get_by_role("separator", name="Width of the inside of the call").focus()
    page.keyboard.press("ArrowLeft")
    for _ in ("now", "after reloading"):
        assert width(run) == pytest.approx(usual[0] + 80, abs=2)
        assert width(inside) == pytest.approx(usual[1] + 24, abs=2)
        page.reload()
        pages.settle(page)
    source = page.get_by_test_id("source-panel")
    before = source.bounding_box()
    drag(page, page.get_by_role("separator", name="Height of the source"), 0, -60)
    after = source.bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] == pytest.approx(before["height"] - 60, abs=3)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Restore the usual sizes").click()
    assert (width(run), width(inside)) == pytest.approx(usual, abs=1)


def test_the_first_visit_says_what_to_do_until_the_first_answer(open_page: Open) -> None:
    page = open_page("mergesort", answering=True, first_visit=True)
    told = page.get_by_test_id("first-visit")
    expect(told).to_contain_text("Is the result correct for these arguments? Answer y or n.")
    pages.tell(page, lambda: page.keyboard.press("n"))
    expect(told).to_have_count(0)
    page.reload()
    pages.settle(page)
    expect(told).to_have_count(0)


def test_escape_closes_what_is_open_one_after_the_other(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    expect(page.locator("[data-testid=picked-bar]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=picked-bar]")).to_have_count(0)
    expect(page.locator("[data-kind=looked-at]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=step][data-kind=question]")).to_be_visible()
    page.keyboard.press("w")
    expect(page.locator("[data-testid=why]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-testid=why]")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (600, 800)])
def test_a_finding_shows_its_statement_in_the_middle_at_every_width(
    open_page: Open, size: tuple[int, int]
) -> None:
    page = open_page("shop", answering=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(page.url.split("?")[0] + "?call=13")
    pages.settle(page)
    expect(page.locator("[data-testid=call-title]")).to_contain_text("discount(amount=100)")
    page.locator("main [data-testid=outcome] [data-testid=value-pick]").click()
    pages.tell(page, lambda: page.keyboard.press("p"))
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_contain_text("discount")
    pages.settle(page)
    marked = page.locator("main .cm-here")
    expect(marked).to_be_visible()
    expect(marked).to_contain_text("return 0")
    opened = page.locator("main").get_by_role("link", name="Open in editor")
    href = opened.get_attribute("href") or ""
    assert href.startswith("vscode://file/")
    assert "shop.py:" in href
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_what_is_loaded_to_show_a_question_is_small(open_page: Open) -> None:
    page = open_page("mergesort")
    loaded: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.url.split("?")[0].endswith((".js", ".css", ".html", "/")):
            loaded[response.url] = len(gzip.compress(response.body()))

    page.on("response", note)
    page.reload()
    pages.settle(page)
    assert len(loaded) >= 3
    assert sum(loaded.values()) < 400_000


# Runs in the page: the visible buttons as their accessible name, what can be read on them, and whether that fits.
BUTTONS = """() => [...document.querySelectorAll("button")]
    .filter(button => button.checkVisibility({ visibilityProperty: true }))
    .map(button => [
        button.ariaLabel ?? button.innerText,
        button.innerText,
        button.scrollWidth <= button.clientWidth + 1,
    ])"""
ARROWS = ("Expand", "Collapse", "Where ")
"""Triangles that unfold, and the arrow beside a value, which says where it leads while it is pointed at."""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (600, 800)])
def test_buttons_have_words(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    page.locator(".cm-line", has_text="lc += 1").click()
    expect(page.get_by_test_id("rounds")).to_be_visible()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    views = page.get_by_role("navigation", name="Views").get_by_role("button")
    shown = [view.inner_text() for view in views.all() if view.is_visible()]
    buttons = []
    for view in shown or [""]:
        if view:
            views.filter(has_text=view).click()
        pages.settle(page)
        buttons += page.evaluate(BUTTONS)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    names = {name for name, _, _ in buttons}
    assert {"Step back", "Next round", "Previous change", "Clear the picked value"} <= names
    mute = {name for name, text, _ in buttons if not re.search("[A-Za-z0-9]", text)}
    assert [name for name in mute if not name.startswith(ARROWS)] == []
    labelled = [each for each in buttons if not each[0].startswith(ARROWS)]
    for name, text, fits in labelled:
        # Who speaks to the page says what can be read.
        word = max(re.findall("[A-Za-z]+", text), key=len, default="")
        assert word.lower() in name.lower()
        assert fits, name


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (600, 800)])
def test_short_values_stand_on_one_line(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    pages.settle(page)
    given = page.get_by_role("region", name="Given").get_by_test_id("value")
    boxes = [value.bounding_box() for value in given.all()]
    assert len(boxes) == 8
    assert max(box["height"] for box in boxes if box) < 30  # two lines have 38


def test_the_arrow_beside_a_value_says_where_it_leads(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    arrow = page.locator("main").get_by_role("button", name="Where c[2] was made")
    said = arrow.get_by_text("go to where it was made")
    expect(said).to_be_hidden()
    change = page.locator("[data-testid=change]", has_text="c[2]")
    change.scroll_into_view_if_needed()
    before = change.bounding_box()
    arrow.hover()
    expect(said).to_be_visible()
    assert change.bounding_box() == before
    page.mouse.move(5, 5)
    expect(said).to_be_hidden()
    arrow.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(said).to_be_visible()


MANY_LOCALS = """
class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price
        self.tags = []

def total(items):
    first = items[0]
    a = b = c = d = e = f = g = h = 1
    return sum(item.price for item in items)

total([Item("an article with quite a long name number " + str(n), n) for n in range(8)])
"""


def test_what_is_folded_opens_where_there_is_room_and_follows_the_window(
    open_page: Open, tmp_path: Path
) -> None:
    (tmp_path / "items.py").write_text(MANY_LOCALS)
    page = open_page("items", path=recorded(tmp_path / "items.py", tmp_path / "items.wrongcall"))
    pages.search(page, "total", 1).click()
    pages.settle(page)
    variables = page.locator("main details", has_text="Local variables")
    expect(variables).not_to_have_attribute("open", "")
    page.set_viewport_size({"width": 1920, "height": 1080})
    pages.settle(page)
    expect(variables).to_have_attribute("open", "")
    expect(page.locator("main").get_by_role("table").first).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(variables).not_to_have_attribute("open", "")
    # Picking a value takes room, and folds nothing.
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect(variables).to_have_attribute("open", "")
    page.locator("main [data-testid=outcome] [data-testid=value-pick]").click()
    expect(page.get_by_test_id("picked-bar")).to_be_visible()
    expect(variables).to_have_attribute("open", "")


def test_rows_of_a_deep_tree_leave_room_for_their_text(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "deep.py").write_text("def deep(n):\n    return n and deep(n - 1)\n\ndeep(40)\n")
    page = open_page("deep", path=recorded(tmp_path / "deep.py", tmp_path / "deep.wrongcall"))
    page.get_by_role("tree").evaluate("tree => { tree.scrollTop = tree.scrollHeight; }")
    pages.settle(page)
    row = page.locator("[role=treeitem]").last
    indent = float(row.evaluate("row => parseFloat(getComputedStyle(row).paddingLeft)"))
    assert indent < 0.35 * width(page.locator("aside").first)
