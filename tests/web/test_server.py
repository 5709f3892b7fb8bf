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

from tests.recorder.bothways import environment
from tests.web.conftest import ASSETS
from wrongcall.cli.main import main
from wrongcall.trace.file.lock import DebuggerLock
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


def test_a_file_that_is_not_a_trace_is_refused(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    for path in (other, tmp_path / "nothing.wrongcall"):
        status, said = run(str(path))
        assert status == 3
        assert path.name in said


def test_a_port_in_use_is_reported(run: Run, traces: dict[str, Path]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, said = run("--port", port, str(traces["mergesort"]))
    assert status == 2
    assert f"port {port}" in said


@pytest.mark.parametrize("port", ["-1", "65536", "99999999999"])
def test_a_port_that_does_not_exist_is_refused(
    run: Run, traces: dict[str, Path], port: str
) -> None:
    status, said = run("--port", port, str(traces["mergesort"]))
    expected = f"wrongcall: there is no port {port}: use 1 to 65535, or 0 for any free port\n"
    assert (status, said) == (2, expected)


def test_a_missing_page_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, traces: dict[str, Path]
) -> None:
    monkeypatch.setattr("wrongcall.web.assets.files", lambda package: tmp_path)
    with pytest.raises(Exception, match="make web"):
        load_assets()


def test_the_server_listens_on_localhost_only_and_stops_on_a_signal(
    traces: dict[str, Path],
) -> None:
    addresses = []
    for number in (signal.SIGINT, signal.SIGTERM):
        command = [sys.executable, "-c", START, str(traces["mergesort"])]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            address = process.stdout.readline().strip()
            addresses.append(address)
            # A page that follows the changes must not keep it from ending.
            with urllib.request.urlopen(f"{address}api/changes", timeout=30) as changes:
                assert changes.readline().startswith(b"data: ")
                process.send_signal(number)
                assert process.wait(30) in (0, -number)
            assert process.stderr.read() == ""
    tokens = [re.fullmatch(r"http://127\.0\.0\.1:\d+/([\w-]{24})/", a) for a in addresses]
    assert all(tokens)
    assert len({token.group(1) for token in tokens if token}) == 2


def test_only_one_debugger_at_a_time_can_open_a_trace(run: Run, traces: dict[str, Path]) -> None:
    with DebuggerLock(traces["mergesort"]):
        status, said = run(str(traces["mergesort"]))
    assert status == 3
    assert "another debugger" in said


def test_run_web_asks_in_the_browser(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text("def f(x):\n    return x\nprint(f(1))\n")
    start = START.replace('["web", "--no-open", sys.argv[1]]', '["run", "--web", "prog.py"]')
    command = [sys.executable, "-c", start]
    # No browser is opened: the command that would do it does nothing.
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env=environment({"BROWSER": "true"}),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(f"{address}api/changes", timeout=30) as changes:
            assert changes.readline().startswith(b"data: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, -signal.SIGINT)


def test_report_cannot_be_combined_with_web(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "prog.py").write_text("print('ran')\n")
    assert main(["run", "--web", "--report", "x.md", str(tmp_path / "prog.py")]) == 2
    assert capfd.readouterr() == (
        "",
        "wrongcall: --report can't be used with --web; use the page's report button\n",
    )
