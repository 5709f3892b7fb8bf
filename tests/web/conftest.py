"""Tests of the page's server run it in process, without sockets; those of the page, in a browser."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from starlette.testclient import TestClient

from tests.web import pages
from wrongcall.session.oracles import Oracle
from wrongcall.session.search import How
from wrongcall.web.app import application
from wrongcall.web.assets import NONCE_MARK, Asset
from wrongcall.web.worker import Worker

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOP = Path(__file__).parents[1] / "programs" / "shop.py"
TOKEN = "secret-of-the-tests"
ASSETS = {
    "index.html": Asset(b'<meta name="nonce" content="' + NONCE_MARK + b'">', "text/html"),
    "assets/index.js": Asset(b"run()", "text/javascript"),
}
Serve = Callable[[Path], TestClient]
Open = Callable[..., Page]


def recorded(program: Path, trace: Path, *arguments: str) -> Path:
    """Record a program."""
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(trace), str(program)]
    subprocess.run([*command, *arguments], capture_output=True, timeout=120, check=True)
    return trace


@pytest.fixture(scope="session")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The recorded examples, by name."""
    folder = tmp_path_factory.mktemp("traces")
    names = ("mergesort", "paper_mergesort")
    return {n: recorded(EXAMPLES / f"{n}.py", folder / f"{n}.wrongcall") for n in names}


class Silent(Oracle):
    """Is asked, and has no opinion."""

    name = "silent"

    def opinion(self, calls: tuple[int, ...]) -> None:
        return None


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve a copy of a trace: sessions are written to it. The same one again: by a new server."""
    clients: dict[Path, TestClient] = {}

    def start(trace: Path) -> TestClient:
        copy = tmp_path / trace.name
        if copy in clients:
            clients.pop(copy).__exit__()
        if not copy.exists():
            shutil.copy(trace, copy)
        app = application(Worker(copy, How(oracles=lambda _: [Silent()])), ASSETS, TOKEN)
        client = TestClient(
            app, base_url="http://127.0.0.1:7000", headers={"Origin": "http://127.0.0.1:7000"}
        )
        client.__enter__()
        clients[copy] = client
        return client

    yield start
    for client in clients.values():
        client.__exit__()


@pytest.fixture
def paper(serve: Serve, traces: dict[str, Path]) -> TestClient:
    """The merge sort of the JHyde paper, served."""
    return serve(traces["paper_mergesort"])


# -- the page in a browser -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser."""
    with pages.browsing() as started:
        yield started


@pytest.fixture(scope="module")
def every(traces: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The traces to look at."""
    folder = tmp_path_factory.mktemp("shop")
    return {**traces, "shop": recorded(SHOP, folder / "shop.wrongcall")}


@pytest.fixture(scope="module")
def served(every: dict[str, Path]) -> Iterator[Callable[[str], str]]:
    """Serve traces for tests that only look: the address of each."""
    addresses: dict[str, str] = {}
    with ExitStack() as running:

        def address(name: str) -> str:
            if name not in addresses:
                addresses[name] = running.enter_context(pages.serving(every[name]))
            return addresses[name]

        yield address


@pytest.fixture
def open_page(
    browser: Browser, every: dict[str, Path], served: Callable[[str], str], tmp_path: Path
) -> Iterator[Open]:
    """Open a trace; to answer questions, a copy of it. Nothing may go wrong in the browser meanwhile."""
    problems: list[str] = []
    running = ExitStack()

    def start(
        name: str,
        *,
        answering: bool = False,
        dark: bool = False,
        path: Path | None = None,
        expected: str = "nothing",
        first_visit: bool = False,
    ) -> Page:
        def note(problem: str) -> None:
            if expected not in problem:
                problems.append(problem)

        if answering:
            path = Path(shutil.copy(every[name], tmp_path / f"{name}.wrongcall"))
        address = running.enter_context(pages.serving(path)) if path else served(name)
        context = browser.new_context(
            viewport=pages.SIZE, color_scheme="dark" if dark else "light", accept_downloads=True
        )
        running.callback(context.close)
        if not first_visit:
            context.add_init_script("localStorage.setItem('knows what to do', 'yes')")
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: note(f"dialog: {dialog.message}"))
        page.on("console", lambda said: note(said.text) if said.type == "error" else None)
        page.goto(address)
        pages.settle(page)
        return page

    with running:
        yield start
    assert problems == []
