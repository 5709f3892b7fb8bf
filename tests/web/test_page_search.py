"""Finding things in a run in the browser: the search box, the tree's folded rows, the zoomed picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import EXAMPLES, Open, recorded
from tests.web.test_page_access import Review

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with classes, recorded."""
    return recorded(
        EXAMPLES / "inventory.py", tmp_path_factory.mktemp("inventory") / "inventory.wrongcall"
    )


def find(page: Page, text: str) -> None:
    """Search the run, and wait for the end of the search."""
    page.keyboard.press("Control+k")
    page.get_by_label("Search the run").fill(text)
    state = page.get_by_test_id("search-state")
    expect(state).not_to_contain_text("searching")
    expect(state).to_contain_text("match")


def test_functions_conditions_exceptions_and_text_are_found(
    open_page: Open, inventory: Path
) -> None:
    page = open_page("inventory", path=inventory)
    find(page, "take")
    function = page.locator("[data-result][data-kind=function]", has_text="Item.take")
    expect(function).to_contain_text("calls")
    find(page, "inventory.py")
    expect(page.locator("[data-result][data-kind=file]")).to_have_count(1)
    find(page, "turned down")
    expect(page.locator("[data-result][data-kind=printed]")).to_contain_text("order 4 turned down")
    find(page, "quantity > 4")
    matches = page.locator("[data-result][data-kind='became true']")
    expect(matches.first).to_contain_text("line")
    pages.shoot(page, "search")
    find(page, "OutOfStock")
    page.locator("[data-result][data-kind=raised]").first.click()
    pages.settle(page)
    expect(page.get_by_test_id("search-results")).to_have_count(0)
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text("take(")


LONG = """
def add(total, n):
    return total + n

def main():
    total = 0
    for n in range(200_000):
        total = add(total, n)
    return total

main()
"""

# Runs in the page: notes each value of the search's progress, and what is said about it.
WATCHED = """() => {
    window.seen = [];
    new MutationObserver(() => {
        const bar = document.querySelector("[role=search] progress");
        const said = document.querySelector("[data-testid=search-state]");
        if (bar && said) window.seen.push([bar.value, said.textContent]);
    }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_a_long_search_goes_on_in_the_background_and_shows_its_progress(
    open_page: Open, tmp_path: Path
) -> None:
    (tmp_path / "long.py").write_text(LONG)
    page = open_page("long", path=recorded(tmp_path / "long.py", tmp_path / "long.wrongcall"))
    page.evaluate(WATCHED)
    answers: list[str] = []
    page.on("response", lambda answer: answers.append(answer.url))
    page.keyboard.press("Control+k")
    with page.expect_response(lambda answer: "/find?" in answer.url):
        page.get_by_label("Search the run").fill("total < 0")
    # Another request is answered while the search goes on.
    page.evaluate("fetch('api/calls/2')")
    state = page.get_by_test_id("search-state")
    expect(state).to_have_text("0 matches")
    expect(page.locator("[role=search] progress")).to_have_count(0)
    seen = page.evaluate("window.seen")
    values = [value for value, _ in seen]
    assert values == sorted(values)
    assert len(set(values)) > 1
    assert any("searching … " in said for _, said in seen)
    finds = [at for at, url in enumerate(answers) if "/find?" in url]
    (other,) = (at for at, url in enumerate(answers) if url.endswith("api/calls/2"))
    assert other < finds[-1]


def test_the_search_works_by_keys_and_is_accessible(open_page: Open, inventory: Path) -> None:
    page = open_page("inventory", path=inventory)
    review = Review(page)
    find(page, "=4")
    review.look("search")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-result]").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("search-results")).to_have_count(0)
    page.keyboard.press("Control+k")
    page.get_by_label("Search the run").fill("quantity >")
    expect(page.get_by_test_id("search-state")).to_contain_text("quantity >")
    assert review.found == {}


def test_class_bodies_are_folded_until_they_are_wanted(open_page: Open, inventory: Path) -> None:
    page = open_page("inventory", path=inventory)
    rows = page.locator("[role=treeitem]", has_text="class body")
    expect(rows).to_have_count(0)
    page.get_by_role("button", name="Show 5 class bodies").click()
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Hide 5 class bodies").click()
    expect(rows).to_have_count(0)


def test_class_bodies_take_no_room_in_the_picture_until_they_are_wanted(
    open_page: Open, inventory: Path
) -> None:
    page = open_page("inventory", path=inventory)
    drawn = "document.querySelector('canvas').toDataURL()"
    folded = page.evaluate(drawn)
    sizes: list[tuple[int, set[str]]] = []
    for name in ("Show 5 class bodies", "Hide 5 class bodies"):
        with page.expect_response(lambda answer: "/icicle?" in answer.url) as answer:
            page.get_by_role("button", name=name).click()
            pages.settle(page)
            page.get_by_role("button", name="Suspects").click()  # what is kept is not asked again
        found = answer.value.json()
        sizes.append((found["whole"], {box[6] for box in found["boxes"]}))
        page.get_by_role("button", name="Whole run").click()
        pages.settle(page)
        assert (page.evaluate(drawn) == folded) == name.startswith("Hide")
    assert sizes[0][0] - sizes[1][0] == 5
    assert sizes[0][1] - sizes[1][1] == {"OutOfStock", "Batch", "Item", "Order", "Shop"}


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program whose calls in a loop share their state: groups of calls in groups."""
    folder = tmp_path_factory.mktemp("loop")
    program = folder / "loop.py"
    program.write_text(
        "class Account:\n"
        "    def __init__(self):\n        self.balance = 0\n\n"
        "    def deposit(self, n):\n        self.balance += n\n\n"
        "    def charge(self, n):\n        self.balance -= n + 1\n\n"
        "def main():\n"
        "    account = Account()\n"
        "    for n in range(20):\n        account.deposit(n)\n        account.charge(n)\n"
        "    return account.balance\n\n"
        "main()\n"
    )
    return recorded(program, folder / "loop.wrongcall")


