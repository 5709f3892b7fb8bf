"""The page for screen readers: a session by nothing but the accessibility tree and keys; reduced motion; paper.

`Reader` has what a screen reader has: the browser's accessibility tree, and what live regions say. It never looks at
the elements or how they are drawn.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web import pages
from tests.web.conftest import Open

pytestmark = pytest.mark.once

ACTS = {
    *(
        "button",
        "checkbox",
        "combobox",
        "link",
        "listbox",
        "option",
        "radio",
        "searchbox",
        "slider",
    ),
    *("splitter", "switch", "tab", "textbox", "tree", "treeitem"),
}
"""Roles that can be acted upon: without a name, nobody knows what they do."""


@dataclass(frozen=True)
class Node:
    """A node of the accessibility tree."""

    role: str
    name: str
    depth: int
    properties: dict[str, object]


class Reader:
    """What a screen reader knows of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Accessibility.enable")

    def nodes(self) -> list[Node]:
        """Return the tree in reading order, without what is hidden from readers."""
        found = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {each["nodeId"]: each for each in found}
        return list(self._walk(by_id, found[0]["nodeId"], 0))

    def _walk(self, by_id: dict[str, dict], at: str, depth: int) -> Iterator[Node]:  # type: ignore[type-arg]
        each = by_id.get(at)
        if each is None:
            return
        inner = depth
        if not each.get("ignored"):
            values = {p["name"]: p["value"].get("value") for p in each.get("properties", ())}
            name = str(each.get("name", {}).get("value") or "")
            yield Node(str(each["role"]["value"]), name, depth, values)
            inner += 1
        for child in each.get("childIds", ()):
            yield from self._walk(by_id, child, inner)

    def inside(self, role: str, name: str) -> list[Node]:
        """Return what is inside the one node with this role and name."""
        nodes = self.nodes()
        (at,) = [n for n, node in enumerate(nodes) if (node.role, node.name) == (role, name)]
        end = next(
            (n for n in range(at + 1, len(nodes)) if nodes[n].depth <= nodes[at].depth), len(nodes)
        )
        return nodes[at + 1 : end]

    def text(self, role: str, name: str) -> str:
        """Return the text that is read inside a node."""
        return " ".join(n.name for n in self.inside(role, name) if n.role == "StaticText")

    def said(self) -> str:
        """Return what the page's own live region says: the last one, those of its parts come before it."""
        nodes = self.nodes()
        live = [n for n, each in enumerate(nodes) if each.properties.get("live") == "polite"]
        at = max(n for n in live if nodes[n].role == "status")
        inner = takewhile(lambda node: node.depth > nodes[at].depth, nodes[at + 1 :])
        return "".join(node.name for node in inner if node.role == "StaticText")


def judge(said: str) -> str:
    """Answer an announced question of mergesort as somebody who knows what its functions should do."""
    call = re.search(r"(merge|sort)\((.*)\) returned (\[.*?\])\.", said)
    if call is None:
        return "n"  # main, or the program: it printed a list that is not sorted
    arguments = dict(re.findall(r"(\w+)=(\[.*?\])", call[2]))
    given = [number for text in arguments.values() for number in ast.literal_eval(text)]
    return "y" if ast.literal_eval(call[3]) == sorted(given) else "n"


def answered(page: Page, reader: Reader, key: str) -> str:
    """Press a key, and wait until something new is announced."""
    before = reader.said()
    pages.tell(page, lambda: page.keyboard.press(key))
    pages.settle(page)
    after = reader.said()
    assert after != before
    return after


