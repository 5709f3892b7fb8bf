"""The source in the browser: what its lines, values and loops lead to. The program is that of the JHyde paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once


def line(page: Page, text: str) -> Locator:
    """Return the first line of the source that has a text."""
    return page.locator(".cm-line", has_text=text).first


def at_the_merge(open_page: Open, expected: str = "nothing") -> Page:
    """Open the merge that is wrong: merge([4, 9], [1, 7]) in three rounds of its first loop."""
    page = open_page("paper_mergesort", expected=expected)
    pages.look_at_the_last_merge(page)
    return page


def test_a_click_on_a_line_lists_its_executions(open_page: Open) -> None:
    page = at_the_merge(open_page)
    line(page, "lc += 1").click()
    rows = page.get_by_test_id("run-row")
    expect(rows).to_have_count(3)
    expect(page.get_by_test_id("runs-count")).to_contain_text("line 16 ran 3 times")
    for n, row in enumerate(rows.all()):
        expect(row).to_contain_text(f"merge #8 · round {n + 1}")
        expect(row).to_contain_text(f"lc = {n}")
    rows.nth(1).get_by_role("button").click()
    pages.settle(page)
    expect(page.locator(".cm-here")).to_contain_text("lc += 1")
    expect(page.get_by_test_id("runs-count")).to_contain_text("this is number 2")
    page.get_by_role("button", name="Next ▶").click()
    expect(page.get_by_test_id("runs-count")).to_contain_text("this is number 3")
    page.get_by_role("button", name="◀ Previous").click()
    expect(page.get_by_test_id("runs-count")).to_contain_text("this is number 2")
    page.get_by_role("button", name="Whole run", exact=True).click()
    # Three merges: of one and one twice, in a round each, and this one.
    expect(page.get_by_test_id("runs-count")).to_contain_text("line 16 ran 5 times")
    expect(rows.first).not_to_contain_text("merge #8")
    pages.shoot(page, "line")


def test_executions_are_stepped_through_from_any_time(open_page: Open) -> None:
    page = at_the_merge(open_page)
    line(page, "lc += 1").click()
    told = page.get_by_test_id("runs-count")
    back, on = page.get_by_text("◀ Previous"), page.get_by_text("Next ▶")
    # No time is selected: the call is shown as of its end, after the third.
    expect(told).to_contain_text("line 16 ran 3 times")
    expect(told).not_to_contain_text("this is number")
    back.click()
    expect(told).to_contain_text("this is number 3")
    expect(on).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    expect(told).not_to_contain_text("this is number")
    on.click()
    expect(told).to_contain_text("this is number 1")
    expect(back).to_have_attribute("aria-disabled", "true")
    # Between two of them, one is before it and one after it.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(".")
    pages.settle(page)
    expect(told).to_contain_text("1 of them before the selected time")
    back.click()
    expect(told).to_contain_text("this is number 1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(".")
    expect(told).to_contain_text("1 of them before the selected time")
    on.click()
    expect(told).to_contain_text("this is number 2")


def test_the_gutter_prints_after_the_fact(open_page: Open) -> None:
    page = at_the_merge(open_page, expected="400 (Bad Request)")
    page.locator(".cm-lineNumbers .cm-gutterElement", has_text="16").first.click()
    field = page.get_by_label("Print at line 16, after the fact")
    expect(field).to_be_focused()
    page.keyboard.type("lc * 10 + la")
    page.keyboard.press("Enter")
    rows = page.get_by_test_id("run-row")
    # What 1 < 4 < 7 < 9 does: b, then a, then b.
    expect(rows).to_have_count(3)
    for row, value in zip(rows.all(), (0, 11, 21), strict=True):
        expect(row).to_contain_text(f"lc * 10 + la = {value}")
    chart = page.get_by_test_id("chart")
    expect(chart.get_by_role("img")).to_have_attribute(
        "aria-label", "lc * 10 + la over time, from 0 to 21"
    )
    # The numbers at its side hide nothing of it.
    numbers, drawn = chart.get_by_text("21").bounding_box(), chart.locator("svg").bounding_box()
    assert numbers is not None
    assert drawn is not None
    assert numbers["x"] + numbers["width"] <= drawn["x"]
    # The selected time is marked in the chart.
    expect(page.get_by_test_id("chart-now")).to_have_count(0)
    rows.nth(1).get_by_role("button").click()
    pages.settle(page)
    expect(page.get_by_test_id("chart-now")).to_have_count(1)
    pages.shoot(page, "print")
    page.reload()
    pages.settle(page)
    expect(rows.nth(2)).to_contain_text("lc * 10 + la = 21")
    field.fill("lc +")
    with page.expect_response(lambda answer: "/runs" in answer.url and answer.status == 400):
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("tab-panel").get_by_role("alert")).to_contain_text("lc +")


def test_pointing_at_a_name_shows_its_value_at_the_selected_time(open_page: Open) -> None:
    page = at_the_merge(open_page)
    box = line(page, "while la < ra and lb < rb").bounding_box()
    assert box is not None
    character = page.evaluate(
        "() => document.querySelector('.cm-content').getBoundingClientRect().width && 7.53"
    )
    page.mouse.move(box["x"] + 6 + 10.5 * character, box["y"] + 9)
    shown = page.locator(".cm-hover")
    expect(shown).to_have_text("la = 2")
    shown.click()
    expect(page.get_by_role("tab", name="History")).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-testid=history-row]").first).to_contain_text("0")


def test_a_loop_is_stepped_round_by_round(open_page: Open) -> None:
    page = at_the_merge(open_page)
    line(page, "lc += 1").click()
    text = page.get_by_test_id("round-text")
    expect(text).to_contain_text("of 3")
    page.get_by_label("Round of the loop at line 9").fill("1")
    expect(text).to_contain_text("round 1 of 3")
    pages.settle(page)
    # 1 comes from b: the branch of a did not run in this round.
    expect(line(page, "c[lc] = b[lb]")).to_have_class("cm-line cm-ran")
    expect(line(page, "c[lc] = a[la]")).to_have_class("cm-line cm-not-run")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("}")
    expect(text).to_contain_text("round 2 of 3")
    pages.settle(page)
    expect(line(page, "c[lc] = a[la]")).to_have_class("cm-line cm-ran")
    expect(line(page, "c[lc] = b[lb]")).to_have_class("cm-line cm-not-run")
    pages.shoot(page, "round")
    page.keyboard.press("{")
    expect(text).to_contain_text("round 1 of 3")
    page.get_by_role("button", name="All rounds").click()
    pages.settle(page)
    assert "since" not in page.url


def test_keys_pressed_before_a_round_is_shown_count(open_page: Open) -> None:
    page = at_the_merge(open_page)
    line(page, "lc += 1").click()
    text = page.get_by_test_id("round-text")
    expect(text).to_contain_text("of 3")
    held: list[Route] = []
    page.route("**/rounds?*", lambda request: held.append(request))
    page.get_by_label("Round of the loop at line 9").fill("1")
    expect(text).to_contain_text("round 1 of 3")
    # The server has not answered yet.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("}")
    expect(text).to_contain_text("round 2 of 3")
    page.keyboard.press("}")
    expect(text).to_contain_text("round 3 of 3")
    page.unroute("**/rounds?*")  # which lets the held ones go on
    pages.settle(page)
    expect(text).to_contain_text("round 3 of 3")
    # In the last round, 7 comes from b.
    expect(line(page, "c[lc] = b[lb]")).to_have_class("cm-line cm-ran")
    expect(line(page, "c[lc] = a[la]")).to_have_class("cm-line cm-not-run")


def test_a_value_beside_a_line_leads_to_where_it_was_written(open_page: Open) -> None:
    page = at_the_merge(open_page)
    page.locator(".cm-value", has_text="c[1] = 4").click()
    pages.settle(page)
    expect(page.get_by_role("tab", name="Origin")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_test_id("picked-place")).to_contain_text("c[1]")
    # 4 is written in main; where it came from is the trail.
    expect(page.get_by_test_id("trail-end")).to_contain_text("4")


def test_text_is_found_in_the_source(open_page: Open) -> None:
    page = at_the_merge(open_page)
    page.get_by_role("button", name="Find", exact=True).click()
    field = page.locator(".cm-search input[name=search]")
    expect(field).to_be_focused()
    page.keyboard.type("distribute(a, b, c, size)")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-searchMatch").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)


LONG_LINES = """
def bill(customers, discount_in_percent):
    names = [customer.upper() + " of the first floor" for customer in customers if customer]
    total_of_everything_before_discount = sum(len(name) * 1000 for name in names)
    total = total_of_everything_before_discount * (100 - discount_in_percent) // 100
    return names, total

