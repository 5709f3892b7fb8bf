"""The page of a trace is served for a notebook, which shows a link to it."""

from __future__ import annotations

import urllib.request
from pathlib import Path

import pytest

from tests.recorder.conftest import run_recorded, write_program
from wrongcall.errors import UsageError
from wrongcall.notebook.page import Page


def test_the_link_leads_to_the_page_until_it_is_closed(tmp_path: Path) -> None:
    write_program(tmp_path, "def f(x):\n    return x\n\nf(1)\n")
    assert run_recorded(["prog.py"], tmp_path).returncode == 0
    page = Page(tmp_path / "trace.wrongcall")
    assert repr(page).startswith("http://127.0.0.1:")
    assert f'href="{page.address}"' in page._repr_html_()
    with urllib.request.urlopen(page.address) as answer:
        assert answer.status == 200
    page.close()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(page.address)


def test_a_trace_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        Page(tmp_path / "none.wrongcall")
