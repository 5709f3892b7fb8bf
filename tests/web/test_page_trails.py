"""The page in a browser: from a value to where it was made, long histories, what was printed, searches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once

MANY = """
class Counter:
    def __init__(self):
        self.value = 0

    def count(self, by):
        self.value = self.value + by
        return self.value

def main():
    counter = Counter()
    for i in range(3000):
        counter.count(1)
    print(counter.value)
    return counter

main()
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with thousands of calls that change one attribute."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "many.py").write_text(MANY)
    return recorded(folder / "many.py", folder / "many.wrongcall")


def test_one_click_leads_from_a_value_to_where_it_was_made(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    before = page.url
    page.locator("[data-testid=change-line]", has_text="c[2]").hover()
    page.get_by_role("button", name="Where c[2] was made").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text("main()")
    expect(page.locator(".cm-here")).to_contain_text("a = [4, 9, 1, 7]")
    expect(page.locator("[data-testid=trail] li").last).to_contain_text("written in the source as9")
    page.go_back()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    assert page.url == before


def test_a_variable_leads_to_where_it_was_made(open_page: Open) -> None:
    page = open_page("shop")
    pages.search(page, "settle", 1).click()
    page.get_by_role("tab", name="Variables").click()
    variables = page.get_by_test_id("tab-panel")
    variables.get_by_role("button", name="Where amount was made").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-testid=trail-end]")).to_contain_text(
        "computed byamount += subtotal(item)"
    )
    expect(page.locator(".cm-here")).to_contain_text("amount += subtotal(item)")


def test_a_long_history_can_be_scrolled_to_its_end(open_page: Open, many: Path) -> None:
    page = open_page("many", path=many)
    pages.search(page, "main", 1).click()
    page.locator("main").get_by_role("button", name="Expand result").click()
    page.locator("main").get_by_role("button", name=".value = 3000").click()
    page.keyboard.press("h")
    expect(page.locator("[data-testid=lead]")).to_contain_text("had 3,001 values")
    rows = page.locator("[data-testid=history-row]")
    expect(rows.last).to_contain_text("3000")  # as of the end of the call
    pages.at_rest(page, rows.last).get_by_role("button").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "Counter.count("
    )
    expect(page.locator("[data-testid=history-row][aria-current=true]")).to_contain_text("3000")
    page.locator('ul[aria-label^="Values of"]').locator("..").evaluate(
        "rows => { rows.scrollTop = 0; }"
    )
    expect(rows.first).to_contain_text("Counter.__init__")


def test_every_change_in_a_call_is_marked(open_page: Open, many: Path) -> None:
    page = open_page("many", path=many)
    pages.search(page, "main", 1).click()
    page.locator("main").get_by_role("button", name="Expand result").click()
    page.locator("main").get_by_role("button", name=".value = 3000").click()
    expect(page.locator("[data-testid=picked-place]")).to_contain_text("changed by 3,001 events")
    page.get_by_role("tab", name="Events").click()
    page.keyboard.press("[")
    expect(page.locator("[role=option][aria-selected=true][data-mark=inside]")).to_contain_text(
        "-> 3000"
    )


def test_what_was_printed_leads_to_the_call_that_printed_it(open_page: Open) -> None:
    page = open_page("shop")
    page.keyboard.press("O")
    line = page.locator("[data-testid=output-row]")
    expect(line).to_have_count(1)
    line.get_by_role("button").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text("main()")
    expect(page.locator(".cm-here")).to_contain_text("print(f")
    pages.shoot(page, "output")
    expect(line.get_by_role("button")).to_have_attribute("aria-current", "true")
    pages.search(page, "discount", 1).click()
    expect(page.locator("[data-testid=output-row][data-outside=true]")).to_have_count(
        1
    )  # not while this one ran


def test_a_search_for_values_goes_through_all_calls(open_page: Open, many: Path) -> None:
    page = open_page("many", path=many)
    page.get_by_label("Search calls").fill("=-> 2999")
    expect(page.locator("aside section[aria-label=Calls] header span")).to_have_text("1 found")
    expect(page.locator("[role=treeitem]")).to_contain_text("Counter.count(")


LOOP = """
def double(n):
    return 2 * n + (n == 5)

def collect(numbers):
    found = []
    for n in numbers:
        found.append(double(n))
    return found

print(collect([1, 2, 3, 4, 5, 6]))
"""


