"""The page in a browser: before and after side by side, long texts, drawn graphs, images, sources of values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import pages
from tests.web.conftest import Open, recorded

pytestmark = pytest.mark.once

PROGRAM = """
import numpy as np

class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

class Letter:
    def __init__(self, text):
        self.text = text
        self.tags = {"new"}
        self.copies = [1, 2, 3, 4, 5, 6, 7, 8]

def insert(root, value):
    at = root
    while at.left:
        at = at.left
    at.left = Node(value)
    root.value = 9
    return root

def improve(letter):
    letter.text = letter.text.replace("red fox", "brown fox").replace("mouse 7", "mouse 8")
    letter.tags.add("sent")
    letter.copies = letter.copies[1:4] + [99] + letter.copies[4:]

def paint(picture):
    return picture.sum()

def too_large(picture):
    return picture.sum()

def total(rows):
    sum = 0
    for i, row in enumerate(rows):
        for n in row:
            sum += n
    return sum

def read(text):
    return len(text)

def main():
    insert(Node(5, Node(3, Node(1)), Node(8)), 0)
    lines = ["The red fox jumps.", *(f"There was a mouse {i}." for i in range(40))]
    improve(Letter("\\n".join(lines)))
    paint(np.arange(256, dtype=np.uint8).reshape(16, 16))
    too_large(np.zeros((100, 100), dtype=np.uint8))
    total([[1, 2], [3, 4, 5]])
    read("word " * 10_000 + "needle" + " word" * 10)

main()
"""


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with values of many kinds."""
    folder = tmp_path_factory.mktemp("values")
    (folder / "values.py").write_text(PROGRAM)
    return recorded(folder / "values.py", folder / "values.wrongcall")


def card_of(open_page: Open, values: Path, function: str, **options: Any) -> tuple[Page, Locator]:
    """Look at the call of a function."""
    page = open_page("values", path=values, **options)
    pages.search(page, function, 1).click()
    pages.settle(page)
    return page, page.locator("main")


def expand(page: Page, within: Locator, path: str) -> None:
    """Open a value, unless it opened by itself."""
    button = within.get_by_role("button", name=f"Expand {path}", exact=True)
    if button.count():
        button.click()
    pages.settle(page)


def test_a_changed_text_is_shown_side_by_side_with_its_words_marked(
    open_page: Open, values: Path
) -> None:
    page, card = card_of(open_page, values, "improve")
    expand(page, card.get_by_role("region", name="Changed"), "letter.text")
    table = card.get_by_role("table", name="letter.text, before and after")
    rows = table.locator("[data-kind=changed]")
    expect(rows).to_have_count(2)
    expect(rows.first.locator("del")).to_have_text("red")
    expect(rows.first.locator("ins")).to_have_text("brown")
    expect(rows.last.locator("del")).to_have_text("7")
    expect(table.locator("[data-kind=gap]").first).to_contain_text("equal parts")
    pages.shoot(page, "side-by-side")
    card.get_by_role("button", name="Show everything").click()
    expect(table.locator("tbody tr")).to_have_count(41)
    expect(table.locator("[data-kind=gap]")).to_have_count(0)


def test_a_changed_list_is_aligned(open_page: Open, values: Path) -> None:
    page, card = card_of(open_page, values, "improve")
    expand(page, card.get_by_role("region", name="Changed"), "letter.copies")
    table = card.get_by_role("table", name="letter.copies, before and after")
    # [1, 2, 3, 4, 5, 6, 7, 8] became [2, 3, 4, 99, 5, 6, 7, 8].
    expect(table.locator("[data-kind=removed]")).to_have_count(1)
    expect(table.locator("[data-kind=removed]")).to_contain_text("[0] 1")
    expect(table.locator("[data-kind=added]")).to_contain_text("[3] 99")
    card.get_by_role("group", name="Show letter.copies as").get_by_text("List").click()
    expect(card.get_by_role("list", name="Parts of letter.copies")).to_be_visible()


def test_a_set_says_what_was_added(open_page: Open, values: Path) -> None:
    page, card = card_of(open_page, values, "improve")
    change = card.get_by_test_id("change").filter(has_text="letter.tags")
    expect(change).to_contain_text("letter.tagsadded'sent'")
    event = page.get_by_role("option").filter(has_text="letter.tags added")
    expect(event.get_by_test_id("event-text")).to_have_text("letter.tags added 'sent'")


