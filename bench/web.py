"""Measure the page in a browser, on traces of one and of ten million calls: `make bench-web`.

    web.py [--trace FILE] [--scale N ...] [--answers N]

Records `workloads/accounts.py` (or takes a trace), serves it, and drives Debian's chromium. All times are taken in the
browser, as a user would see them. The machine's other work makes them longer: beside them stand the processor time that
the server took for the same (all its threads, without the processes that it starts), and the machine's load before and
after. The limits are the project's own, for each size; they hold for times by the clock.
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
from functools import partial
from pathlib import Path
from typing import NamedTuple

from commands import record_command
from playwright.sync_api import Page, sync_playwright

WORKLOAD = Path(__file__).resolve().parent / "workloads" / "accounts.py"
SCALES = (460, 4600)
"""At these scales, the workload makes one and ten million calls."""
MANY_CALLS = 5_000_000
"""From this number of calls on, the limits of the larger size apply."""
FIRST_QUESTION = "first question after the server's start"
WORST_ANSWER = "an answer to the next question, worst"
LIMITS = {
    FIRST_QUESTION: (2000.0, 6000.0),
    "first paint of the question and the tree": (1000.0, 1000.0),
    "an answer to the next question, median": (200.0, 500.0),
    WORST_ANSWER: (200.0, 500.0),
    "longest blank row while scrolling": (100.0, 200.0),
    "longest blank panel after a click": (0.0, 0.0),
    "first matches of a condition": (200.0, 500.0),
    "first results of a name": (200.0, 500.0),
    "first values that are 4": (200.0, 500.0),
    "memory of the page": (200.0, 200.0),
}
"""By name: up to `MANY_CALLS`, and from there on."""
LONGEST_WAIT_MS = 180_000
"""For the first question, on a busy machine."""
UNITS = {"memory of the page": "MB", "frames per second": ""}
_PROCESSOR_CLOCK = 2
"""The processor time of a process, as Linux numbers its clocks (clock_getcpuclockid)."""


class Figure(NamedTuple):
    """What was measured: a number, and for times the processor time that the server took meanwhile, in ms."""

    value: float
    processor: float | None = None


Figures = dict[str, Figure]
SEARCHES = {
    "first matches of a condition": "amount > 5",
    "first results of a name": "deposit",
    "first values that are 4": "=4",
}
"""What the run is searched for."""

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


# Runs in the page: clicks on rows of the tree, and measures how long the middle or the source had nothing to show.
CLICKING = """async () => {
    let blankSince = 0, longest = 0;
    const isBlank = () => !document.querySelector("main [data-testid=step]")
        || document.querySelector("main [data-kind=loading], [aria-label='Inside the call'] [data-kind=loading]");
    for (let click = 0; click < 12; click++) {
        const rows = [...document.querySelectorAll("[role=treeitem]")];
        rows[(3 + 5 * click) % rows.length].click();
        const until = performance.now() + 700;
        while (performance.now() < until) {
            await new Promise(requestAnimationFrame);
            const now = performance.now();
            if (!isBlank()) blankSince = 0;
            else if (!blankSince) blankSince = now;
            else longest = Math.max(longest, now - blankSince);
        }
    }
    return longest;
}"""

# Runs in the page: how long the requests of a search took, the one with the first results included.
SEARCHED = """() => performance.getEntriesByType("resource")
    .filter(entry => entry.name.includes("/find?")).map(entry => [entry.startTime, entry.responseEnd])"""
SEARCH_GONE_MS = 400
"""Until the results of the search before are gone."""


def main() -> int:
    """Measure and print."""
    options = arguments()
    for scale in [0] if options.trace else options.scale:
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder, "accounts.wrongcall")
            if options.trace:
                shutil.copy(options.trace, trace)
            else:
                record(trace, scale)
            before = os.getloadavg()[0]
            with serving(trace) as server:
                calls, figures = measure(server, options.answers)
        show(calls, figures, (before, os.getloadavg()[0]))
    return 0


def arguments() -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--trace", help="a trace to show instead")
    parser.add_argument(
        "--scale", type=int, nargs="+", default=SCALES, help=f"how much to record {SCALES}"
    )
    parser.add_argument("--answers", type=int, default=12, help="how many questions to answer")
    return parser.parse_args()


def record(trace: Path, scale: int) -> None:
    """Record the workload, as a project of its own: oracles remember the answers of the one that they are in."""
    program = shutil.copy(WORKLOAD, trace.parent)
    subprocess.run([*record_command(trace), program, str(scale)], check=True, cwd=trace.parent)


class Server(NamedTuple):
    """A running server."""

    address: str
    pid: int
    started: float
    """Seconds from its start until it printed its address."""

    def processor_ms(self) -> float:
        """Return the processor time that it has used so far, without processes that it started."""
        return 1000 * time.clock_gettime(~self.pid << 3 | _PROCESSOR_CLOCK)

    def measured(self, act: Callable[[], float]) -> Figure:
        """Do something that returns how long it took; return that with the processor time."""
        before = self.processor_ms()
        value = act()
        return Figure(value, self.processor_ms() - before)


@contextmanager
def serving(trace: Path) -> Iterator[Server]:
    """Serve a trace."""
    command = [sys.executable, "-m", "wrongcall", "web", "--no-open", str(trace)]
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().strip()
            yield Server(address, server.pid, time.monotonic() - began)
        finally:
            server.terminate()


def measure(server: Server, answers: int) -> tuple[int, Figures]:
    """Drive the browser; return the number of calls, and what was measured."""
    browsers = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, browsers)), None)
    if path is None:
        sys.exit("no chromium found; please install it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--enable-precise-memory-info"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        starting = time.monotonic()  # the browser's own start is not the server's
        painted(page, server.address)
        ready = time.monotonic() - starting + server.started
        # The server has been reading since it started.
        figures = {FIRST_QUESTION: Figure(1000 * ready, server.processor_ms())}
        page.wait_for_timeout(8000)  # until groups of calls are found
        figures["first paint of the question and the tree"] = server.measured(
            lambda: painted(page, server.address)
        )
        # Later, it may tell places inside a call.
        shown = page.locator("[data-testid=progress]").inner_text()
        page.get_by_label("Search calls").fill("deposit")
        page.wait_for_timeout(1500)
        longest, rate, _ = page.evaluate(SCROLLING)
        figures |= {
            "longest blank row while scrolling": Figure(longest),
            "frames per second": Figure(rate),
        }
        page.get_by_label("Search calls").fill("")
        page.wait_for_timeout(500)
        figures["longest blank panel after a click"] = Figure(page.evaluate(CLICKING))
        for name, text in SEARCHES.items():
            figures[name] = server.measured(partial(searched, page, text))
        page.keyboard.press("g")  # from the call that was clicked, back to the question
        page.wait_for_timeout(500)
        page.locator("body").click(position={"x": 640, "y": 500})
        times = answered(page, server, answers)
        figures |= {
            "an answer to the next question, median": Figure(
                statistics.median(each.value for each in times),
                statistics.median(each.processor or 0 for each in times),
            ),
            WORST_ANSWER: max(times, key=lambda each: each.value),
            "the answer with the most processor time": max(
                times, key=lambda each: each.processor or 0
            ),
            "of it request and answer, median": Figure(statistics.median(page.evaluate(REQUESTS))),
            "memory of the page": Figure(memory(page)),
        }
        browser.close()
    return int(shown.split(" of ")[-1].split(" call")[0].replace(",", "")), figures


def painted(page: Page, address: str) -> float:
    """Open the page; return how long it takes until a question and rows of the tree are visible, in ms."""
    page.goto(address, wait_until="commit")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=step] h1') && document.querySelector('[role=treeitem] b')",
        timeout=LONGEST_WAIT_MS,
    )
    return float(
        page.evaluate("() => new Promise(d => requestAnimationFrame(() => d(performance.now())))")
    )


def searched(page: Page, text: str) -> float:
    """Search the run; return how long after the request the first results were there, in ms."""
    page.keyboard.press("Control+k")
    page.get_by_label("Search the run").fill("")
    page.wait_for_timeout(SEARCH_GONE_MS)
    page.evaluate("() => performance.clearResourceTimings()")
    page.get_by_label("Search the run").fill(text)
    page.wait_for_function("() => document.querySelector('[data-result]')")
    spans = page.evaluate(SEARCHED)
    page.keyboard.press("Escape")
    return float(spans[-1][1] - spans[0][0])


def answered(page: Page, server: Server, count: int) -> list[Figure]:
    """Answer questions; return how long each took. Undo when something is found."""
    times: list[Figure] = []
    keys: Callable[[int], str] = lambda n: "n" if n % 4 == 0 else "y"  # noqa: E731
    while len(times) < count:
        if not page.locator("[data-testid=step][data-kind=question]").is_visible():
            page.evaluate(ANSWER, "u")
        else:
            times.append(server.measured(partial(page.evaluate, ANSWER, keys(len(times)))))
        page.wait_for_timeout(300)
    return times


def memory(page: Page) -> float:
    """Return what the page holds, in MB, after a garbage collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return float(page.evaluate("() => performance.memory.usedJSHeapSize")) / 1e6


def show(calls: int, figures: Figures, loads: tuple[float, float]) -> None:
    """Print the figures with their limits."""
    load = " and ".join(f"{each:.1f}" for each in loads)
    print(f"{calls:,} calls; load of the machine {load}, {time.strftime('%Y-%m-%d')}")
    print(f"{'':45} {'clock':>11} {'processor':>12}")
    for name, (value, processor) in figures.items():
        unit, verdict = UNITS.get(name, "ms"), ""
        if name in LIMITS:
            limit = LIMITS[name][calls >= MANY_CALLS]
            verdict = f"limit {limit:g} {unit}: {judged(value, processor, limit)}"
        spent = "" if processor is None else f"{processor:.0f} ms"
        print(f"{name:45} {value:8.0f} {unit:2} {spent:>12}   {verdict}".rstrip(), flush=True)


def judged(value: float, processor: float | None, limit: float) -> str:
    """Return whether a limit is kept; where it is not, other work on the machine may have taken the time."""
    if value <= limit:
        return "kept"
    return "MISSED" if processor is None or processor > limit else "MISSED (not by processor time)"


if __name__ == "__main__":
    sys.exit(main())