def test_the_wrong_one_of_a_list_is_pointed_at(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    page = open_page("loop", path=recorded(tmp_path / "loop.py", tmp_path / "loop.wrongcall"))
    wrong = page.locator("[data-testid=member]", has_text="double(n=5)")
    for _ in range(8):
        if wrong.count():
            break
        pages.tell(page, lambda: page.keyboard.press("d"))
    expect(page.locator("[data-testid=step][data-kind=question] h1")).to_contain_text(
        "calls all right?"
    )
    pages.shoot(page, "list")
    pages.tell(page, wrong.get_by_role("button", name="is wrong").click)
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        "The bug is in double"
    )
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_contain_text("double(n=5)")


def test_equal_calls_of_a_list_are_shown_once(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "equal.py").write_text(LOOP.replace("1, 2, 3, 4, 5, 6", "1, 2, 1, 1, 5, 2"))
    page = open_page("equal", path=recorded(tmp_path / "equal.py", tmp_path / "equal.wrongcall"))
    listed = page.locator("[data-testid=member]")
    for _ in range(8):
        if page.locator("h1", has_text="calls all right?").count():
            break
        pages.tell(page, lambda: page.keyboard.press("d"))
    step = json.loads(page.request.get(page.url.split("?")[0] + "api/session").text())["step"]
    given = [1, 2, 1, 1, 5, 2]
    asked = [given[call - step["members"][0]["call"]] for call in _calls(step)]
    assert len(set(asked)) < len(asked)
    expect(listed).to_have_count(len(set(asked)))
    for n in set(asked):
        member = page.locator("[data-testid=member]", has_text=f"double(n={n})")
        times = asked.count(n)
        expect(member.locator("[data-testid=times]")).to_have_text(
            [f"{times}\N{MULTIPLICATION SIGN}"] if times > 1 else []
        )


LETTERS = """
def letter(name, articles):
    return "Dear " + name + ", we send you " + ", ".join(articles) + ". Yours, the shop."

def main():
    articles = ["a very long article number " + str(n) for n in range(9)]
    return [letter(name, articles) for name in ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay")]

main()
"""


def test_a_list_shows_what_its_lines_leave_out(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "letters.py").write_text(LETTERS)
    trace = recorded(tmp_path / "letters.py", tmp_path / "letters.wrongcall")
    page = open_page("letters", path=trace)
    for _ in range(8):
        if page.locator("h1", has_text="calls all right?").count():
            break
        pages.tell(page, lambda: page.keyboard.press("d"))
    member = page.locator("[data-testid=member]").first
    expect(member.get_by_test_id("call-line")).to_contain_text("letter(name='Ann', articles=[")
    values = member.get_by_test_id("value")
    expect(values).to_have_count(2)  # not the name, which the line has
    expect(values.first).to_contain_text("'a very long article number 8'")
    expect(values.last).to_contain_text("number 8. Yours, the shop.")
    member.get_by_role("button", name="Expand articles").click()
    expect(
        member.get_by_role("list", name="Parts of articles").get_by_test_id("value")
    ).to_have_count(9)


def _calls(step: dict[str, Any]) -> range:
    """Return the calls that a list is about: they follow each other, as none of them calls another."""
    first, last = step["key"].split("-")
    return range(int(first), int(last) + 1)


BOXES = """
class Box:
    def __init__(self):
        self.things = {}

def put(box, name, weight):
    box.things[name] = [name, weight]

def main():
    box = Box()
    put(box, "a", 1)
    put(box, "b", 2)
    put(box, "c", 3)
    put(box, "d", 5)
    box.things["b"].append("later")
    return box

main()
"""


def test_changed_values_can_be_opened_as_the_calls_left_them(
    open_page: Open, tmp_path: Path
) -> None:
    (tmp_path / "boxes.py").write_text(BOXES)
    page = open_page("boxes", path=recorded(tmp_path / "boxes.py", tmp_path / "boxes.wrongcall"))
    middle = page.locator("main")
    expect(middle.locator("h1")).to_have_text("Are these 4 calls right?")
    middle.get_by_role("button", name="Expand box.things['b']").click()
    parts = middle.get_by_role("list", name="Parts of box.things['b']").locator(
        "[data-testid=value]"
    )
    expect(parts).to_have_text(["[0] = 'b'", "[1] = 2"])  # not what came later
    expect(middle.locator("button[data-testid=value-pick]")).to_have_count(
        0
    )  # it is no place of one call
    middle.get_by_role("button", name="Collapse box.things['b']").click()
    expect(parts).to_have_count(0)
    middle.get_by_role("button", name="#6 put").click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "name='b'"
    )
    middle.get_by_role("button", name="Expand box.things['b']").click()
    parts.nth(1).locator("button[data-testid=value-pick]").click()
    expect(page.get_by_role("button", name="box.things['b'][1] is wrong")).to_be_visible()
