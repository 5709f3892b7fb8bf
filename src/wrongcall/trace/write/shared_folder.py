"""The folder in which the processes of a run have their rings, from the reader's side.

Every process that the program starts makes a ring of its own, in a file of this folder, and counts it on the *control*
page, which all of them map. So the folder is listed only when there is something new. The native side is
``recorder/native/emit/shared_folder.c``.

Invariants: the folder can be used by this user alone. It is removed by `close`; if this process is killed, the next
recording removes it (`_sweep`): the control page is locked as long as its reader lives.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import shutil
import tempfile
from enum import IntEnum
from pathlib import Path

from wrongcall.errors import RecorderError
from wrongcall.trace.write.ring import Ring

PREFIX = "wrongcall-"
SHARED_MEMORY = Path("/dev/shm")
LEAST_FREE = 1 << 30
"""Bytes that must be free in shared memory; containers often have little of it."""
CONTROL_SIZE = 4096
_ZOMBIE = ("Z", "X")
_STATE, _BEGAN = 0, 19
"""Fields of /proc/PID/stat, counted from the one after the command."""


class Shared(IntEnum):
    """The 64-bit fields of the control page, by their index."""

    STARTED = 8
    RINGS = 9
    FINISHED = 16
    DRAIN_STATE = 17
    DRAIN_PID = 24
    DRAIN_BEGAN = 25


class SharedFolder:
    """The folder of one recording."""

    def __init__(self) -> None:
        """Make the folder, in memory if there is room."""
        try:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_parent()))
            self._fd = _locked(self.path / "control")
            os.ftruncate(self._fd, CONTROL_SIZE)
            self._memory = mmap.mmap(self._fd, CONTROL_SIZE)
        except OSError as exc:
            raise RecorderError(f"cannot make a folder for shared memory: {exc.strerror}") from exc
        self._words = memoryview(self._memory).cast("Q")
        self._words[Shared.DRAIN_PID] = os.getpid()
        self._words[Shared.DRAIN_BEGAN] = began(os.getpid())
        self._looked = 0
        """How many rings there were when the folder was listed."""

    @property
    def started(self) -> int:
        """How many processes the program and its children have started."""
        return self._words[Shared.STARTED]

    def finish(self, count: int) -> None:
        """Say how many processes have ended."""
        self._words[Shared.FINISHED] = count

    def stop(self) -> None:
        """Let no further process begin to record itself."""
        self._words[Shared.DRAIN_STATE] = 1

    def new_rings(self, *, look: bool = False) -> list[Ring]:
        """Take the rings that have appeared out of the folder; ``look``: even if nobody counted one."""
        count = self._words[Shared.RINGS]
        if count == self._looked and not look:
            return []
        self._looked = count
        found = []
        for path in sorted(self.path.iterdir()):
            if path.name.startswith("ring-"):
                found.append(Ring(os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)))
                path.unlink()
        return found

    def close(self) -> None:
        """Remove the folder."""
        if not self._memory.closed:
            self.stop()
            self._words.release()
            self._memory.close()
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._fd)


def _locked(path: Path) -> int:
    """Make a file that is locked as soon as it has its name, so that no other recording sweeps it away."""
    made = path.with_suffix(".new")
    fd = os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(fd, fcntl.LOCK_EX)
    made.rename(path)
    return fd


def _parent() -> Path:
    """Return where to make the folder, and remove what killed recordings left there."""
    usual = Path(tempfile.gettempdir())
    for parent in (SHARED_MEMORY, usual):
        _sweep(parent)
    try:
        disk = os.statvfs(SHARED_MEMORY)
    except OSError:
        return usual
    roomy = disk.f_bavail * disk.f_frsize >= LEAST_FREE
    return SHARED_MEMORY if roomy and os.access(SHARED_MEMORY, os.W_OK | os.X_OK) else usual


def _sweep(parent: Path) -> None:
    """Remove folders whose reader is gone."""
    try:
        folders = [path for path in parent.iterdir() if path.name.startswith(PREFIX)]
    except OSError:
        return
    for folder in folders:
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    try:
        if folder.is_symlink() or folder.stat().st_uid != os.getuid():
            return False
        fd = os.open(folder / "control", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def _stat(pid: int) -> list[str]:
    """Return what the system knows about a process; nothing if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    fields = text[text.rfind(b")") + 2 :].decode("ascii", "replace").split()
    return [] if fields[_STATE] in _ZOMBIE else fields


def began(pid: int) -> int:
    """Return when a process began, in the system's ticks; 0 if it has ended."""
    fields = _stat(pid)
    return int(fields[_BEGAN]) if fields else 0


def lives(pid: int, since: int) -> bool:
    """Return whether a process lives: the one that began then (0: whenever), not another with the same number."""
    now = began(pid)
    return now != 0 and since in (0, now)
