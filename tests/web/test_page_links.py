"""The links of the page: from every view to the calls and times that it names, and back."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web import pages
from tests.web.conftest import Open

pytestmark = pytest.mark.once


def test_a_page_with_a_kept_address_goes_on_by_itself(
    browser: Browser, every: dict[str, Path], tmp_path: Path
) -> None:
    copy = Path(shutil.copy(every["mergesort"], tmp_path))
    context = browser.new_context(viewport=pages.SIZE)
    page = context.new_page()
    with pages.serving(copy, "--keep-address") as first:
        page.goto(f"{first}?call=9&t=70")
        pages.settle(page)
    expect(page.get_by_test_id("notice")).to_contain_text("does not answer")
    with pages.serving(copy, "--keep-address") as second:
        assert second == first
        expect(page.get_by_test_id("notice")).to_have_count(0)
        pages.settle(page)
        expect(page.locator("[data-testid=call-title]")).to_contain_text("merge(left=[2]")
        expect(page.locator("[data-testid=slider-text]")).to_contain_text("time 70")
        assert page.url == f"{first}?call=9&t=70"
        pages.tell(page, lambda: page.keyboard.press("y"))
    context.close()


def told(page: Page, key: str) -> None:
    """Press a key that tells the session something."""
    pages.tell(page, lambda: page.keyboard.press(key))


def looked_at(page: Page) -> Locator:
    """Return the title of the call that is looked at, or asked about."""
    return page.locator("main [data-testid=call-title]")


def test_a_card_leads_to_the_caller(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("main [data-testid=where]").get_by_role(
        "button", name="sort(a=[4, 9, 1, 7])"
    ).click()
    expect(looked_at(page)).to_contain_text("sort(")
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_contain_text("sort(")
    expect(page.locator("section[aria-label=Source] header")).to_contain_text("sort #3")


def test_an_event_of_a_call_leads_to_that_call(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.search(page, "sort", 1).click()
    pages.scroll_down(page)
    event = page.locator("[role=option][data-kind=call]", has_text="merge(a=[4, 9, 0, 0]")
    pages.at_rest(page, event).locator("code").click()
    expect(page.locator("[role=option][aria-selected=true][data-kind=call]")).to_be_visible()
    expect(looked_at(page)).to_contain_text("sort(")  # only the time has changed
    pages.at_rest(page, event).get_by_text("#8").click()
    expect(looked_at(page)).to_contain_text("merge(a=[4, 9, 0, 0]")
    page.go_back()
    expect(page.locator("[role=option][aria-selected=true][data-kind=call]")).to_be_visible()
    page.get_by_role("listbox", name="Events").press("Enter")
    expect(looked_at(page)).to_contain_text("merge(a=[4, 9, 0, 0]")


def test_the_bar_of_a_picked_value_leads_to_its_history_and_origin(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    bar = page.get_by_role("group", name="Picked: c[2]")
    bar.get_by_role("button", name="History").click()
    expect(page.get_by_role("tabpanel", name="History")).to_contain_text("c[2] had 4 values")
    bar.get_by_role("button", name="Where from?").click()
    expect(page.get_by_role("tabpanel", name="Origin")).to_contain_text("c[2] is 9")
    page.get_by_role("tab", name="Events").click()
    for name, value in (("Previous change", 9), ("Previous change", 7), ("Next change", 9)):
        page.get_by_role("button", name=name).click()
        expect(page.locator("[role=option][aria-selected=true]")).to_contain_text(f"c[2] = {value}")
    bar.get_by_role("button", name="Clear the picked value").click()
    expect(
        page.locator("[data-testid=picked-bar], [data-testid=picked-place], [data-mark=changed]")
    ).to_have_count(0)


def test_a_copied_link_opens_the_same_call_time_and_selection(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    page.get_by_role("button", name="Previous change").click()
    pages.settle(page)
    time = page.locator("[data-testid=slider-text]").inner_text()
    assert time.startswith("time ")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(link)
    pages.settle(other)
    expect(looked_at(other)).to_contain_text("merge(a=[4, 9, 0, 0]")
    expect(other.locator("[data-testid=slider-text]")).to_have_text(time)
    expect(other.get_by_test_id("picked-place").locator("code")).to_have_text("c[2]")


def test_source_lines_open_in_the_editor_that_is_chosen(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    link = page.get_by_role("link", name="Open in editor")
    expect(link).to_have_attribute("href", re.compile(r"^vscode://file/.*/paper_mergesort\.py:8$"))
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Open source lines in").select_option(
        label="PyCharm and other JetBrains editors"
    )
    page.keyboard.press("Escape")
    address = urlsplit(link.get_attribute("href") or "")
    assert (address.scheme, address.netloc, address.path) == (
        "jetbrains",
        "pycharm",
        "/navigate/reference",
    )
    (path,) = parse_qs(address.query)["path"]
    assert path.endswith("paper_mergesort.py:8")
    page.reload()
    pages.settle(page)
    expect(link).to_have_attribute("href", re.compile("^jetbrains://"))


def test_the_end_of_a_trail_leads_to_who_made_the_value(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    page.keyboard.press("o")
    page.locator("[data-testid=trail-end] button").click()
    expect(looked_at(page)).to_contain_text("main()")
    expect(page.locator(".cm-here")).to_contain_text("a = [4, 9, 1, 7]")


def test_evidence_leads_to_the_calls_that_were_judged(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    page.set_viewport_size({"width": 1280, "height": 1000})  # so that nothing has to scroll
    for text, key in (
        ("sort(numbers=[9])", "y"),
        ("sort(numbers=[3])", "y"),
        ("merge(left=[9]", "y"),
        ("sort(numbers=[9, 3])", "n"),
    ):
        pages.look_at(page, text)
        told(page, key)
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        told(page, "y")
    evidence = page.get_by_role("region", name="Based on these answers")
    evidence.get_by_role("button", name="sort(numbers=[3])").click()
    expect(looked_at(page)).to_contain_text("sort(numbers=[3])")
    page.get_by_role("button", name="← Back").click()
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_be_visible()
    evidence.get_by_role("button", name="sort(numbers=[9, 3])").click()
    expect(
        page.locator("[data-testid=step][data-kind=finding]")
    ).to_be_visible()  # that is what was found


def test_undecided_calls_can_be_inspected(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        told(page, "d")
    undecided = page.get_by_role("region", name="Undecided")
    undecided.get_by_role("button", name="merge(left=[9]").click()
    expect(looked_at(page)).to_contain_text("merge(left=[9], right=[3])")


def test_members_of_a_group_can_be_looked_at(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True)
    while not page.locator("[data-testid=members]").is_visible():
        right = pages.merges_rightly(pages.asked(page), pages.given(page), pages.changed(page))
        told(page, "y" if right else "n")
    member = page.locator("[data-testid=member]").nth(1)
    number = member.locator("[data-testid=call-number]").inner_text()
    member.locator("[data-testid=call-line]").click()
    expect(page.locator("main [data-testid=where]")).to_contain_text(f"call {number}")
    page.keyboard.press("g")
    expect(page.locator("[data-testid=members]")).to_be_visible()


def test_the_picture_of_the_run_is_cut_to_a_call_or_to_the_suspects(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    expect(page.locator("[data-testid=call-title]")).to_contain_text("sort(numbers=[5, 2, 8])")
    told(page, "n")
    shown = page.locator('section[aria-label="The whole run"] header span')
    page.get_by_role("button", name="Suspects").click()
    expect(shown).to_have_text("below #4")
    page.get_by_role("button", name="Whole run").click()
    expect(shown).to_have_text("18 calls")
    picture = page.locator('section[aria-label="The whole run"] canvas')
    pages.settle(page)
    box = picture.bounding_box()
    assert box is not None
    below, levels = 3.5, 6
    picture.dblclick(
        position={"x": box["width"] - 4, "y": below * min(20, box["height"] // levels)}
    )
    page.mouse.move(5, 5)
    expect(shown).to_have_text("below #18")
    expect(looked_at(page)).to_contain_text("merge(left=[2, 5], right=[1])")
