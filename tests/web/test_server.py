"""The command: what it prints, where it listens, how it ends, and what it says when it cannot."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.conftest import ASSETS
from wrongcall.cli.main import main
from wrongcall.web import server
from wrongcall.web.assets import load_assets

# The page need not be built for these.
START = f"""
import sys
from wrongcall.cli.main import main
from wrongcall.web import server
from wrongcall.web.assets import Asset
server.load_assets = lambda: {ASSETS!r}
sys.exit(main(["web", "--no-open", sys.argv[1]]))
"""
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(server, "load_assets", lambda: ASSETS)

    def run(*arguments: str) -> tuple[int, str]:
        return main(["web", "--no-open", *arguments]), capfd.readouterr().err

    return run


def test_what_is_no_trace_is_refused(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    for path in (other, tmp_path / "nothing.wrongcall"):
        status, said = run(str(path))
        assert status == 3
        assert path.name in said


def test_a_port_that_is_taken_is_told(run: Run, traces: dict[str, Path]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, said = run("--port", port, str(traces["mergesort"]))
    assert status == 2
    assert f"port {port}" in said


def test_a_page_that_is_not_built_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: dict[str, Path]
) -> None:
    monkeypatch.setattr("wrongcall.web.assets.files", lambda package: tmp_path)
    with pytest.raises(Exception, match="make web"):
        load_assets()


def test_it_serves_on_this_machine_only_and_ends_when_told_to(traces: dict[str, Path]) -> None:
    addresses = []
    for number in (signal.SIGINT, signal.SIGTERM):
        command = [sys.executable, "-c", START, str(traces["mergesort"])]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            addresses.append(address)
            # A page that follows the changes must not keep it from ending.
            with urllib.request.urlopen(f"{address}api/changes", timeout=30) as changes:
                assert changes.readline().startswith(b"data: ")
                process.send_signal(number)
                assert process.wait(30) in (0, -number)
    tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/([\w-]{24})/", a) for a in addresses]
    assert all(tokens)
    assert len({token.group(1) for token in tokens if token}) == 2
