"""The page in a real browser: questions, views, links between them, and who must not get in."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web import pages
from tests.web.conftest import EXAMPLES, Open, recorded

pytestmark = pytest.mark.once


def test_mergesort_is_judged_by_what_is_shown(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    pages.shoot(page, "question")
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        listed = pages.members(page)
        calls = listed or [(pages.asked(page), pages.given(page), pages.returned(page))]
        right = all(pages.sorts_rightly(*call) for call in calls)
        pages.tell(page, lambda key="y" if right else "n": page.keyboard.press(key))  # type: ignore[misc]
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in merge"
    )
    expect(page.locator("[data-testid=progress]")).to_contain_text("1 of 18 calls suspect")
    pages.shoot(page, "finding")
    pages.tell(page, lambda: page.keyboard.press("y"))
    expect(page.locator("[data-testid=confirmed]")).to_be_visible()


def test_paper_mergesort_is_judged_by_what_is_shown(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True, dark=True)
    pages.shoot(page, "question-dark")
    for _ in range(10):
        if not page.locator("[data-testid=step][data-kind=question]").is_visible():
            break
        if page.locator("[data-testid=members]").is_visible():
            pages.shoot(page, "group-dark")
            right = True  # both merge lists of one element
            expect(page.locator("[data-testid=member]")).to_have_count(2)
        else:
            shown = pages.given(page), pages.changed(page)
            right = pages.merges_rightly(pages.asked(page), *shown)
        button = page.locator("[aria-keyshortcuts=y]" if right else "[aria-keyshortcuts=n]")
        pages.tell(page, button.click)
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in merge"
    )
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_contain_text(
        "Based on these answers"
    )
    pages.shoot(page, "finding-dark")
    with page.expect_download() as download:
        page.get_by_role("group", name="Report").get_by_role("link", name="md").click()
    assert download.value.suggested_filename == "wrongcall-report.md"
    text = Path(download.value.path()).read_text()
    assert "# The bug is in merge (examples/paper\\_mergesort.py:8)" in text
    pages.tell(page, page.get_by_role("button", name="Find another bug").click)
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_have_count(0)


def test_the_shop_is_debugged_by_pointing_at_what_is_wrong(open_page: Open) -> None:
    page = open_page("shop", answering=True)
    pages.search(page, "settle", 1).click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("settle(")
    expect(page.locator("main [data-testid=outcome] [data-testid=summary]")).to_have_text("100")
    page.locator("main [data-testid=outcome] [data-testid=value-pick]").click()
    pages.shoot(page, "this-part")
    pages.tell(page, page.get_by_role("button", name="result is wrong").click)
    # Made in settle itself: its calls are asked.
    while page.locator("[data-testid=step][data-kind=question]").is_visible():
        wrong = pages.asked(page) == "discount"
        pages.tell(page, lambda key="n" if wrong else "y": page.keyboard.press(key))  # type: ignore[misc]
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in discount"
    )


def test_an_answer_counts_as_soon_as_the_question_is_there(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)

    def late(route: Route) -> None:
        answer = route.fetch()
        page.wait_for_timeout(500)  # the stream of changes is faster
        route.fulfill(response=answer)

    page.route("**/session/answer", late)
    pages.tell(page, lambda: page.keyboard.press("n"))
    expect(page.locator("[data-testid=call-title]")).not_to_contain_text("[5, 2, 8]")
    pages.tell(page, lambda: page.keyboard.press("y"))


def test_values_of_the_program_are_never_html(open_page: Open) -> None:
    page = open_page("shop")
    pages.search(page, "main", 1).click()
    expect(page.locator("[data-testid=printed]")).to_contain_text(
        "<script>window.hacked=1</script> <b onmouse"
    )
    for tab in ("Variables", "Events"):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("[data-testid=tab-panel]")).to_contain_text("Order")
    pages.search(page, "Item.__init__", 2).nth(1).click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("<img src=x onerror")
    page.locator("[role=treeitem]").first.hover()
    assert page.evaluate("window.hacked") is None
    assert (
        page.locator("#root script, #root img:not(.cm-widgetBuffer), #root b[onmouseover]").count()
        == 0
    )


def test_the_browser_refuses_what_is_not_of_the_page(open_page: Open) -> None:
    page = open_page("shop", expected="requires 'TrustedHTML'")
    # What an injection would do, had there been one.
    refused = page.evaluate(
        """() => {
            try { document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=window.hacked=1>"); }
            catch (error) { return error.name; }
            return "";
        }"""
    )
    assert refused == "TypeError"
    assert page.evaluate("window.hacked") is None


def test_without_the_token_or_by_another_name_nothing_is_shown(
    browser: Browser, served: Callable[[str], str]
) -> None:
    address = served("shop")
    context = browser.new_context()
    page = context.new_page()
    root = re.sub(r"/[^/]+/$", "/", address)
    for other in (root, f"{root}guess/", address.replace("127.0.0.1", pages.HOSTILE)):
        answer = page.goto(other)
        assert answer is not None
        assert answer.status == 403
        assert "discount" not in page.content()
    context.close()


def test_the_calls_an_answer_rules_out_are_shown(open_page: Open) -> None:
    page = open_page("mergesort")
    expect(page.locator("[role=treeitem][data-asked]")).to_be_visible()
    page.locator("[aria-keyshortcuts=y]").hover()
    expect(page.locator("[role=treeitem][data-gone][data-asked]")).to_be_visible()
    page.locator("[aria-keyshortcuts=n]").hover()
    expect(page.locator("[role=treeitem][data-gone]").first).to_contain_text("main()")
    expect(page.locator("[role=treeitem][data-gone][data-asked]")).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator("[data-testid=why]")).to_contain_text("The bug can be in 18 calls")
    pages.shoot(page, "why")


def test_the_tree_folds_and_follows_the_keyboard(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(9)
    expect(rows.nth(2)).to_have_attribute("aria-expanded", "true")
    rows.nth(2).get_by_role("button", name="Collapse").click()
    expect(rows).to_have_count(3)
    page.locator("[role=tree]").focus()
    for key in ("Home", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(rows).to_have_count(9)
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "distribute("
    )
    pages.search(page, "=size=2", 1)
    page.get_by_label("Search calls").fill("")
    page.get_by_label("Only calls that are").select_option("right")
    expect(page.locator("aside section[aria-label=Calls]")).to_contain_text("No calls match.")
    page.get_by_label("Only calls that are").select_option("")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Back to the question").click()
    expect(page.locator("[data-testid=step][data-kind=question]")).to_be_visible()


def test_nodes_folded_during_a_lookup_stay_folded(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(9)
    page.wait_for_load_state("networkidle")
    held: list[Route] = []
    page.route("**/path?*", lambda route: held.append(route))
    pages.look_at_the_last_merge(page)
    rows.nth(2).get_by_role("button", name="Collapse").click()
    expect(rows).to_have_count(3)
    with page.expect_response(lambda to: '"find"' in (to.request.post_data or "")) as found:
        for route in held:
            route.continue_()
    found.value.finished()
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    expect(rows).to_have_count(3)


def test_any_call_can_be_judged_and_contradictions_are_reported(open_page: Open) -> None:
    page = open_page("paper_mergesort", answering=True, expected="409 (Conflict)")
    pages.look_at_the_last_merge(page)
    pages.tell(page, lambda: page.keyboard.press("n"))
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_be_visible()
    pages.tell(page, lambda: page.keyboard.press("u"))
    pages.look_at_the_last_merge(page)
    pages.tell(page, lambda: page.keyboard.press("y"))
    pages.look_at_the_last_merge(page)
    page.keyboard.press("n")
    expect(page.locator("[data-testid=notice]")).to_contain_text("contradict")
    pages.tell(page, page.get_by_role("button", name="Replace the earlier answer").click)
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_be_visible()
    expect(page.locator("[data-testid=notice]")).to_have_count(0)


def test_clicking_the_picture_selects_a_call(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    picture = page.locator('section[aria-label="The whole run"] canvas')
    page.wait_for_timeout(300)
    box = picture.bounding_box()
    assert box is not None
    picture.click(position={"x": box["width"] - 4, "y": 68})
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    page.get_by_role("button", name="This call", exact=True).click()
    expect(page.locator('section[aria-label="The whole run"]')).to_contain_text("below #8")
    page.get_by_role("button", name="Whole run").click()
    expect(page.locator('section[aria-label="The whole run"]')).to_contain_text("8 calls")


def test_events_source_and_variables_share_a_time(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    expect(page.locator(".cm-ran").first).to_be_visible()
    pages.scroll_down(page)
    pages.at_rest(page, page.locator("[role=option]", has_text="c[2] = 9")).click()
    expect(page.locator(".cm-here")).to_contain_text("c[lb] = a[la]")
    expect(page.locator(".cm-here .cm-values")).to_have_text("c[2] = 9")
    expect(page.locator("[data-testid=slider-text]")).to_contain_text("line 18")
    time = re.search(r"t=(\d+)", page.url)
    assert time is not None
    page.get_by_role("tab", name="Variables").click()
    values = page.get_by_role("list", name="Variables")
    expect(values).to_contain_text("c = [1, 4, 9, 7]")
    pages.shoot(page, "variables")
    page.keyboard.press(",")
    expect(values).to_contain_text("c = [1, 4, 7, 7]")
    page.keyboard.press(".")
    expect(values).to_contain_text("c = [1, 4, 9, 7]")
    page.get_by_role("button", name="Entry").click()
    expect(values).to_contain_text("c = [4, 9, 1, 7]")
    slider = page.get_by_label("Time in the call")
    slider.fill("20")
    expect(page.locator("[data-testid=slider-text]")).not_to_contain_text("end")
    page.get_by_role("button", name="Exit").click()
    expect(page.locator("[data-testid=slider-text]")).to_contain_text("at its end")


def test_history_origin_and_the_way_back(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    page.locator("[data-testid=change]", has_text="c[2]").click()
    page.keyboard.press("h")
    rows = page.locator("[data-testid=history-row]")
    expect(rows).to_have_count(4)
    expect(rows.last).to_contain_text("c[lb] = a[la]")
    page.get_by_role("tab", name="Events").click()
    page.keyboard.press("]")
    expect(page.locator("[role=option][aria-selected=true][data-mark=changed]")).to_contain_text(
        "c[2] = 7"
    )
    page.keyboard.press("]")
    expect(page.locator("[role=option][aria-selected=true]")).to_contain_text("c[2] = 9")
    page.keyboard.press("[")
    expect(page.locator("[role=option][aria-selected=true]")).to_contain_text("c[2] = 7")
    pages.shoot(page, "events")
    page.get_by_role("tab", name="History").click()
    here = page.url
    pages.shoot(page, "history")
    pages.at_rest(page, rows.nth(1)).get_by_role("button").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 1, 0, 0], la=1"
    )
    expect(page.locator(".cm-here")).to_contain_text("c[lc] = a[la]")
    expect(rows).to_have_count(4)  # the trail stays
    page.go_back()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    assert page.url == here
    page.keyboard.press("o")
    trail = page.locator("[data-testid=trail] li")
    expect(trail.last).to_contain_text("written in the source as9")
    pages.shoot(page, "origin")
    trail.nth(1).get_by_role("button").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "distribute("
    )
    address = page.url
    page.reload()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "distribute("
    )
    expect(page.locator(".cm-here")).to_be_visible()
    expect(trail.last).to_contain_text("written in the source as9")
    assert page.url == address


def test_changes_inside_of_calls_are_marked_differently(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.search(page, "sort", 1).click()
    page.locator("[data-testid=change]", has_text="a[2]").click()
    page.get_by_role("tab", name="Events").click()
    page.keyboard.press("]")
    expect(page.locator("[role=option][data-mark=inside]").first).to_contain_text("merge(")


def test_objects_unfold_and_aliases_are_marked(open_page: Open) -> None:
    page = open_page("shop")
    pages.search(page, "settle", 1).click()
    card = page.locator("main")
    for path in ("order", "order.items", "order.items[1]"):
        # It is unfolded by itself, or on demand.
        twist = card.get_by_role(
            "button", name=re.compile(rf"^(Expand|Collapse) {re.escape(path)}$")
        )
        if "Expand" in (twist.get_attribute("aria-label") or ""):
            twist.click()
        if path == "order.items":  # records are a table at first
            expect(card.get_by_role("table", name=path)).to_be_visible()
            card.get_by_role("group", name=f"Show {path} as").get_by_text("List").click()
    expect(card.locator("[data-testid=parts]").last).to_contain_text(".price = 40")
    card.get_by_role("button", name=".price = 40").click()
    page.keyboard.press("h")
    expect(page.locator("[data-testid=history-row]")).to_have_count(1)
    pages.search(page, "Order.add", 2).first.click()
    expect(page.locator("main")).to_contain_text("changed inside")


FILLED = """() => {
    const body = document.querySelector("[data-testid=call-card]").parentElement;
    return [body.scrollHeight - body.clientHeight, document.querySelectorAll("main [data-testid=parts]").length];
}"""


def test_values_unfold_by_themselves_until_the_panel_is_full(open_page: Open) -> None:
    page = open_page("shop")
    pages.search(page, "settle", 1).click()
    pages.settle(page)
    expect(page.locator("[data-testid=call-title]")).to_contain_text("settle(")
    expect(page.locator("main [data-testid=parts]").first).to_be_visible()
    pages.settle(page)
    hidden, opened = page.evaluate(FILLED)
    assert (hidden, opened >= 1) == (0, True)
    page.get_by_role("button", name="Collapse order", exact=True).click()
    expect(page.get_by_role("button", name="Expand order", exact=True)).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 420})
    pages.search(page, "main", 1).click()
    pages.search(page, "settle", 1).click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("settle(")
    assert page.evaluate(FILLED)[1] < opened, "there is room for less"


def test_changes_by_others_are_shown_separately(open_page: Open, tmp_path: Path) -> None:
    trace = recorded(EXAMPLES / "workers.py", tmp_path / "workers.wrongcall")
    page = open_page("workers", path=trace)
    pages.search(page, "settle", 8).first.click()
    card = page.locator("[data-kind=looked-at]")
    expect(card.get_by_role("region", name="Changed")).to_contain_text("shop.paid['ann']72→56")
    others = card.locator("details", has_text="Meanwhile, by others (2)")
    expect(others.get_by_text("shop.paid['ann']")).to_be_hidden()
    others.locator("summary").click()
    expect(others.get_by_text("shop.paid['ann']")).to_be_visible()
    others.get_by_role("button", name="worker #").first.click()
    expect(card.locator("[data-testid=call-title]")).to_contain_text("worker(name='south'")


def test_strategy_undo_and_help_work(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()  # that the run is wrong is assumed
    page.get_by_role("button", name="Settings").click()
    # Each is described in words; those who know its name find it beside them.
    options = page.get_by_label("Strategy").locator("option")
    assert options.count() > 5
    assert [each for each in options.all_inner_texts() if "-" in each or each.islower()] == []
    pages.tell(page, lambda: page.get_by_label("Strategy").select_option("top-down"))
    expect(page.locator("dialog")).to_contain_text("--strategy top-down")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("main()")
    page.locator("body").click(position={"x": 640, "y": 500})
    pages.tell(page, lambda: page.keyboard.press("n"))
    expect(page.locator("[data-testid=call-title]")).to_contain_text(
        "sort(numbers=[5, 2, 8, 1, 9, 3])"
    )
    pages.tell(page, undo.click)
    expect(page.locator("[data-testid=call-title]")).to_contain_text("main()")
    expect(undo).to_be_disabled()
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_narrow_window_shows_one_view_at_a_time(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    page.set_viewport_size({"width": 420, "height": 800})
    expect(page.locator("aside section[aria-label=Calls]")).not_to_be_visible()
    pages.shoot(page, "narrow")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("[role=treeitem]").first).to_be_visible()
    page.get_by_role("button", name="Inside").click()
    expect(page.locator(".cm-ran").first).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 420


def test_everything_has_a_name_and_the_colours_can_be_changed(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a, canvas, [role=tree]")]
            .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length))
            .map(e => e.outerHTML)"""
    )
    assert nameless == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Dark").click()
    for _ in ("now", "after reloading"):
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 19, 24)"
        page.reload()
        pages.settle(page)