def test_a_long_text_opens_with_wrap_and_search(open_page: Open, values: Path) -> None:
    page, card = card_of(open_page, values, "read")
    expand(page, card, "text")
    text = card.get_by_role("region", name="Text of text")
    expect(text).to_contain_text("50,056 characters")
    expect(text.locator("mark")).to_have_count(0)
    text.get_by_label("Search in text").fill("NEEDLE")
    expect(text.get_by_test_id("text-found")).to_have_text("1 of 1")
    text.get_by_label("Search in text").press("Enter")
    expect(text.locator("mark[aria-current=true]")).to_have_text("needle")
    expect(text.locator("mark[aria-current=true]")).to_be_in_viewport()
    pages.shoot(page, "long-text")
    text.get_by_label("Search in text").fill("word")
    expect(text.get_by_test_id("text-found")).to_have_text("1 of 10,010")
    text.get_by_role("button", name="Previous match").click()
    expect(text.get_by_test_id("text-found")).to_have_text("1,000 of 10,010")
    wrap = text.get_by_role("button", name="Wrap")
    expect(wrap).to_have_attribute("aria-pressed", "true")
    narrow = "box => box.scrollWidth <= box.clientWidth"
    assert text.get_by_test_id("text").evaluate(narrow)
    wrap.click()
    assert not text.get_by_test_id("text").evaluate(narrow)
    text.get_by_label("Search in text").fill("nowhere")
    expect(text.get_by_test_id("text-found")).to_have_text("not found")


def test_objects_are_drawn_as_a_graph_with_changes_marked(open_page: Open, values: Path) -> None:
    page, card = card_of(open_page, values, "insert")
    expand(page, card, "root")
    card.get_by_role("group", name="Show root as").get_by_text("Graph").click()
    graph = card.get_by_role("region", name="Graph of root")
    nodes = graph.get_by_test_id("graph-node")
    expect(nodes).to_have_count(5)
    # As of the entry of the call, compared with its exit: one is not there yet, two will change.
    expect(graph.locator("[data-state=new]")).to_have_count(1)
    expect(graph.locator("[data-state=changed]")).to_have_count(2)
    expect(nodes.first).to_contain_text("value = 5 → 9")
    pages.shoot(page, "graph")
    nodes.first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(":focus")).to_contain_text("value = 3")
    page.keyboard.press("ArrowDown")
    expect(page.locator(":focus")).to_contain_text("value = 8")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("picked-place")).to_contain_text("root.left")
    graph.get_by_text("As text").click()
    words = graph.get_by_test_id("graph-words").get_by_role("listitem")
    expect(words).to_have_count(5)
    expect(words.nth(1)).to_contain_text("root.left: Node")
    expect(words.nth(1)).to_contain_text(".left leads to Node")


TREE = """
class Node:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None

def grown(depth, value):
    node = Node(value)
    if depth:
        node.left = grown(depth - 1, 2 * value)
        node.right = grown(depth - 1, 2 * value + 1)
    return node

def prune(tree):
    tree.left.right = None
    tree.right.value = 0
    return tree

def main():
    prune(grown(7, 1))

main()
"""
OVERLAPPING = """boxes => {
    const places = boxes.map(box => box.getBoundingClientRect());
    return places.filter((one, n) => places.slice(n + 1).some(other =>
        one.left < other.right - 1 && other.left < one.right - 1 &&
        one.top < other.bottom - 1 && other.top < one.bottom - 1)).length;
}"""


def test_a_tree_of_hundreds_of_objects_is_drawn(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "tree.py").write_text(TREE)
    trace = recorded(tmp_path / "tree.py", tmp_path / "tree.wrongcall")
    page, card = card_of(open_page, trace, "prune")
    expand(page, card.get_by_role("region", name="Given"), "tree")
    card.get_by_role("group", name="Show tree as").first.get_by_text("Graph").click()
    graph = card.get_by_role("region", name="Graph of tree").first
    nodes = graph.get_by_test_id("graph-node")
    # Seven levels below the first node: 1 + 2 + 4 + ... + 128.
    expect(nodes).to_have_count(255)
    assert nodes.evaluate_all(OVERLAPPING) == 0
    # One subtree of 1 + 2 + ... + 32 nodes is cut off, its former owner and another node change.
    expect(graph.locator("[data-state=gone]")).to_have_count(63)
    expect(graph.locator("[data-state=changed]")).to_have_count(2)


