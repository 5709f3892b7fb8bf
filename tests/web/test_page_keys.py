"""The keys of the page: what each does, at the ends too, and when they must do nothing."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web import pages
from tests.web.conftest import Open

pytestmark = pytest.mark.once


def press(page: Page, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def told(page: Page, key: str) -> None:
    """Press a key that tells the session something."""
    pages.tell(page, lambda: page.keyboard.press(key))


# -- answers ---------------------------------------------------------------------------------------


def test_e_records_the_expected_value(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    pages.search(page, "merge", 5).first.click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("merge(left=[2], right=[8])")
    press(page, "e")
    field = page.get_by_label("It should have been")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page.keyboard.type("ypsilon")
    press(page, "Escape")
    expect(field).to_have_count(0)
    press(page, "e")
    page.keyboard.type("[2, 8]")
    told(page, "Enter")
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in merge"
    )
    expect(page.get_by_role("region", name="It should have been")).to_contain_text("[2, 8]")


@pytest.mark.parametrize(
    "key, status",
    [("t", "trusted"), ("T", "trusted"), ("i", "invalid call")],
)
def test_t_and_i_say_more_about_a_call(open_page: Open, key: str, status: str) -> None:
    page = open_page("mergesort", answering=True)
    expect(page.locator("[data-testid=call-title]")).to_contain_text("sort(numbers=[5, 2, 8])")
    told(page, key)
    expect(page.locator("[role=treeitem]").nth(3).locator("[data-testid=sign]")).to_have_attribute(
        "aria-label", status
    )
    merge = page.locator("[role=treeitem]", has_text="merge(left=[9]").locator("[data-testid=sign]")
    # Only its module takes the other function along.
    expect(merge).to_have_attribute("aria-label", "trusted" if key == "T" else "suspect")


def test_p_says_that_the_picked_part_is_wrong(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True)
    pages.look_at_the_last_merge(page)
    before = pages.version(page)
    press(page, "p")  # nothing is picked
    page.locator("[data-testid=change]", has_text="c[2]").click()
    expect(page.get_by_role("button", name="c[2] is wrong")).to_be_visible()
    assert pages.version(page) == before
    told(page, "p")
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in merge"
    )
    expect(page.get_by_role("region", name="Based on these answers")).to_contain_text(
        "this part is wrong: c[2]"
    )


def test_d_skips_a_question_and_u_undoes(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    title = page.locator("[data-testid=call-title] code")
    first = title.inner_text()
    before = pages.version(page)
    press(page, "u")  # there is no answer
    told(page, "d")
    assert int(pages.version(page)) == int(before) + 1
    expect(title).not_to_have_text(first)
    told(page, "u")
    expect(title).to_have_text(first)


def test_a_key_that_is_held_down_answers_once(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    pages.tell(page, lambda: page.keyboard.down("y"))
    page.keyboard.down("y")  # again: it is held
    page.keyboard.up("y")
    told(page, "d")
    verdicts = [json.loads(text)["verdict"] for text in sent if "verdict" in text]
    assert verdicts == ["right", "dont_know"]


def test_a_call_that_is_not_shown_yet_is_not_judged(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    held: list[Route] = []
    page.route(re.compile(r"/api/calls/\d+(\?|$)"), lambda route: held.append(route))
    pages.row_of(page, "merge(left=[5]").click()
    # What was shown stays, marked as out of date.
    expect(page.locator("main [aria-busy=true]")).to_be_visible()
    press(page, "y", "n", "d", "e")
    expect(page.get_by_label("It should have been")).to_have_count(0)
    page.wait_for_timeout(100)
    assert not [url for url in sent if "/session/" in url]
    held[0].continue_()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("merge(left=[5]")
    told(page, "y")


def test_keys_do_nothing_behind_the_help(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    before = int(pages.version(page))
    press(page, "?")
    expect(page.locator("dialog")).to_be_visible()
    press(page, "y", "Escape")
    expect(page.locator("dialog")).to_have_count(0)
    told(page, "d")
    assert int(pages.version(page)) == before + 1


def test_escape_closes_notices(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True, expected="409 (Conflict)")
    pages.look_at_the_last_merge(page)
    told(page, "y")
    pages.look_at_the_last_merge(page)
    press(page, "n")
    expect(page.locator("[data-testid=notice]")).to_contain_text("contradict")
    press(page, "Escape")
    expect(page.locator("[data-testid=notice]")).to_have_count(0)


# -- views -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key, tab",
    [("m", "Events"), ("x", "Variables"), ("h", "History"), ("o", "Origin"), ("O", "Output")],
)
@pytest.mark.parametrize("width", [1280, 420])
def test_a_key_opens_a_tab_in_any_window(open_page: Open, key: str, tab: str, width: int) -> None:
    page = open_page("paper_mergesort")
    page.set_viewport_size({"width": width, "height": 720})
    press(page, "x" if key == "m" else "m", "g", key)
    expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()


def test_g_goes_back_to_the_question(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    press(page, ".", "g")
    expect(page.locator("[data-testid=step][data-kind=question]")).to_be_visible()
    expect(page.locator("[data-testid=picked-bar], [data-testid=picked-place]")).to_have_count(0)
    expect(page.locator("[data-testid=slider-text]")).to_contain_text("at its end")


@pytest.mark.parametrize("width", [1280, 420])
def test_slash_searches_and_enter_goes_to_what_is_found(open_page: Open, width: int) -> None:
    page = open_page("paper_mergesort")
    page.set_viewport_size({"width": width, "height": 720})
    press(page, "/")
    expect(page.get_by_label("Search calls")).to_be_focused()
    page.keyboard.type("merge")
    expect(page.locator("[role=treeitem]")).to_have_count(3)
    press(page, "Enter")
    expect(page.get_by_role("tree")).to_be_focused()
    press(page, "ArrowDown", "ArrowDown", "Enter")
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    press(page, "/", "Escape")
    expect(page.get_by_label("Search calls")).to_have_value("")
    expect(page.get_by_role("tree")).to_be_focused()
    expect(page.locator("[role=treeitem]")).to_have_count(9)


def expect_active(page: Page, index: int) -> None:
    """Expect that the keyboard is at a row of the tree."""
    row = page.locator("[role=treeitem]").nth(index).get_attribute("id") or ""
    expect(page.get_by_role("tree")).to_have_attribute("aria-activedescendant", row)


def test_arrows_go_through_the_tree(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(9)
    page.get_by_role("tree").focus()
    press(page, "End", "ArrowDown")
    expect_active(page, 8)
    press(page, "ArrowLeft")
    expect_active(page, 2)  # its caller
    press(page, "ArrowLeft")
    expect(rows).to_have_count(3)
    press(page, "ArrowLeft", "ArrowLeft", "ArrowLeft")
    expect(rows).to_have_count(2)
    press(page, "Home", "ArrowUp")
    expect_active(page, 0)


def test_the_tree_selection_is_kept_when_a_question_arrives(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(9)
    # The answer that says where the question is in the tree comes late.
    held: list[Route] = []
    page.route("**/api/path?*", lambda route: held.append(route))
    page.reload()
    expect(rows).to_have_count(9)
    page.get_by_role("tree").focus()
    press(page, "End")
    expect_active(page, 8)
    with page.expect_response("**/api/rows") as answered:
        for route in held:
            route.continue_()
    answered.value.finished()
    page.wait_for_timeout(200)
    expect_active(page, 8)


# -- time ------------------------------------------------------------------------------------------


def test_comma_and_point_stop_at_the_ends(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    events = page.locator("[role=option]")
    expect(events.first).to_be_visible()
    press(page, ".")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_attribute("id", "event-0")
    press(page, ",")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_attribute("id", "event-0")
    page.get_by_label("Time in the call").press("End")
    expect(page.locator("[data-testid=slider-text]")).to_contain_text("at its end")
    press(page, ",")
    expect(
        page.locator("[role=option][aria-selected=true] [data-testid=event-text]")
    ).to_contain_text("return")
    last = page.locator("[role=option][aria-selected=true]").get_attribute("id") or ""
    press(page, ".")
    expect(page.locator("[role=option][aria-selected=true]")).to_have_attribute("id", last)


def test_every_press_of_the_point_is_a_step(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    expect(page.locator("[role=option]").first).to_be_visible()
    times = page.locator("[role=option] [data-testid=event-time]").all_inner_texts()
    steps = list(dict.fromkeys(times))
    press(page, *["."] * 9)
    expect(page.locator("[role=option][aria-selected=true] [data-testid=event-time]")).to_have_text(
        steps[8]
    )


def test_brackets_stop_at_the_first_and_last_change(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    chosen = page.locator("[role=option][aria-selected=true]")
    expect(page.locator("[data-testid=picked-place]")).to_contain_text("changed by 2 events")
    press(page, "[")
    expect(chosen).to_contain_text("c[2] = 9")  # from the end
    press(page, "]")
    expect(chosen).to_contain_text("c[2] = 9")
    press(page, "[", "[")
    expect(chosen).to_contain_text("c[2] = 7")
