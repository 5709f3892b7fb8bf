"""Oracles on the page: what they say is likely is confirmed with one answer, and they can be ignored."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import pages
from tests.web.conftest import recorded

pytestmark = pytest.mark.once

PROGRAM = """
def double(n):
    return 2 * n

def square(n):
    return n * n

def label(n):
    return f"<{n}>"

def combined(n):
    return label(double(n) + square(n) SIGN 1)

combined(3)
"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """A run whose only wrong call is `combined`: a good run, beside it, made calls equal to all others."""
    good = tmp_path / "good" / "prog.py"
    good.parent.mkdir()
    good.write_text(PROGRAM.replace("SIGN", "+") + "label(14)\n")
    bad = tmp_path / "prog.py"
    bad.write_text(PROGRAM.replace("SIGN", "-"))
    recorded(good, tmp_path / "good.wrongcall")
    return recorded(bad, tmp_path / "bad.wrongcall")


def serving(trace: Path) -> AbstractContextManager[str]:
    return pages.serving(
        trace, "--good-run", str(trace.with_name("good.wrongcall")), "--to", "call"
    )


def begin(page: Page, address: str) -> None:
    page.goto(address)
    pages.settle(page)


def test_what_is_likely_right_is_confirmed_with_one_answer(browser: Browser, trace: Path) -> None:
    with serving(trace) as address:
        page = browser.new_page(viewport=pages.SIZE)
        begin(page, address)
        first = page.get_by_role("heading", name="Is this call to combined right?")
        expect(first).to_be_visible()
        page.keyboard.press("n")
        heading = page.get_by_role("heading", name="Are these 3 calls all right?")
        expect(heading).to_be_visible()
        members = page.get_by_test_id("member")
        expect(members).to_have_count(3)
        expect(page.get_by_test_id("members")).to_contain_text("you are asked about each")
        expect(page.get_by_test_id("opinion").first).to_contain_text("good-run: likely right")
        # Not confirmed: each of them is asked about; undo leads back to the list.
        page.keyboard.press("n")
        expect(page.get_by_role("heading", name="Is this call to")).to_be_visible()
        page.keyboard.press("u")
        expect(heading).to_be_visible()
        page.keyboard.press("y")
        expect(page.get_by_role("heading", name="The bug is in combined")).to_be_visible()
        page.close()


def test_an_oracle_can_be_ignored(browser: Browser, trace: Path) -> None:
    with serving(trace) as address:
        page = browser.new_page(viewport=pages.SIZE)
        begin(page, address)
        page.get_by_role("button", name="Settings").click()
        oracle = page.get_by_test_id("oracle").filter(has_text="good-run")
        expect(oracle).to_contain_text("answer")
        page.get_by_role("button", name="Ignore good-run").click()
        expect(oracle).to_contain_text("not asked any more")
        page.keyboard.press("Escape")
        expect(page.get_by_test_id("notice")).to_contain_text("good-run: not asked any more")
        expect(page.get_by_test_id("opinion")).to_have_count(0)
        page.keyboard.press("u")
        expect(page.get_by_test_id("notice")).to_have_count(0)
        page.close()