def test_a_session_by_ear_and_keys(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    reader = Reader(page)
    page.keyboard.press("f")  # no key of a question: nothing happens
    said, heard = reader.said(), []
    while said.startswith(("Is this call right?", "Are these")):
        heard.append(said)
        assert re.search(r"(questions? left|The last question)\.$", said)
        if said.startswith("Is this"):
            parts = [n.name for n in reader.inside("region", "Question") if n.role == "heading"]
            assert any(part.startswith("Is this call to") for part in parts)
            assert "given" in map(str.lower, parts)
        said = answered(page, reader, judge(said) if said.startswith("Is this") else "d")
        if "Is everything right up to here?" in said:
            said = answered(page, reader, "f")
    assert len(heard) >= 2
    assert said.startswith("The bug is in merge")
    finding = reader.inside("region", "Finding")
    assert next(n.name for n in finding if n.role == "heading") == "The bug is in merge"
    buttons = [n.name for n in finding if n.role == "button"]
    assert any(name.startswith("That is it") for name in buttons)
    pages.tell(page, lambda: page.keyboard.press("y"))
    expect(page.get_by_test_id("confirmed")).to_be_visible()


def test_everything_has_a_name_and_a_place(open_page: Open) -> None:
    page = open_page("mergesort")
    reader = Reader(page)
    nodes = reader.nodes()
    landmarks = {(n.role, n.name) for n in nodes}
    assert {
        ("main", ""),
        ("banner", ""),
        ("search", ""),
        ("complementary", "The run"),
        ("complementary", "Inside the call"),
    } <= landmarks
    assert [n.name for n in nodes if n.role in ACTS and not n.name] == []
    assert [n for n in nodes if n.role == "image" and not n.name] == []
    headings = [n for n in nodes if n.role == "heading"]
    assert sum(n.properties.get("level") == 1 for n in headings) == 1
    assert all(n.name for n in headings)
    tree = reader.inside("tree", "Tree of calls")
    items = [n for n in tree if n.role == "treeitem"]
    assert len(items) > 5
    assert all({"level", "selected"} <= n.properties.keys() for n in items)
    assert any("asked now" in n.name for n in items)


def test_calls_are_read_and_judged_from_the_tree_by_keys(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    reader = Reader(page)
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    pages.settle(page)
    title = reader.text("region", "Call")
    assert "merge(" in title
    assert any(
        n.role == "heading" and n.name.lower() == "returned"
        for n in reader.inside("region", "Call")
    )
    pages.tell(page, lambda: page.keyboard.press("y"))
    pages.settle(page)
    rows = [n.name for n in reader.inside("tree", "Tree of calls") if n.role == "treeitem"]
    assert any("judged right" in name for name in rows)


# -- motion and paper ------------------------------------------------------------------------------


def test_nothing_moves_if_motion_is_unwanted(open_page: Open) -> None:
    page = open_page("mergesort", answering=True)
    moving = "document.getAnimations().filter(each => each.playState === 'running').length"
    watch = f"""() => {{
        window.moved = 0;
        const look = () => {{ window.moved += {moving}; requestAnimationFrame(look); }};
        look();
    }}"""
    page.evaluate(watch)
    pages.tell(page, lambda: page.keyboard.press("n"))
    page.wait_for_function(
        "window.moved > 0"
    )  # the bar of the progress; it is seen if there is any
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.moved = 0")
    pages.tell(page, lambda: page.keyboard.press("u"))
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    pages.settle(page)
    assert page.evaluate("window.moved") == 0


def test_a_finding_can_be_printed(open_page: Open, tmp_path: Path) -> None:
    page = open_page("mergesort", answering=True, dark=True)
    reader = Reader(page)
    said = reader.said()
    while not said.startswith("The bug is in"):
        said = answered(page, reader, "f" if "up to here" in said else judge(said))
    page.emulate_media(media="print")
    expect(page.locator("[data-testid=step] h1")).to_be_visible()
    expect(page.get_by_role("tree")).to_be_hidden()
    expect(page.get_by_role("button", name="Settings")).to_be_hidden()
    expect(page.get_by_role("button", name="That is it")).to_be_hidden()
    light = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert light == "light"
    body = page.locator("[data-testid=call-card]").first
    cut = "card => { const body = card.parentElement; return body.scrollHeight > body.clientHeight + 1; }"
    assert body.evaluate(cut) is False
    page.pdf(path=tmp_path / "finding.pdf")
    text = subprocess.run(
        ["strings", tmp_path / "finding.pdf"], capture_output=True, check=False, text=True
    ).stdout
    assert text.startswith("%PDF")
