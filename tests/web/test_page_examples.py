"""Every example in the browser, from the first question to its bug; the corrected program answers."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.examples.examples import MOST, Example, Player, examples, recorded
from tests.web import pages
from tests.web.conftest import Open
from wrongcall.session import Verdict

pytestmark = pytest.mark.once

Oracle = Callable[[tuple[int, ...]], Verdict]
"""What the corrected program says about calls."""
NAMES = sorted(examples())
KEYS = {Verdict.RIGHT: "y", Verdict.WRONG: "n"}
BUTTONS = {Verdict.RIGHT: "✓ Right", Verdict.WRONG: "✗ Wrong"}


@pytest.mark.parametrize("name", NAMES)
def test_the_bug_is_found(name: str, open_page: Open, tmp_path: Path) -> None:
    example = examples()[name]
    with oracle(example, tmp_path) as verdict_of:
        served = Path(shutil.copy(tmp_path / f"{name}.wrongcall", tmp_path / "served.wrongcall"))
        page = open_page(name, path=served)
        answer_all(page, verdict_of, by_key=NAMES.index(name) % 2 == 0)
    check_finding(page, example)


@contextmanager
def oracle(example: Example, folder: Path) -> Iterator[Oracle]:
    """Record an example and have it judged, in a thread without the loop of the browser's driver."""
    with ThreadPoolExecutor(1) as thread:
        recording = thread.submit(recorded, example, folder).result()
        try:
            player = thread.submit(Player, example, recording).result()
            yield lambda calls: thread.submit(player.verdict, calls).result()
        finally:
            thread.submit(recording.close).result()


def answer_all(page: Page, verdict_of: Oracle, *, by_key: bool) -> None:
    """Answer until nothing is asked any more, by keys and clicks in turn."""
    asked = page.locator("[data-testid=step][data-kind=question]")
    for number in itertools.count(by_key):
        assert number < MOST
        if not asked.is_visible():
            return
        verdict = verdict_of(asked_calls(page))
        if number % 2:
            pages.tell(page, lambda key=KEYS[verdict]: page.keyboard.press(key))  # type: ignore[misc]
        else:
            pages.tell(page, asked.get_by_role("button", name=BUTTONS[verdict]).click)


def asked_calls(page: Page) -> tuple[int, ...]:
    """Return the calls that the question is about, as the page was told; it shows how many."""
    step = json.loads(page.request.get(page.url.split("?")[0] + "api/session").text())["step"]
    if step["calls"] == 1:
        expect(page.locator("main [data-testid=where]")).to_contain_text(f"call #{step['key']}")
        return (int(step["key"]),)
    expect(page.locator("[data-testid=step][data-kind=question] h1")).to_contain_text(
        f"these {step['calls']} calls"
    )
    assert sum(member["count"] for member in step["members"]) == step["calls"]
    return tuple(member["call"] for member in step["members"])


def check_finding(page: Page, example: Example) -> None:
    """The finding names the function of bugs.toml, and its source has the line."""
    expect(page.locator("[data-testid=step][data-kind=finding] h1")).to_have_text(
        f"The bug is in {example.function}"
    )
    expect(page.locator("[data-testid=step][data-kind=finding]")).to_contain_text(
        "Based on these answers"
    )
    line = example.path.read_text().splitlines()[example.line - 1]
    ran = page.locator(".cm-line.cm-ran", has_text=line.strip())
    scroller = page.locator(".cm-scroller").first
    for _ in range(20):  # only what is in sight is there
        if ran.count():
            break
        scroller.evaluate("element => element.scrollBy(0, 200)")
        page.wait_for_timeout(100)
    expect(ran.first).to_be_visible()