def test_groups_are_headings_above_their_calls(open_page: Open, loop: Path) -> None:
    page = open_page("loop", path=loop)
    groups = page.locator("[role=treeitem]", has_text="asked ")
    tree = page.get_by_role("tree")
    expect(groups.first).to_be_visible()
    first = groups.first
    label = first.locator("b").inner_text()
    inside = page.locator("[role=treeitem]", has_text="Account.deposit(").first
    place = "row => parseFloat(getComputedStyle(row).paddingLeft)"
    assert first.evaluate(place) == inside.evaluate(place)
    levels = [int(row.get_attribute("aria-level") or 0) for row in (first, inside)]
    assert levels[1] == levels[0] + 1
    rows = tree.evaluate(
        "tree => [...tree.querySelectorAll('[role=treeitem]')].map(row => row.getAttribute('aria-level'))"
    )
    assert max(map(int, rows)) <= 4  # module, main, group, call: groups in groups have no rows
    before = int(tree.locator("[role=treeitem]").count())
    first.get_by_role("button", name="Collapse", exact=True).click()
    pages.settle(page)
    expect(page.locator("[role=treeitem]", has_text=label).first).to_have_attribute(
        "aria-expanded", "false"
    )
    assert tree.locator("[role=treeitem]").count() <= before


def test_a_question_about_calls_inside_a_group_is_marked_at_the_first_of_them(
    open_page: Open, loop: Path, tmp_path: Path
) -> None:
    page = open_page("loop", path=Path(shutil.copy(loop, tmp_path)))
    for _ in range(6):
        asked = page.locator("[role=treeitem][data-asked]")
        expect(asked).to_have_count(1)
        question = page.locator("[data-testid=step][data-kind=question]")
        if not question.is_visible():
            break
        pages.tell(page, lambda: page.keyboard.press("n"))
        pages.settle(page)
        if page.locator("[data-kind=finding]").is_visible():
            break


def test_callers_are_breadcrumbs(open_page: Open) -> None:
    page = open_page("paper_mergesort")
    pages.look_at_the_last_merge(page)
    crumbs = page.get_by_role("navigation", name="Callers").get_by_role("button")
    expect(crumbs).to_have_text(["<module>", "main", "sort"])
    crumbs.last.click()
    expect(page.locator("[data-testid=call-title]")).to_contain_text("sort(a=")