def test_a_server_that_is_gone_is_told_and_its_return_noticed(
    browser: Browser, every: dict[str, Path], tmp_path: Path
) -> None:
    copy = shutil.copy(every["shop"], tmp_path)
    with pages.serving(Path(copy)) as address:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".cm-ran").first).to_be_visible()
        pages.settle(page)
        context.set_offline(True)
        page.keyboard.press("y")
        expect(page.locator("[data-testid=notice][data-kind=error]")).to_contain_text(
            "does not answer"
        )
        context.set_offline(False)
        expect(page.locator("[data-testid=notice][data-kind=error]")).to_have_count(0)
        pages.tell(page, lambda: page.keyboard.press("y"))
        context.close()


def test_a_part_of_the_page_that_failed_to_load_is_retried(
    browser: Browser, served: Callable[[str], str]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    failed: list[str] = []

    def fail_first(route: Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    page.route("**/assets/Source*.js", fail_first)
    page.goto(served("shop"))
    expect(page.locator(".cm-ran").first).to_be_visible()
    assert failed
    context.close()


LIVE = """
import pathlib, sys, time

def work(n):
    return n + 1

def wait(path, n):
    while not pathlib.Path(path).exists():
        n = work(n)
        time.sleep(0.02)
    return n

wait(sys.argv[1], 0)
"""


def test_a_run_grows_on_the_page(open_page: Open, tmp_path: Path) -> None:
    program, trace, stop = tmp_path / "live.py", tmp_path / "live.wrongcall", tmp_path / "stop"
    program.write_text(LIVE)
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(trace)]
    command += [program.name, stop.name]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as run:
        try:
            while not trace.exists():
                assert run.poll() is None
            page = open_page("live", path=trace)
            expect(page.locator("[data-testid=live]")).to_be_visible()
            expect(page.locator("[data-testid=step][data-kind=question] h1 code")).to_have_text(
                "work"
            )
            first = page.locator("[data-testid=call-title]").inner_text()
            calls = page.locator("aside section[aria-label=Calls] header span")
            before = calls.inner_text()
            expect(calls).not_to_have_text(before)
            # What is being judged stays while the tree grows.
            assert page.locator("[data-testid=call-title]").inner_text() == first
            expect(page.locator(".cm-ran").first).to_be_visible()
            pages.shoot(page, "live")
            page.keyboard.press("y")
            expect(page.locator("[data-testid=call-title]")).not_to_have_text(first)
        finally:
            stop.touch()
        assert run.wait(30) == 0
        expect(page.locator("[data-testid=live]")).to_have_count(0)
        expect(page.locator("[data-testid=step]")).to_be_visible()
