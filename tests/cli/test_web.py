"""``wrongcall web``: where to start and how to search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import wrongcall.recording
from tests.web.conftest import recorded
from wrongcall.cli.main import main
from wrongcall.recording import Recording
from wrongcall.session.search import How, Start
from wrongcall.web import server

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str]:
        return main(["web", "--no-open", *arguments]), capfd.readouterr().err

    return run


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[How, Start]]:
    """How searches are begun and where, instead of serving them."""
    begun: list[tuple[How, Start]] = []

    def serve(path: Path, how: How, start: Callable[[Recording], Start], **more: object) -> None:
        with wrongcall.recording.open(path) as recording:
            begun.append((how, start(recording)))

    monkeypatch.setattr(server, "serve", serve)
    return begun


def test_where_to_start_and_how_to_search_are_options(
    run: Run, paper: str, started: list[tuple[How, Start]]
) -> None:
    trace = paper
    options = ["--strategy", "top-down", "--trust", "distribute", "--no-balance", "--restart"]
    assert run(trace, *options, "--session", "mine", "--call", "sort") == (0, "")
    assert run(trace, "--printed", "[1, 4, 9, 7]") == (0, "")
    wanted = How("mine", "top-down", balance=False, trust=("distribute",), fresh=True)
    assert started == [(wanted, Start(wrong=3)), (How(), Start(first=(2, 1)))]


def test_an_ambiguous_start_is_refused(
    run: Run, paper: str, started: list[tuple[How, Start]]
) -> None:
    status, said = run(paper, "--call", "merge")
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


def test_the_port_and_the_browser_are_options(
    paper: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    served: list[dict[str, object]] = []

    def serve(path: Path, how: How, start: object, **more: object) -> None:
        tell = more.pop("tell")
        tell("http://127.0.0.1:7/x/")  # type: ignore[operator]
        served.append(more)

    monkeypatch.setattr(server, "serve", serve)
    assert main(["web", paper]) == main(["web", "--no-open", "--port", "7000", paper]) == 0
    assert main(["web", "--keep-address", paper]) == 0
    assert served == [
        {"port": 0, "browse": True, "keep": False},
        {"port": 7000, "browse": False, "keep": False},
        {"port": 0, "browse": True, "keep": True},
    ]
    said = "http://127.0.0.1:7/x/\n(press Ctrl-C to stop; answers are saved in the trace)\n"
    assert capfd.readouterr().out == 3 * said


@pytest.mark.parametrize("port", ["x", "1.5", ""])
def test_a_port_is_a_number(run: Run, paper: str, port: str) -> None:
    status, said = run(paper, "--port", port)
    assert status == 2
    assert "--port" in said
