"""The main views on an everyday program, in wide, usual and narrow windows, light and dark: nothing is cut off.

With `make gallery`, these are the pictures of the gallery that show a width.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.web import pages
from tests.web.conftest import EXAMPLES, Open, recorded
from tests.web.test_page_access import Review

pytestmark = pytest.mark.once

SIZES: dict[str, ViewportSize] = {
    "1280": {"width": 1280, "height": 720},
    "1920": {"width": 1920, "height": 1080},
    "600": {"width": 600, "height": 800},
}

# What can be clicked in heads and bars is in the window, and its text is whole.
CUT_OFF = """() => [...document.querySelectorAll("header button, nav button, fieldset button, [role=tab], header a")]
    .filter(each => each.checkVisibility() && !each.closest("[aria-label=Callers]"))
    .filter(each => {
        const box = each.getBoundingClientRect();
        const seen = box.left >= -1 && box.right <= innerWidth + 1;
        const panel = each.closest("section, aside, main")?.getBoundingClientRect();
        const inPanel = !panel || (box.left >= panel.left - 1 && box.right <= panel.right + 1);
        return !seen || !inPanel || each.scrollWidth > each.clientWidth + 1;
    }).map(each => each.textContent)"""
FITS = "document.documentElement.scrollWidth <= innerWidth"


class Views:
    """Looks at views of a page in one size: nothing is cut off, axe-core finds nothing, a picture is taken."""

    def __init__(self, page: Page, size: str, dark: bool) -> None:
        self._page = page
        self._suffix = size + ("-dark" if dark else "")
        page.set_viewport_size(SIZES[size])
        pages.settle(page)
        self._review = Review(page)
        self.faults: dict[str, object] = {}

    def look(self, name: str, *, shoot: bool = False) -> None:
        """Look at the page as it is."""
        self._review.look(name)
        if cut := self._page.evaluate(CUT_OFF):
            self.faults[f"{name}: cut off"] = cut
        if not self._page.evaluate(FITS):
            self.faults[f"{name}: wider than the window"] = True
        if shoot:
            pages.shoot(self._page, f"{name}-{self._suffix}")

    def found(self) -> dict[str, object]:
        """Return everything that is wrong."""
        return {**self.faults, **self._review.found}


@pytest.fixture(scope="module")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An everyday program with a bug, recorded."""
    folder = tmp_path_factory.mktemp("inventory")
    return recorded(EXAMPLES / "inventory.py", folder / "inventory.wrongcall")


@pytest.fixture(scope="module")
def found_bug(inventory: Path) -> Iterator[str]:
    """The same run, searched from the wrong call on, which made no others."""
    copy = inventory.with_name("found.wrongcall")
    shutil.copy(inventory, copy)
    with pages.serving(copy, "--call", "put_back", "--to", "call") as address:
        yield address


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_cut_off_at_any_width(
    open_page: Open, inventory: Path, found_bug: str, size: str, dark: bool
) -> None:
    page = open_page("inventory", path=inventory, dark=dark)
    views = Views(page, size, dark)
    views.look("question", shoot=True)
    if size == "600":
        for view in ("Run", "Inside"):
            page.get_by_role("button", name=view, exact=True).click()
            views.look(f"question, {view}")
        page.get_by_role("button", name="Run", exact=True).click()
    pages.search(page, "put_back", 1).click()
    pages.settle(page)
    if size == "600":
        page.get_by_role("button", name="Inside", exact=True).click()
    views.look("inside", shoot=not dark)
    page.goto(found_bug)
    pages.settle(page)
    views = Views(page, size, dark)
    expect(page.locator("[data-kind=finding] h1")).to_contain_text("put_back")
    expect(page.locator("main [data-testid=source-panel] .cm-line").first).to_be_visible()
    views.look("finding", shoot=True)
    page.keyboard.press("Control+k")
    page.get_by_label("Search the run").fill("quantity > 4")
    expect(page.locator("[data-result]").first).to_be_visible()
    views.look("search")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    views.look("settings")
    assert views.found() == {}


@pytest.mark.skipif(
    not os.environ.get("WRONGCALL_GALLERY"), reason="it is about what `make gallery` made"
)
def test_the_gallery_is_small() -> None:
    made = sum(picture.stat().st_size for picture in pages.GALLERY.glob("*.png"))
    assert made < 8_000_000
