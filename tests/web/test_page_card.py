"""The card of a call: in which order it says what, and what it folds."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once

PROGRAM = '''
RATE = 3
turn = 0

class Cart:
    def __init__(self):
        self.text = "abcdefghi " * 200

    def mark(self, *rest, **more):
        """Mark the text in its middle.

        With the word END.
        """
        global turn
        turn += 1
        print("marked", RATE)
        self.text = self.text[:900] + "END" + self.text[903:]
        return self

def shopping(title):
    return Cart().mark()

shopping(title="x")
'''


@pytest.mark.parametrize("width", [1280, 600])
def test_the_outcome_of_a_call_is_shown_before_what_it_read(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    program = tmp_path / "cart.py"
    program.write_text(PROGRAM)
    trace = recorded(program, tmp_path / "cart.wrongcall")
    with pages.serving(trace) as address:
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(f"{address}?call=5")
        card = page.locator("[data-kind=looked-at] [data-testid=call-card]")
        expect(card.locator("[data-testid=call-title]")).to_contain_text("Cart.mark(self=")
        headings = card.locator(
            "[data-testid=section] > h3, [data-testid=outcome] > h3, [data-testid=section] > summary"
        ).all_inner_texts()
        assert [text.upper() for text in headings] == [
            "GIVEN", "RETURNED", "CHANGED", "PRINTED", "READ", "CONSTANTS (1)",
        ]  # fmt: skip
        # The docstring by its first line; the rest on demand.
        expect(card.locator("[data-testid=doc] summary")).to_have_text(
            "Mark the text in its middle."
        )
        expect(card.locator("[data-testid=doc] pre")).not_to_be_visible()
        card.locator("[data-testid=doc] summary").click()
        expect(card.locator("[data-testid=doc] pre")).to_have_text("With the word END.")
        expect(card.locator("[data-testid=where]")).to_contain_text(
            "called by shopping(title='x') at line 21"
        )
        expect(card.get_by_label("Returned")).to_contain_text("self, the same object")
        # What differs is seen, though both values are long.
        expect(
            card.locator("[data-testid=change]", has_text="self.text").locator("ins")
        ).to_contain_text("END")
        expect(card.get_by_text("RATE")).not_to_be_visible()
        card.get_by_text("Constants (1)").click()
        expect(card.get_by_text("RATE")).to_be_visible()
        page.close()


MANY = """
class Record:
    def __init__(self, title, comment, *others):
        self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h = range(8)
        self.title, self.comment, self.others = title, comment, others

def longest(records, names):
    records[0].title = "changed"
    return sorted([record.title for record in records])[-1] * 3

records = [
    Record(f"the title of a record number {n}", f"a comment on it that is not short {n}", *range(n))
    for n in range(4)
]
longest(records, ["a name that takes quite some columns", "another name that does so, too"] * 2)
"""
WIDTH = (
    "each => each.getBoundingClientRect().width / each.parentElement.getBoundingClientRect().width"
)
BOXES = "all => all.map(each => each.getBoundingClientRect().top)"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Calls with long arguments and many changes, recorded."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.py").write_text(MANY)
    return recorded(folder / "many.py", folder / "many.wrongcall")


def test_long_values_are_not_squeezed_by_what_stands_beside_them(
    open_page: Open, many: Path
) -> None:
    page = open_page("many", path=many)
    pages.search(page, "longest", 1).click()
    pages.settle(page)
    # There is room to open the records; folded, their line says more than the head of a table.
    page.locator("main").get_by_label("Collapse records").click()
    for name in ("records", "names"):
        value = page.locator("main [data-testid=value-pick]", has_text=f"{name} =").first
        assert value.evaluate(WIDTH) > 0.8
    # Pointing at a value shows a button, which does not move anything.
    before = page.locator("main [data-testid=value]").evaluate_all(BOXES)
    page.locator("main [data-testid=value]").first.hover()
    assert page.locator("main [data-testid=value]").evaluate_all(BOXES) == before


def test_many_short_changes_stand_beside_each_other(open_page: Open, many: Path) -> None:
    page = open_page("many", path=many)
    pages.search(page, "Record.__init__", 4).first.click()
    pages.settle(page)
    tops = page.locator('main [data-testid="change-line"]').evaluate_all(BOXES)
    assert len(tops) == 11
    assert len(set(tops)) < 8
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
