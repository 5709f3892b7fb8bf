"""The folder in which processes share memory is private, found again, and always removed."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from wrongcall.trace.write import shared_folder
from wrongcall.trace.write.ring import Ring
from wrongcall.trace.write.shared_folder import SharedFolder, began, lives


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of the system's shared memory."""
    monkeypatch.setattr(shared_folder, "SHARED_MEMORY", tmp_path)
    monkeypatch.setattr(shared_folder, "LEAST_FREE", 0)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_only_the_user_can_look_into_it(parent: Path) -> None:
    folder = SharedFolder()
    assert folder.path.parent == parent
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    folder.close()


def test_it_is_removed_with_everything_in_it(parent: Path) -> None:
    folder = SharedFolder()
    (folder.path / "new-3").write_bytes(b"a process died here")
    folder.close()
    folder.close()
    assert list(parent.iterdir()) == []


def test_it_is_made_elsewhere_if_shared_memory_is_small(
    parent: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path_factory.mktemp("usual")
    monkeypatch.setattr(shared_folder, "LEAST_FREE", 1 << 62)
    monkeypatch.setattr("tempfile.tempdir", str(other))
    folder = SharedFolder()
    assert folder.path.parent == other
    folder.close()


def test_another_recording_that_begins_at_any_moment_does_not_remove_it(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def sweep_and_lock(fd: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        shared_folder._sweep(parent)
        lock(fd, how)
        shared_folder._sweep(parent)

    monkeypatch.setattr(fcntl, "flock", sweep_and_lock)
    folder = SharedFolder()
    assert (folder.path / "control").exists()
    folder.close()


def ring_in(folder: SharedFolder, name: str) -> None:
    with Ring.create(8, 16) as ring:
        (folder.path / name).write_bytes(os.pread(ring.fd, 1 << 16, 0))


def test_rings_are_taken_out_when_they_are_counted(parent: Path) -> None:
    folder = SharedFolder()
    ring_in(folder, "ring-2")
    ring_in(folder, "new-3")
    assert folder.new_rings() == []
    folder._words[shared_folder.Shared.RINGS] += 1
    (ring,) = folder.new_rings()
    ring.close()
    assert sorted(path.name for path in folder.path.iterdir()) == ["control", "new-3"]
    folder.close()


def test_a_ring_that_nobody_counted_is_found_by_looking(parent: Path) -> None:
    folder = SharedFolder()
    ring_in(folder, "ring-2")
    (ring,) = folder.new_rings(look=True)
    ring.close()
    folder.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from wrongcall.trace.write import shared_folder
shared_folder.SHARED_MEMORY, shared_folder.LEAST_FREE = Path(sys.argv[1]), 0
shared_folder.SharedFolder()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_recording_removes_what_a_killed_one_left(parent: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(parent)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(parent.iterdir())) == 1
    living = SharedFolder()
    other = SharedFolder()
    assert sorted(parent.iterdir()) == sorted([living.path, other.path])
    living.close()
    other.close()


def test_a_process_lives_until_it_has_ended_even_if_nobody_waited_for_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    since = began(process.pid)
    assert since > 0
    assert lives(process.pid, since)
    assert lives(process.pid, 0)
    assert not lives(process.pid, since + 1)
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it stays, as a zombie
    assert not lives(process.pid, since)
    process.communicate()
    assert began(process.pid) == 0