bill(["Ann", "Bob", "Cid", "Dora", "Eve", "Fay", "Gil", "Hal"], 10)
"""
TOO_WIDE = """() => [...document.querySelectorAll(".cm-values")].filter(each =>
    each.getBoundingClientRect().right > each.closest(".cm-scroller").getBoundingClientRect().right
).map(each => each.textContent)"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (600, 800)])
def test_values_do_not_run_past_the_edge_of_the_source(
    open_page: Open, tmp_path: Path, size: tuple[int, int]
) -> None:
    (tmp_path / "bill.py").write_text(LONG_LINES)
    trace = recorded(tmp_path / "bill.py", tmp_path / "bill.wrongcall")
    page = open_page("bill", path=trace)
    pages.search(page, "bill", 1).click()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if size[0] < 1000:
        page.get_by_role("button", name="Inside", exact=True).click()
    pages.settle(page)
    expect(page.locator(".cm-values", has_text="total = ").first).to_be_visible()
    assert page.evaluate(TOO_WIDE) == []
    # Also after a splitter was moved.
    if size[0] > 1000:
        page.get_by_role("separator", name="Width of the inside of the call").focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        pages.settle(page)
        page.wait_for_timeout(100)  # the editor measures in the next frame
        assert page.evaluate(TOO_WIDE) == []


RULES = "\n".join(f"    Rule {n} of many." for n in range(40))
DOCUMENTED = f'''
def first():
    """Return nothing."""
    return None

def price(article):
    """Return the price of an article.

{RULES}
    """
    base = len(article)
    return base * 3

first()
price("lamp")
'''


def test_a_long_docstring_does_not_hide_what_ran(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "priced.py").write_text(DOCUMENTED)
    page = open_page("priced", path=recorded(tmp_path / "priced.py", tmp_path / "priced.wrongcall"))
    pages.search(page, "price", 1).click()
    pages.settle(page)
    expect(line(page, "base = len(article)")).to_be_in_viewport()
    expect(line(page, "return base * 3")).to_be_in_viewport()
    # A short one leaves the head of the function in sight.
    pages.search(page, "first", 1).click()
    pages.settle(page)
    expect(line(page, "def first")).to_be_in_viewport()
    expect(line(page, "return None")).to_be_in_viewport()
