"""What the tests of the page in a browser share: a server, a browser, and who answers the questions."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

expect.set_options(timeout=20_000)  # for busy machines; nothing waits that long if all is well
ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs" / "gallery"
BUILT = ROOT / "src" / "wrongcall" / "web" / "page" / "index.html"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZE: ViewportSize = {"width": 1280, "height": 720}
HOSTILE = "evil.example"
"""A name that the browser takes for this machine: what DNS rebinding does."""


def executable() -> str:
    """Return the browser, or fail and say what to do."""
    found = [path for name in BROWSERS if (path := shutil.which(name))]
    if not found:
        pytest.fail(
            "the tests of the page need chromium; `make test` installs it on Debian as root"
        )
    if not BUILT.exists():
        pytest.fail("the page is not built: run `make web` (it needs node, npm and a network)")
    return found[0]


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start a browser."""
    path = executable()
    with sync_playwright() as playwright:
        # There is no sandbox for root; the only page it opens is our own.
        options = ["--no-sandbox", f"--host-resolver-rules=MAP {HOSTILE} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


@contextmanager
def serving(trace: Path, *options: str) -> Iterator[str]:
    """Serve a trace; the address."""
    command = [sys.executable, "-m", "wrongcall", "web", "--no-open", *options, str(trace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


SETTLED = """() => document.querySelectorAll("[data-testid=step]").length === 1
    && !document.querySelector('[aria-busy="true"], [data-testid=state][data-kind=loading], [data-testid=waiting]')"""


def settle(page: Page) -> None:
    """Wait until all that the page shows is there: rows and their titles, source, picture."""
    page.wait_for_function(SETTLED)  # by frames: an expectation looks again after a second only
    page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def shoot(page: Page, name: str) -> None:
    """Take a picture for the gallery, if it is to be made anew (`make gallery`)."""
    if os.environ.get("WRONGCALL_GALLERY"):
        GALLERY.mkdir(exist_ok=True)
        page.mouse.move(5, 5)
        page.evaluate("document.activeElement.blur()")
        settle(page)
        page.wait_for_timeout(400)  # for what moves
        page.screenshot(path=GALLERY / f"{name}.png")


Oracle = Callable[[str, dict[str, str], str], bool]
"""Tells by function, what was given and what was returned whether a call is right."""


def sorts_rightly(function: str, given: dict[str, str], returned: str) -> bool:
    """Know what the functions of examples/mergesort.py should do."""
    if function == "merge":
        both = ast.literal_eval(given["left"]) + ast.literal_eval(given["right"])
        return bool(ast.literal_eval(returned) == sorted(both))
    if function == "sort":
        return bool(ast.literal_eval(returned) == sorted(ast.literal_eval(given["numbers"])))
    return False


def merges_rightly(function: str, given: dict[str, str], changed: str) -> bool:
    """Know what the functions of examples/paper_mergesort.py should do: what they leave in c."""
    if function == "distribute":
        return True
    if function != "merge":
        return False
    values = {name: ast.literal_eval(text) for name, text in given.items()}
    wanted = sorted(
        values["a"][values["la"] : values["ra"]] + values["b"][values["lb"] : values["rb"]]
    )
    after = list(values["c"])
    for place, new in re.findall(r"c\[(\d+)\].*?→(\d+)", changed):
        after[int(place)] = int(new)
    return bool(after[values["lc"] :][: len(wanted)] == wanted)


def given(page: Page) -> dict[str, str]:
    """Return what the call in the middle was given, by name, as it is shown."""
    lines = page.locator(
        'main section[aria-label="Given"] [data-testid=value-pick]'
    ).all_inner_texts()
    pairs = (line.split("=", 1) for line in lines)
    return {name.strip(): text.strip() for name, text in pairs}


def returned(page: Page) -> str:
    """Return what the call in the middle returned, as it is shown."""
    return page.locator("main [data-testid=outcome] [data-testid=summary]").first.inner_text()


def changed(page: Page) -> str:
    """Return what the call in the middle changed, as it is shown."""
    shown = page.locator(
        'main section[aria-label="Changed"] [data-testid=change]'
    ).all_inner_texts()
    return "; ".join(text.replace("\n", "") for text in shown)


def members(page: Page) -> list[tuple[str, dict[str, str], str]]:
    """Return the calls of a group that is asked about: function, what it was given, outcome."""
    found = []
    for line in page.locator(
        "[data-testid=step][data-kind=question] [data-testid=member] [data-testid=call-line]"
    ).all():
        title, outcome = line.locator("code").all_inner_texts()
        function, _, inside = title.removesuffix(")").partition("(")
        pairs = re.findall(r"(\w+)=(.*?)(?=, \w+=|$)", inside)
        found.append((function, dict(pairs), outcome.removeprefix("-> ")))
    return found


def asked(page: Page) -> str:
    """Return the function that is asked about; of a list, that of the first call."""
    if page.locator("[data-testid=step][data-kind=question] [data-testid=members]").is_visible():
        return members(page)[0][0]
    return page.locator("[data-testid=step][data-kind=question] h1 code").inner_text()


def version(page: Page) -> str:
    """Return the version of the session that is shown."""
    return page.locator("[data-testid=workspace]").get_attribute("data-version") or ""


def tell(page: Page, act: Callable[[], object]) -> None:
    """Do something that changes the session, and wait until the page shows it."""
    before = version(page)
    act()
    page.wait_for_function(
        "v => document.querySelector('[data-testid=workspace]').dataset.version !== v", arg=before
    )


def search(page: Page, text: str, matches: int) -> Locator:
    """Search calls; the rows that are found."""
    page.get_by_label("Search calls").fill(text)
    # Until they are there, the rows from before are shown.
    settle(page)
    rows = page.locator("[role=treeitem]")
    expect(rows).to_have_count(matches)
    expect(rows.first).to_contain_text(text.lstrip("="))
    return rows


STILL = """row => new Promise(done => {
    let last = null, frames = 0;
    const look = () => {
        const { top } = row.getBoundingClientRect();
        frames = top === last ? frames + 1 : 0;
        last = top;
        if (frames < 6) requestAnimationFrame(look); else done();
    };
    look();
})"""


def at_rest(page: Page, row: Locator) -> Locator:
    """Return a row of a long list, ready for a click.

    A list draws its rows anew after it has scrolled: a row that moves meanwhile is not hit.
    """
    settle(page)
    for _ in range(2):  # it may be out of view again after the first time
        row.scroll_into_view_if_needed()
        row.evaluate(STILL)
    settle(page)
    return row


def row_of(page: Page, text: str) -> Locator:
    """Return the row in the tree that has this text, ready for a click."""
    return at_rest(page, page.locator("[role=treeitem]", has_text=text))


def look_at(page: Page, text: str) -> None:
    """Look at the call whose row in the tree has this text."""
    row_of(page, text).click()
    settle(page)


def scroll_down(page: Page) -> None:
    """Go to the end of the events."""
    settle(page)
    page.locator('[aria-label="Events of the call"]').evaluate(
        "rows => { rows.scrollTop = rows.scrollHeight; }"
    )


def look_at_the_last_merge(page: Page) -> None:
    """Look at the call of paper_mergesort that is wrong."""
    settle(page)
    page.locator("[role=treeitem]").last.click()
    expect(page.locator("[data-kind=looked-at] [data-testid=call-title]")).to_contain_text(
        "merge(a=[4, 9, 0, 0]"
    )
    settle(page)  # its events and its source, too
