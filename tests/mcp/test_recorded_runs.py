"""Agents record scripts and tests of the project, within a time limit."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrongcall.recording
from wrongcall.errors import UsageError, WrongcallError
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.recorded_runs import FOLDER, Wanted, record

pytestmark = pytest.mark.once


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").touch()
    return tmp_path.resolve()


def test_a_script_is_recorded_with_its_arguments(root: Path) -> None:
    (root / "prog.py").write_text(
        "import sys\ndef f(x):\n    return x\nprint('said', f(sys.argv[1]))\n"
    )
    run = record(Wanted(script="prog.py", arguments=("--help",)), Permissions(root))
    assert run.ended == "exit code 0"
    assert run.output == "said --help\n"
    assert run.trace.parent == root / FOLDER
    with wrongcall.recording.open(run.trace) as recording:
        assert recording.calls.count == 2


def test_each_run_has_a_trace_of_its_own(root: Path) -> None:
    (root / "prog.py").write_text("pass\n")
    wanted = Wanted(script="prog.py")
    one, other = (record(wanted, Permissions(root)).trace for _ in range(2))
    assert one != other
    assert one.exists()


def test_a_program_that_takes_too_long_is_stopped(root: Path) -> None:
    (root / "endless.py").write_text(
        "import time\ndef f():\n    while True:\n        time.sleep(0.01)\nf()\n"
    )
    run = record(Wanted(script="endless.py", limit_s=2), Permissions(root))
    assert run.ended == "it was stopped after 2 s"
    with wrongcall.recording.open(run.trace) as recording:
        assert recording.calls.count == 2


def test_the_program_has_no_input_and_its_output_is_cut_at_the_front(root: Path) -> None:
    (root / "prog.py").write_text("print('x' * 9000)\nprint('end')\ninput()\n")
    run = record(Wanted(script="prog.py"), Permissions(root))
    assert run.ended == "exit code 1"
    assert run.output.startswith("…x")
    assert "EOFError" in run.output


def test_what_can_not_be_recorded_is_an_error(root: Path) -> None:
    (root / "empty").mkdir()
    with pytest.raises(WrongcallError, match=r"without a __main__\.py"):
        record(Wanted(script="empty"), Permissions(root))


@pytest.mark.parametrize("wanted", [Wanted(), Wanted(script="a.py", module="b")])
def test_one_thing_is_recorded(root: Path, wanted: Wanted) -> None:
    with pytest.raises(UsageError, match="name one of"):
        record(wanted, Permissions(root))


@pytest.mark.parametrize("limit", [0, -1, 10**6])
def test_a_time_limit_is_reasonable(root: Path, limit: int) -> None:
    (root / "prog.py").touch()
    with pytest.raises(UsageError, match="between 1 and"):
        record(Wanted(script="prog.py", limit_s=limit), Permissions(root))
