"""The extension in a real VS Code (code-server, in chromium): record a program, step back, answer, scrub.

With WRONGCALL_GALLERY=1 it makes the pictures for docs/guide/editors.md, too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.clients.conftest import PROGRAMS, ROOT

EDITOR = PROGRAMS / "code-server" / "out" / "node" / "entry.js"
EXTENSION = ROOT / "editors" / "vscode" / "wrongcall.vsix"
PICTURES = ROOT / "docs" / "gallery"
SLOW = 90_000
"""Milliseconds until a part of the editor must be there: it starts slowly on a busy machine."""
SETTINGS = {
    "wrongcall.command": [sys.executable, "-m", "wrongcall"],
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "telemetry.telemetryLevel": "off",
    "window.menuBarVisibility": "compact",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an example, and one with a test that has failed."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(ROOT / "examples" / "mergesort.py", folder)
    for path in (ROOT / "examples" / "orders").glob("*.py"):
        shutil.copy(path, folder)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist"]
    assert subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL).returncode == 1
    return folder


@pytest.fixture(scope="module")
def address(node: str, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start VS Code with the extension; return its address."""
    home = tmp_path_factory.mktemp("home")
    (home / "data" / "User").mkdir(parents=True)
    (home / "data" / "User" / "settings.json").write_text(json.dumps(SETTINGS))
    folders = ["--user-data-dir", str(home / "data"), "--extensions-dir", str(home / "extensions")]
    environment = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config")}
    command = [node, str(EDITOR), *folders]
    subprocess.run([*command, "--install-extension", str(EXTENSION)], env=environment, check=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command += ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry"]
    command += ["--disable-update-check", "--disable-workspace-trust", str(project)]
    with subprocess.Popen(command, env=environment, start_new_session=True) as server:
        try:
            _wait_for(port)
            yield f"http://127.0.0.1:{port}/?folder={project}"
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise TimeoutError("code-server does not listen")


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        shown = browser.new_page(viewport={"width": 1280, "height": 900})
        shown.set_default_timeout(SLOW)
        shown.goto(address)
        yield shown
        # The adapter ends with its session, not with the page: VS Code waits for the page to come back.
        shown.keyboard.press("Shift+F5")
        browser.close()


def open_file(page: Page, name: str) -> None:
    page.get_by_role("treeitem", name=name).dblclick()
    expect(page.get_by_role("code").first).to_be_visible(timeout=SLOW)


def go_to_line(page: Page, line: int) -> None:
    page.get_by_role("code").first.click()
    page.keyboard.press("Control+g")
    asked = page.get_by_role("textbox", name=re.compile("line number", re.IGNORECASE))
    asked.fill(f":{line}")
    asked.press("Enter")


def press_until(page: Page, key: str, shown: Locator, seconds: int) -> None:
    """Press a key until something is shown: extensions are loaded late, and keys mean nothing before."""
    for _ in range(SLOW // (1000 * seconds)):
        page.keyboard.press(key)
        with suppress(PlaywrightTimeout):
            shown.wait_for(timeout=seconds * 1000)
            return
    expect(shown).to_be_visible()


def stack(page: Page) -> Locator:
    return page.get_by_role("treegrid", name="Debug Call Stack")


def view(page: Page, what: str) -> Frame:
    """Return the frame of the view that has an element."""
    for _ in range(300):
        for frame in page.frames:
            with suppress(PlaywrightError):  # a view that shows something new has a new frame
                if frame.locator(what).count():
                    return frame
        page.wait_for_timeout(100)
    raise TimeoutError(f"no view has {what}")


def take_picture(page: Page, name: str) -> None:
    if os.environ.get("WRONGCALL_GALLERY"):
        page.screenshot(path=PICTURES / name)


def test_a_program_is_recorded_and_stepped_back(page: Page) -> None:
    open_file(page, "mergesort.py")
    page.keyboard.press("Control+Shift+D")
    go_to_line(page, 15)
    set_here = page.get_by_role("checkbox", name=re.compile("^mergesort.py 15"))
    press_until(page, "F9", set_here, 5)
    top = stack(page).get_by_role("row").first
    press_until(page, "F5", top, 30)
    expect(top).to_have_accessible_name("Stack Frame merge, line 15, mergesort.py")
    page.get_by_role("button", name="Step Back", exact=True).click()
    expect(top).to_have_accessible_name("Stack Frame merge, line 8, mergesort.py")
    variables = page.get_by_role("tree", name="Debug Variables")
    expect(variables.get_by_role("treeitem", name="merged, value [2]")).to_be_visible()

    # Counts and values stand beside the lines.
    expect(page.get_by_text("left = [2], right = [8]")).to_be_visible(timeout=SLOW)

    # The view asks; an answer leads to another question.
    asking = view(page, "button[data-verdict=no]")
    expect(asking.get_by_text("Question 1")).to_be_visible()
    take_picture(page, "vscode.png")
    asking.get_by_role("button", name="wrong", exact=True).click()
    view(page, "text=Question 2")

    # The slider moves the run.
    slider = view(page, "input[type=range]").get_by_role("slider", name="Time of the run")
    slider.press("Home")
    expect(top).to_have_accessible_name("Stack Frame <module>, line 4, mergesort.py")


def test_only_the_test_that_failed_can_be_debugged_beside_it(page: Page) -> None:
    open_file(page, "test_orders.py")
    lens = page.get_by_role("button", name="Debug this test with wrongcall")
    expect(lens).to_have_count(1, timeout=SLOW)
    take_picture(page, "vscode-test.png")
    lens.click()
    page.keyboard.press("Control+Shift+D")
    expect(stack(page).get_by_role("row").first).to_have_accessible_name(
        re.compile("Stack Frame test_an_order_is_summed_up"), timeout=SLOW
    )