def test_an_array_of_image_shape_is_an_image_if_it_was_recorded_whole(
    open_page: Open, values: Path
) -> None:
    page, card = card_of(open_page, values, "paint")
    expand(page, card, "picture")
    card.get_by_role("group", name="Show picture as").get_by_text("Image").click()
    image = card.get_by_role("img", name="picture as an image, 16 by 16 pixels")
    expect(image).to_be_visible()
    pixels = image.evaluate("c => [...c.getContext('2d').getImageData(0, 0, 16, 16).data]")
    assert pixels == [part for n in range(256) for part in (n, n, n, 255)]
    pages.shoot(page, "image")
    pages.search(page, "too_large", 1).click()
    pages.settle(page)
    expand(page, card, "picture")
    card.get_by_role("group", name="Show picture as").get_by_text("Image").click()
    expect(card.get_by_test_id("no-image")).to_contain_text(
        "it has 10,000 elements, of which 1,000"
    )


def test_a_picked_value_is_copied_as_python(open_page: Open, values: Path) -> None:
    page, card = card_of(open_page, values, "total")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card.get_by_role("button", name="rows = [[1, 2], [3, 4, 5]]").click()
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.get_by_test_id("copied")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == "[[1, 2], [3, 4, 5]]"
    pages.search(page, "insert", 1).click()
    pages.settle(page)
    card.get_by_test_id("value-pick").filter(has_text="root = Node").first.click()
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.get_by_test_id("copied")).to_have_text("copied, as statements")
    source = page.evaluate("navigator.clipboard.readText()")
    names: dict[str, Any] = {"Node": type("Node", (), {})}
    exec(source, names)
    root = names["value"]
    assert (root.value, root.left.value, root.left.left.value, root.right.value) == (5, 3, 1, 8)
    assert root.left.left.left is None
    pages.search(page, "paint", 1).click()
    pages.settle(page)
    card.get_by_test_id("value-pick").filter(has_text="picture = ").first.click()
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.get_by_test_id("copied")).to_contain_text("can't be rebuilt: ndarray")


def test_a_small_line_beside_a_number_opens_its_history_with_the_rounds(
    open_page: Open, values: Path
) -> None:
    page, _ = card_of(open_page, values, "total")
    page.get_by_role("tab", name="Variables").click()
    line = page.get_by_role("button", name="History of sum: 6 values from 0 to 15")
    expect(line).to_be_visible()
    pages.shoot(page, "sparklines")
    line.click()
    expect(page.get_by_test_id("chart")).to_be_visible()
    rows = page.get_by_test_id("history-row")
    expect(rows).to_have_count(6)
    # 0 is written before the loops; then 1, 2 of the first row and 3, 4, 5 of the second.
    expected = [
        (0, "", "", ""),
        (1, 0, 1, 1),
        (3, 0, 2, 2),
        (6, 1, 3, 1),
        (10, 1, 4, 2),
        (15, 1, 5, 3),
    ]
    for (value, i, n, number), row in zip(expected, rows.all(), strict=True):
        cells = [cell.get_attribute("title") for cell in row.get_by_test_id("history-round").all()]
        told = [f"{name} = {text}" for name, text in (("i", i), ("n", n), ("round", number))]
        assert [cell for cell in cells if not (cell or "").startswith("row")] == told
        expect(row.locator("code").first).to_have_text(str(value))
    pages.shoot(page, "rounds")
    page.get_by_label("Filter the values of sum").fill("i = 1")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("6")
    page.get_by_label("Filter the values of sum").fill("nothing like it")
    expect(page.get_by_test_id("tab-panel")).to_contain_text("No value of sum is like this")


WRITTEN = """
class Page:
    def __init__(self):
        self.title = "none"
        self.body = ""

def write(page, title):
    page.title = title
    page.notes = ["a note", "the " + title + " page, " + "word " * 200 + "and the last word"]
    page.body = title + ", " + "word " * 200 + "and the last word"

def main():
    page = Page()
    write(page, "first")
    write(page, "second")

main()
"""


@pytest.mark.parametrize("group", [False, True], ids=["a call", "a group"])
def test_a_long_text_that_was_written_opens(open_page: Open, tmp_path: Path, group: bool) -> None:
    (tmp_path / "written.py").write_text(WRITTEN)
    trace = recorded(tmp_path / "written.py", tmp_path / "written.wrongcall")
    page = open_page("written", path=trace)
    if not group:
        pages.search(page, "write", 2).last.click()
        pages.settle(page)
    changed = page.locator("main").get_by_role(
        "region", name="Changed, all together" if group else "Changed"
    )
    place = "page.body"
    expand(page, changed, place)
    choice = changed.get_by_role("group", name=f"Show {place} as")
    if choice.count():
        choice.get_by_role("button", name="Text", exact=True).click()
    text = changed.get_by_test_id("text")
    expect(text).to_contain_text("second, word word")
    expect(text).to_contain_text("and the last word")
    changed.get_by_label(f"Search in {place}").fill("last")
    expect(changed.get_by_test_id("text-found")).to_contain_text("1 of 1")
