"""A person answers the questions below a cell, in JupyterLab."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.notebook.notebooks import DEFINE, LOAD, RUN, WHERE, verdict_on
from tests.web.pages import GALLERY, browsing

TOKEN = "of-the-tests"
LABELS = {"yes": "right", "no": "wrong"}
SLOW_MS = 90_000  # a server, a kernel and a browser start on a busy machine


def write_notebook(path: Path, cells: list[str]) -> None:
    """Write a notebook that has not been run."""
    made: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for number, source in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel}  # else the page asks for one
    content = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content))


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Serve a folder with JupyterLab, on this machine only; the address."""
    import jupyterlab

    share = Path(jupyterlab.__file__).parents[1] / "share" / "jupyter"
    settings = [
        "--ip=127.0.0.1", "--port=0", "--no-browser", "--allow-root", f"--app-dir={share / 'lab'}",
        f"--IdentityProvider.token={TOKEN}", "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    home = {"HOME": str(folder), "JUPYTER_PATH": str(share), "IPYTHONDIR": str(folder / "ipython")}
    command = [sys.executable, "-m", "jupyterlab", *settings]
    log = folder / "server.log"
    with (
        log.open("w") as file,
        subprocess.Popen(
            command, cwd=folder, env={**os.environ, **home}, stdout=file, stderr=file
        ) as server,
    ):
        try:
            yield _address(log, server)
        finally:
            server.terminate()


def _address(log: Path, server: subprocess.Popen[bytes]) -> str:
    while server.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())
        if found:
            return found[0]
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def answer_all(page: Page) -> int:
    """Answer until nothing is asked any more; return how many answers it took."""
    box = page.get_by_role("group", name="wrongcall")
    shown = page.get_by_test_id("wrongcall-text")
    for count in range(10):
        if box.get_attribute("data-kind") != "question":
            return count
        text = shown.inner_text()
        box.get_by_role("button", name=LABELS[verdict_on(text)], exact=True).click()
        expect(shown).not_to_have_text(text)
    raise AssertionError(f"there is no end of questions: {shown.inner_text()}")


def test_a_person_answers_below_the_cell_until_the_finding(tmp_path: Path) -> None:
    pytest.importorskip("jupyterlab", reason=WHERE)
    write_notebook(tmp_path / "sums.ipynb", [LOAD, DEFINE, "rows = [1, 2, 3]", RUN])
    with jupyterlab(tmp_path) as address, browsing() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        page.set_default_timeout(SLOW_MS)
        page.goto(f"{address}lab/tree/sums.ipynb?token={TOKEN}")
        page.get_by_role("button", name="No", exact=True).click()  # no news, please
        expect(page.get_by_text("| Idle")).to_be_visible(timeout=SLOW_MS)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menu").get_by_text("Run All Cells", exact=True).click()
        box = page.get_by_role("group", name="wrongcall")
        expect(box).to_be_visible(timeout=SLOW_MS)
        box.scroll_into_view_if_needed()
        if os.environ.get("WRONGCALL_GALLERY"):
            page.screenshot(path=GALLERY / "notebook.png")
        assert answer_all(page) > 1
        expect(box).to_have_attribute("data-kind", "finding")
        expect(page.get_by_test_id("wrongcall-text")).to_contain_text("wrong = x + x + 1")
        page.screenshot(path=tmp_path / "finding.png")
