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
from tests.web.conftest import ASSETS, recorded
from wrongcall.cli.main import main
from wrongcall.session.search import How, Start
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


def test_one_debugger_at_a_time(run: Run, traces: dict[str, Path]) -> None:
    with DebuggerLock(traces["mergesort"]):
        status, said = run(str(traces["mergesort"]))
    assert status == 3
    assert "another debugger" in said


def test_run_and_ask_in_the_browser(tmp_path: Path) -> None:
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


def test_a_report_is_no_option_of_the_page(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "prog.py").write_text("print('ran')\n")
    assert main(["run", "--web", "--report", "x.md", str(tmp_path / "prog.py")]) == 2
    assert capfd.readouterr() == (
        "",
        "wrongcall: --report can't be used with --web; use the page's report button\n",
    )


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[How, Start]]:
    """How searches are begun and where, instead of serving them."""
    begun: list[tuple[How, Start]] = []
    monkeypatch.setattr(
        server, "serve", lambda path, how, start, **more: begun.append((how, start))
    )
    return begun


def test_where_to_start_and_how_to_search_are_options(
    run: Run, traces: dict[str, Path], started: list[tuple[How, Start]]
) -> None:
    trace = str(traces["paper_mergesort"])
    options = ["--strategy", "top-down", "--trust", "distribute", "--no-balance", "--restart"]
    assert run(trace, *options, "--session", "mine", "--call", "sort") == (0, "")
    assert run(trace, "--printed", "[1, 4, 9, 7]") == (0, "")
    wanted = How("mine", "top-down", balance=False, trust=("distribute",), fresh=True)
    assert started == [(wanted, Start(wrong=3)), (How(), Start(first=(2, 1)))]


def test_a_start_that_is_not_one_call_is_refused(
    run: Run, traces: dict[str, Path], started: list[tuple[How, Start]]
) -> None:
    status, said = run(str(traces["paper_mergesort"]), "--call", "merge")
    assert status == 2
    assert "3 calls match; pick one, for example --call #5:" in said
    assert "  #8 merge(" in said
    assert started == []


def test_the_settings_of_the_project_count(
    run: Run, tmp_path: Path, started: list[tuple[How, Start]]
) -> None:
    (tmp_path / "prog.py").write_text("def f(x):\n    return x\nprint(f(1))\n")
    (tmp_path / "pyproject.toml").write_text('[tool.wrongcall]\ntrust = ["f"]\nbalance = false\n')
    trace = recorded(tmp_path / "prog.py", tmp_path / "prog.wrongcall")
    assert run(str(trace), "--trust", "g") == (0, "")
    assert started == [(How(trust=("f", "g"), balance=False), Start())]
