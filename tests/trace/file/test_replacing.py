"""Making room for a new trace: no older one is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wrongcall.errors import TraceBusyError, TraceError
from wrongcall.recording import Recording
from wrongcall.trace.file.lock import DebuggerLock
from wrongcall.trace.file.replacing import set_aside
from wrongcall.trace.write.writer import TraceWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.wrongcall"
    TraceWriter(path, {"round": 1}).close("exit")
    return path


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def round_of(path: Path) -> object:
    with Recording(path) as recording:
        return recording.meta.get("round")


def test_an_older_trace_is_there_until_the_new_one_is_finished(path: Path) -> None:
    writer = TraceWriter(path, {"round": 2})
    assert round_of(path.with_name("run.1.wrongcall")) == 1
    writer.close("exit")
    assert names(path.parent) == ["run.wrongcall"]
    assert round_of(path) == 2


def test_a_trace_that_is_discarded_gives_its_place_back(path: Path) -> None:
    inode = path.stat().st_ino
    TraceWriter(path, {"round": 2}).discard()
    assert names(path.parent) == ["run.wrongcall"]
    assert (round_of(path), path.stat().st_ino) == (1, inode)


def test_a_trace_worth_keeping_is_kept_under_a_free_name(path: Path) -> None:
    path.with_name("run.1.wrongcall").write_text("mine")
    for number in (2, 3):
        writer = TraceWriter(path, {"round": number}, precious=lambda path: True)
        writer.close("exit")
    assert names(path.parent) == [f"run.{n}.wrongcall" for n in (1, 2, 3)] + ["run.wrongcall"]
    assert path.with_name("run.1.wrongcall").read_text() == "mine"
    kept = [round_of(path.with_name(f"run.{n}.wrongcall")) for n in (2, 3)]
    assert [*kept, round_of(path)] == [1, 2, 3]


def test_force_overwrites_a_precious_trace(path: Path) -> None:
    TraceWriter(path, {"round": 2}, precious=lambda path: True, force=True).close("exit")
    assert names(path.parent) == ["run.wrongcall"]


def test_a_trace_is_set_aside_with_its_log(path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from wrongcall.trace.write.writer import TraceWriter;"
    code += "TraceWriter(Path(sys.argv[1]), {'round': 7}); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    path.with_name("run.1.wrongcall").unlink()  # which the killed one had set aside
    assert path.with_name("run.wrongcall-wal").stat().st_size
    earlier = set_aside(path, precious=lambda path: True)
    assert names(path.parent) == ["run.1.wrongcall", "run.1.wrongcall-wal"]
    assert round_of(path.with_name("run.1.wrongcall")) == 7
    earlier.restore()
    assert names(path.parent) == ["run.wrongcall", "run.wrongcall-wal"]
    assert round_of(path) == 7


def test_leftover_logs_of_a_removed_trace_are_deleted(path: Path) -> None:
    code = "import os, sys; from pathlib import Path; from wrongcall.trace.write.writer import TraceWriter;"
    code += "TraceWriter(Path(sys.argv[1])); os.kill(os.getpid(), 9)"
    path.unlink()
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    path.unlink()
    assert names(path.parent) == ["run.wrongcall-shm", "run.wrongcall-wal"]
    TraceWriter(path).close("exit")
    assert names(path.parent) == ["run.wrongcall"]


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("there", [True, False])
def test_other_files_are_not_cleared_away(path: Path, suffix: str, there: bool) -> None:
    if not there:
        path.unlink()
    path.with_name(path.name + suffix).write_text("precious")
    before = names(path.parent)
    with pytest.raises(TraceError, match=f"{suffix}: is in the way"):
        TraceWriter(path)
    assert names(path.parent) == before
    TraceWriter(path, force=True).close("exit")
    assert names(path.parent) == ["run.wrongcall"]


@pytest.mark.parametrize("force", [True, False])
def test_links_and_pipes_beside_it_are_never_cleared_away(path: Path, force: bool) -> None:
    path.with_name("precious").write_text("mine")
    path.with_name("run.wrongcall-wal").symlink_to(path.with_name("precious"))
    with pytest.raises(TraceError, match="is in the way"):
        TraceWriter(path, force=force)
    assert path.with_name("precious").read_text() == "mine"


def test_a_trace_that_is_being_recorded_is_not_replaced(path: Path) -> None:
    first = TraceWriter(path, {"round": 2})
    for force in (True, False):
        with pytest.raises(TraceBusyError, match="another program is being recorded"):
            TraceWriter(path, {"round": 3}, force=force)
    first.set_meta({"lines": 5})
    first.close("exit")
    with Recording(path) as recording:
        assert (recording.meta["round"], recording.meta["lines"], recording.ended) == (2, 5, "exit")


def test_an_empty_file_that_somebody_has_just_made_is_not_taken_away(tmp_path: Path) -> None:
    """Another recorder makes its file and then takes the lock: whoever comes second notices."""
    path = tmp_path / "run.wrongcall"
    plain_open = os.open

    def overtaken(file: object, flags: int, *more: int) -> int:
        descriptor = plain_open(file, flags, *more)  # type: ignore[arg-type]
        if flags & os.O_EXCL:
            path.unlink()
            path.write_text("the other one's")
        return descriptor

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "open", overtaken)
        with pytest.raises(TraceBusyError):
            TraceWriter(path)
    assert path.read_text() == "the other one's"


def test_a_trace_that_somebody_asks_about_is_not_replaced(path: Path) -> None:
    with DebuggerLock(path), pytest.raises(TraceBusyError, match="another debugger"):
        TraceWriter(path, force=True)
    assert round_of(path) == 1
