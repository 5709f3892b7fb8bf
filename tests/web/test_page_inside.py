"""The page in a browser: the search goes on inside the buggy call, to the statement."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Open, recorded
from tests.web.pages import settle, tell

pytestmark = pytest.mark.once

PROGRAM = """\
def total(prices):
    result = 0
    for price in prices:
        if price > 10:
            result += price
    return result

print(total([10, 20, 5, 30]))
"""
CONDITION = 4
SIZES = [(1280, 720), (1920, 1080), (800, 700), (390, 800)]


@pytest.fixture
def asking(open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page at its first question; the search goes to the statement."""
    monkeypatch.setenv("WRONGCALL_TO", "statement")
    (tmp_path / "prog.py").write_text(PROGRAM)
    trace = recorded(tmp_path / "prog.py", tmp_path / "prog.wrongcall")
    return open_page("prog", path=trace)


def inside(page: Page) -> Page:
    """Call the call wrong; the next question is about what happened inside it."""
    tell(page, lambda: page.keyboard.press("n"))
    settle(page)
    expect(page.get_by_test_id("state-card")).to_be_visible()
    return page


def is_right(page: Page) -> bool:
    """Know that `price > 10` should be `price >= 10`: after the first test, all is wrong."""
    heading = page.get_by_role("heading", level=1).inner_text()
    return "After line 2" in heading or "took price = 10" in heading


def answer(page: Page) -> None:
    """Answer the questions inside the call."""
    while page.get_by_test_id("state-card").count():
        key = "y" if is_right(page) else "n"
        tell(page, lambda key=key: page.keyboard.press(key))  # type: ignore[misc]
        settle(page)


def test_the_search_ends_at_the_statement(asking: Page) -> None:
    page = inside(asking)
    expect(page.get_by_test_id("step")).to_contain_text("Is everything right up to here?")
    expect(page.get_by_test_id("progress")).to_contain_text("places suspect")
    answer(page)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("The bug is in line 4 of total: price > 10")
    card = page.get_by_test_id("statement-card")
    expect(card).to_contain_text("price = 10")
    expect(page.get_by_test_id("around")).to_contain_text("in round 1 of 4 of for price in prices")
    expect(page.get_by_test_id("proof")).to_contain_text("it was wrong right after this ran")
    with page.expect_download() as download:
        page.get_by_role("link", name="json", exact=True).click()
    assert '"line": 4' in Path(download.value.path()).read_text()
    tell(page, lambda: page.keyboard.press("y"))
    expect(page.get_by_test_id("confirmed")).to_be_visible()


def test_the_statement_is_marked_in_the_source_at_every_width(asking: Page) -> None:
    page = inside(asking)
    answer(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        marked = page.get_by_test_id("step").locator(".cm-here")
        expect(marked).to_have_count(1)
        expect(marked).to_contain_text("if price > 10:")
        expect(marked).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_source_shows_the_time_of_the_question(asking: Page) -> None:
    page = inside(asking)
    first = page.get_by_role("heading", level=1).inner_text()
    expect(page.get_by_test_id("step").get_by_test_id("source-panel")).to_be_visible()
    time = page.evaluate("new URLSearchParams(location.search).get('t')")
    assert time is not None
    tell(page, lambda: page.keyboard.press("n"))
    settle(page)
    assert page.evaluate("new URLSearchParams(location.search).get('t')") != time
    tell(page, lambda: page.keyboard.press("u"))
    expect(page.get_by_role("heading", level=1)).to_have_text(first.replace("\n", ""))
    page.reload()
    settle(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(first.replace("\n", ""))


def test_a_part_of_the_state_can_be_called_wrong(asking: Page) -> None:
    page = inside(asking)
    before = page.get_by_role("heading", level=1).inner_text()
    state = page.get_by_role("region", name="State")
    state.get_by_test_id("value-pick").filter(has_text="result").click()
    tell(page, lambda: page.get_by_role("button", name="result is wrong").click())
    settle(page)
    assert page.get_by_role("heading", level=1).inner_text() != before


def test_the_search_can_stop_at_the_call_and_go_on(asking: Page) -> None:
    page = inside(asking)
    page.keyboard.press("w")
    expect(page.get_by_test_id("why")).to_contain_text("places")
    tell(page, lambda: page.keyboard.press("f"))
    expect(page.get_by_role("heading", level=1)).to_have_text("The bug is in total")
    tell(page, lambda: page.get_by_role("button", name="Search inside").click())
    expect(page.get_by_test_id("state-card")).to_be_visible()
    tell(page, lambda: page.keyboard.press("u"))
    expect(page.get_by_test_id("call-card")).to_be_visible()


LONG_NAME = "a_function_whose_name_says_at_some_length_what_it_does"


def test_what_is_in_the_head_of_a_question_does_not_overlap(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRONGCALL_TO", "statement")
    (tmp_path / "long.py").write_text(PROGRAM.replace("total", LONG_NAME))
    page = open_page("long", path=recorded(tmp_path / "long.py", tmp_path / "long.wrongcall"))
    inside(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        name = page.get_by_role("main").get_by_text(f"{LONG_NAME} #").first
        why = page.get_by_role("button", name="Why this question?")
        boxes = name.evaluate(
            """name => {
                // What can be seen of it: the rest is cut off.
                const text = name.getBoundingClientRect();
                const line = name.parentElement;
                const end = line.getBoundingClientRect().right - parseFloat(getComputedStyle(line).paddingRight);
                return [Math.min(text.right, end), text.top, text.bottom];
            }"""
        )
        button = why.bounding_box()
        assert button is not None
        right, top, bottom = boxes
        beside = top < button["y"] + button["height"] and bottom > button["y"]
        assert not beside or right <= button["x"], width
