"""Measure the page in a browser, on a trace of a million calls: `make bench-web`.

    web.py [--trace FILE] [--scale N] [--answers N]

Records `workloads/accounts.py` (or takes a trace), serves it, and drives Debian's chromium. All times are taken in the
browser, as a user would see them. The limits are the project's own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commands import record_command
from playwright.sync_api import Page, sync_playwright

WORKLOAD = Path(__file__).resolve().parent / "workloads" / "accounts.py"
SCALE = 460
"""At this scale, the workload makes a million calls."""
LIMITS = {
    "first paint of the question and the tree": (1000.0, "ms"),
    "an answer to the next question, median": (200.0, "ms"),
    "an answer to the next question, worst": (200.0, "ms"),
    "longest blank row while scrolling": (100.0, "ms"),
    "memory of the page": (200.0, "MB"),
}

# Runs in the page: moves the tree's scroll bar frame by frame, and measures how long a row was blank.
SCROLLING = """async () => {
    const rows = document.querySelector("[role=tree]");
    let blankSince = 0, longest = 0, frames = 0;
    const until = performance.now() + 6000;
    while (performance.now() < until) {
        rows.scrollTop += 60;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frames += 1;
        const view = rows.getBoundingClientRect();
        const blank = [...rows.querySelectorAll("[data-testid=waiting]")].some(row => {
            const box = row.getBoundingClientRect();
            return box.bottom > view.top && box.top < view.bottom;
        });
        if (!blank) blankSince = 0;
        else if (!blankSince) blankSince = now;
        else longest = Math.max(longest, now - blankSince);
    }
    return [longest, frames / 6, rows.scrollTop];
}"""

REQUESTS = """() => performance.getEntriesByType("resource")
    .filter(entry => entry.name.endsWith("session/answer")).map(entry => entry.duration)"""

# Runs in the page: presses a key and waits for the next frame that shows another version.
ANSWER = """key => new Promise(done => {
    const desk = document.querySelector("[data-testid=workspace]");
    const before = desk.dataset.version, began = performance.now();
    window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const look = () => {
        if (desk.dataset.version !== before) done(performance.now() - began);
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""


def main() -> int:
    """Measure and print."""
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "accounts.wrongcall")
        if options.trace:
            shutil.copy(options.trace, trace)
        else:
            record(trace, options.scale)
        with serving(trace) as address:
            figures = measure(address, options.answers)
    show(figures)
    return 0


def arguments() -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--trace", help="a trace to show instead")
    parser.add_argument("--scale", type=int, default=SCALE, help=f"how much to record ({SCALE})")
    parser.add_argument("--answers", type=int, default=12, help="how many questions to answer")
    return parser.parse_args()


def record(trace: Path, scale: int) -> None:
    """Record the workload."""
    command = record_command(trace)
    subprocess.run([*command, str(WORKLOAD), str(scale)], check=True)


@contextmanager
def serving(trace: Path) -> Iterator[str]:
    """Serve a trace until the tree is available; yield the address."""
    command = [sys.executable, "-m", "wrongcall", "web", "--no-open", str(trace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def measure(address: str, answers: int) -> dict[str, Any]:
    """Drive the browser."""
    browsers = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, browsers)), None)
    if path is None:
        sys.exit("no chromium found; please install it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--enable-precise-memory-info"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        opening = painted(page, address)
        page.wait_for_timeout(8000)  # until groups of calls are found
        figures: dict[str, Any] = {
            "opening just after the server was started": opening,
            "first paint of the question and the tree": painted(page, address),
        }
        page.get_by_label("Search calls").fill("deposit")
        page.wait_for_timeout(1500)
        longest, rate, _ = page.evaluate(SCROLLING)
        figures |= {"longest blank row while scrolling": longest, "frames per second": rate}
        page.get_by_label("Search calls").fill("")
        page.locator("body").click(position={"x": 640, "y": 500})
        times = answered(page, answers)
        figures |= {
            "an answer to the next question, median": statistics.median(times),
            "an answer to the next question, worst": max(times),
            "of it request and answer, median": statistics.median(page.evaluate(REQUESTS)),
            "memory of the page": memory(page),
            "calls": page.locator("[data-testid=progress]")
            .inner_text()
            .split(" of ")[-1]
            .split(" call")[0],
        }
        browser.close()
    return figures


def painted(page: Page, address: str) -> float:
    """Open the page; return how long it takes until a question and rows of the tree are visible, in ms."""
    page.goto(address, wait_until="commit")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=step] h1') && document.querySelector('[role=treeitem] b')"
    )
    return float(
        page.evaluate("() => new Promise(d => requestAnimationFrame(() => d(performance.now())))")
    )


def answered(page: Page, count: int) -> list[float]:
    """Answer questions; return how long each took, in ms. Undo when something is found."""
    times: list[float] = []
    keys: Callable[[int], str] = lambda n: "n" if n % 4 == 0 else "y"  # noqa: E731
    while len(times) < count:
        if not page.locator("[data-testid=step][data-kind=question]").is_visible():
            page.evaluate(ANSWER, "u")
        else:
            times.append(float(page.evaluate(ANSWER, keys(len(times)))))
        page.wait_for_timeout(300)
    return times


def memory(page: Page) -> float:
    """Return what the page holds, in MB, after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return float(page.evaluate("() => performance.memory.usedJSHeapSize")) / 1e6


def show(figures: dict[str, Any]) -> None:
    """Print the figures with their limits."""
    print(
        f"{figures.pop('calls')} calls; load of the machine {os.getloadavg()[0]:.1f}, {time.strftime('%Y-%m-%d')}"
    )
    for name, value in figures.items():
        limit, unit = LIMITS.get(name, (None, "" if name.startswith("frames") else "ms"))
        verdict = (
            ""
            if limit is None
            else f"   limit {limit:g} {unit}: {'kept' if value <= limit else 'MISSED'}"
        )
        print(f"{name:45} {value:8.0f} {unit:3}{verdict}")


if __name__ == "__main__":
    sys.exit(main())