def test_the_picture_zooms_and_pans(open_page: Open, inventory: Path) -> None:
    page = open_page("inventory", path=inventory)
    text = page.get_by_test_id("picture-text")
    expect(text).to_have_text("45 calls")
    box = page.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 12)
    expect(page.get_by_test_id("picture-tooltip")).to_contain_text("<module>")
    page.mouse.wheel(0, -100)
    expect(page.get_by_role("button", name="Whole", exact=True)).to_be_visible()
    page.locator("canvas").focus()
    for key in ("+", "+", "+", "+"):
        page.keyboard.press(key)
    pages.settle(page)
    page.mouse.move(box["x"] + box["width"] / 2, 600)
    expect(text).to_contain_text("calls of")
    drawn = "document.querySelector('canvas').toDataURL()"
    before = page.evaluate(drawn)
    page.keyboard.press("ArrowRight")
    pages.settle(page)
    assert page.evaluate(drawn) != before
    before = page.evaluate(drawn)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 100, middle[1], steps=5)
    page.mouse.up()
    pages.settle(page)
    assert page.evaluate(drawn) != before
    # Who drags looks at nothing.
    expect(page.locator("[data-kind=looked-at]")).to_have_count(0)
    page.keyboard.press("0")
    page.mouse.move(box["x"] + box["width"] / 2, 600)
    expect(text).to_have_text("45 calls")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with tasks that run at once, recorded."""
    folder = tmp_path_factory.mktemp("tasks")
    program = folder / "tasks.py"
    program.write_text(
        "import asyncio\n\n"
        "def square(n):\n    return n * n\n\n"
        "async def work(n):\n"
        "    for i in range(5):\n        square(i)\n        await asyncio.sleep(0)\n\n"
        "async def main():\n"
        "    await asyncio.gather(*(work(n) for n in range(3)))\n\n"
        "asyncio.run(main())\n"
    )
    return recorded(program, folder / "tasks.wrongcall")


def test_the_picture_shows_times_with_tasks_in_lanes(open_page: Open, tasks: Path) -> None:
    page = open_page("tasks", path=tasks)
    widths = page.get_by_role("group", name="Widths show")
    with page.expect_response(lambda answer: "by=time" in answer.url) as drawn:
        widths.get_by_role("button", name="Time").click()
    names = [lane["name"] for lane in drawn.value.json()["lanes"]]
    assert names == ["main thread", "work", "work"]
    pages.settle(page)
    pages.shoot(page, "lanes")
    with page.expect_response(lambda answer: "search=square" in answer.url) as marked:
        page.get_by_label("Search calls").fill("square")
    assert len(marked.value.json()["matches"]) == 15
    page.reload()
    pages.settle(page)
    expect(widths.get_by_role("button", name="Time")).to_have_attribute("aria-pressed", "true")


def test_keys_in_the_picture_go_to_callers_and_calls(open_page: Open) -> None:
    page = open_page("mergesort")
    picture = page.locator('section[aria-label="The whole run"] canvas')
    picture.click(position={"x": 20, "y": 8})
    looked = page.locator("[data-kind=looked-at] [data-testid=call-title]")
    expect(looked).to_contain_text("<module __main__>")
    pages.settle(page)
    picture.press("ArrowDown")
    expect(looked).not_to_contain_text("<module __main__>")
    pages.settle(page)
    picture.press("ArrowUp")
    expect(looked).to_contain_text("<module __main__>")


def test_what_is_found_in_the_tree_is_seen_though_the_tree_was_scrolled(
    open_page: Open, tmp_path: Path
) -> None:
    program = "def one(n):\n    return n\n\ndef last():\n    return 1\n\n"
    (tmp_path / "many.py").write_text(f"{program}for n in range(300):\n    one(n)\nlast()\n")
    page = open_page("many", path=recorded(tmp_path / "many.py", tmp_path / "many.wrongcall"))
    tree = page.get_by_role("tree")
    tree.evaluate("tree => { tree.scrollTop = tree.scrollHeight; }")
    pages.settle(page)
    # In a narrow window the tree is hidden for a while.
    page.set_viewport_size({"width": 600, "height": 800})
    pages.settle(page)
    page.set_viewport_size(pages.SIZE)
    pages.settle(page)
    row = pages.search(page, "last", 1)
    expect(row).to_be_in_viewport()
    row.click()
    pages.settle(page)
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text("last()")
