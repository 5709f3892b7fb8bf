"""Keeps repeated calls away from the outside: the network, other processes, the user's files.

Python tells a hook about such actions before they happen (PEP 578), so that they can be stopped. This is best effort,
not a sandbox: C extensions that don't use Python's functions are not noticed. What is stopped, or written to a folder
where that is allowed, makes a call undecided; what is only read does so if the outcome differs.

The clock, chance and the environment can be read without the hook being told. They are watched for (`Guard.watching`)
when a call is repeated a second time, because its outcome differed: that makes the program slow.
"""

from __future__ import annotations

import datetime
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from types import FrameType
from typing import Any

from wrongcall.oracles.reference.causes import Cause, UnanswerableError

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HARMLESS_SOCKETS = frozenset({"socket.__new__"})
_STOPPED = frozenset(
    {
        *("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn"),
        *("os.spawn", "os.startfile", "pty.spawn", "os.kill", "os.killpg", "builtins.input"),
        *("webbrowser.open", "urllib.Request", "http.client.connect", "ftplib.connect"),
        *("smtplib.connect", "imaplib.open", "poplib.connect", "nntplib.connect", "telnetlib.Telnet.open"),
        *("signal.pthread_kill", "syslog.openlog", "syslog.syslog"),
    }
)  # fmt: skip
_CHANGING = frozenset(
    {
        *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"),
        *("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "shutil.copyfile"),
        *("shutil.copymode", "shutil.copystat", "shutil.copytree", "shutil.move", "shutil.rmtree"),
        *("shutil.make_archive", "shutil.unpack_archive", "shutil.chown", "sqlite3.connect"),
    }
)
_READING = frozenset(
    {
        *("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir", "os.getxattr"),
        *("glob.glob", "glob.glob/2", "pathlib.Path.glob", "pathlib.Path.rglob", "time.sleep"),
        *("socket.gethostname", "tempfile.mkstemp", "tempfile.mkdtemp"),
    }
)
_ENVIRONMENT = frozenset({"os.putenv", "os.unsetenv"})
_MAX_NOTES = 100
MEMORY = ":memory:"


class Mode(Enum):
    """What the program is doing."""

    OFF = "nothing"
    LOADING = "modules are being loaded"
    CALLING = "a call is being repeated"


class Guard:
    """Stops what reaches outside, and notes what was tried."""

    def __init__(self, writable: tuple[str, ...] = (), known: tuple[str, ...] = ()) -> None:
        """``writable``: folders that may be written to; ``known``: those whose files are part of the program."""
        self._writable = tuple(map(os.path.realpath, writable))
        self._known = tuple(map(os.path.realpath, known))
        self.mode = Mode.OFF
        self.decisive: list[str] = []
        """What makes a call undecided in any case."""
        self.read: list[str] = []
        """What does so if the outcome differs."""

    def install(self) -> None:
        """Begin to be told; that can't be undone."""
        sys.addaudithook(self.told)

    def told(self, event: str, args: tuple[Any, ...]) -> None:
        """Take note of an action, or stop it."""
        if self.mode is Mode.OFF:
            return
        if event == "open":
            self._opened(*args[:3])
        elif event in _CHANGING:
            self._changes(event, args[0] if args else "")
        elif event in _STOPPED or (
            event.startswith("socket.") and event not in _HARMLESS_SOCKETS | _READING
        ):
            self._stop(f"it calls {event}")
        elif event in _READING:
            self._note(self.read, f"it calls {event}")
        elif event in _ENVIRONMENT:
            self._note(self.decisive, "it changes the environment")

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int) or path is None:
            return
        writes = isinstance(flags, int) and bool(flags & _WRITING)
        writes |= isinstance(mode, str) and bool(set(mode) & set("wax+"))
        if writes and os.fspath(path) not in (os.devnull, os.fsencode(os.devnull)):
            self._changes("open", path)
        elif not writes and not (
            self._is_below(path, self._known) and Path(os.fsdecode(path)).exists()
        ):
            self._note(self.read, f"it reads {os.fsdecode(path)}")

    def _changes(self, event: str, path: Any) -> None:
        if event == "sqlite3.connect" and path == MEMORY:
            return
        if isinstance(path, int) or self._is_below(path, self._writable):
            self._note(self.decisive, "it writes files")
        else:
            self._stop(f"it writes to {os.fsdecode(path)} ({event})")

    def _is_below(self, path: Any, folders: tuple[str, ...]) -> bool:
        # Not `realpath` inside the hook: it would look at the disk, but never opens anything.
        full = os.path.realpath(os.fsdecode(path))
        return any(full == folder or full.startswith(folder + os.sep) for folder in folders)

    def _note(self, notes: list[str], text: str) -> None:
        if self.mode is Mode.CALLING and len(notes) < _MAX_NOTES:
            notes.append(text)

    def _stop(self, text: str) -> None:
        self._note(self.decisive, text)
        raise UnanswerableError(text, Cause.OUTSIDE)

    # -- the clock, chance, the environment --------------------------------------------------------

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note when the clock, chance or the environment is read."""
        watch = _watcher(lambda text: self._note(self.read, text))
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


_CLOCKS = frozenset(
    getattr(time, name)
    for name in (
        *("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns", "localtime"),
        *("gmtime", "ctime", "asctime", "strftime"),
    )
    if hasattr(time, name)
)
_SYSTEM = frozenset(
    {
        *(os.urandom, os.getpid, os.getppid, os.getcwd, os.stat, os.lstat, os.access, os.uname),
        *(os.getloadavg, os.cpu_count, os.times, os.get_terminal_size),
    }
)
_NOW = frozenset({"now", "today", "utcnow"})
_CHANCE = frozenset({"random", "getrandbits"})


def _watcher(note: Callable[[str], None]) -> Callable[[FrameType, str, Any], None]:
    environment = {
        getattr(type(os.environ), name).__code__ for name in ("__getitem__", "__iter__", "__len__")
    }
    shared = random._inst
    seed = random.Random.seed.__code__

    def watch(frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call":
            owner = getattr(arg, "__self__", None)
            name = getattr(arg, "__name__", "")
            if isinstance(owner, type):
                if name in _NOW and issubclass(owner, datetime.date):
                    note("it reads the clock")
            elif owner is shared and name in _CHANCE:
                note("it depends on chance")
            elif arg in _CLOCKS:
                note("it reads the clock")
            elif arg in _SYSTEM and not frame.f_code.co_filename.startswith("<frozen importlib"):
                note(f"it calls os.{name}")
        elif event == "call":
            if frame.f_code in environment:
                note("it reads the environment")
            elif frame.f_code is seed and frame.f_locals.get("a") is None:
                note("it depends on chance")

    return watch
