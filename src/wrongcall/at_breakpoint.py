"""What ``breakpoint()`` does with ``PYTHONBREAKPOINT=wrongcall.breakpoint``: debug the recording so far.

It runs in the program, which waits meanwhile. So it uses the standard library alone, and the dialogue is another
process: ``wrongcall debug`` on the trace that still grows. The dialogue must not be recorded like other Python
processes that a program starts. A shell starts it, and what a shell starts is left alone.

Which trace it is, the process's own command tells (`recorder/boot.py`): nothing has to be left in the program for this.
If nothing is being recorded, ``breakpoint()`` opens pdb, as it would without the setting.
"""

from __future__ import annotations

import pdb  # noqa: T100 - what breakpoint() opens otherwise
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType

from wrongcall.recorder import settings

MAIN = str(Path(__file__).with_name("__main__.py"))
IN_SHELL = ("/bin/sh", "-c", 'exec "$0" "$@"')
LOOK_S = 0.07
"""Longer than the recorder waits before it writes what it was given."""
UNCHANGED_LOOKS = 3
MAX_LOOKS = 30
OUT_OF_HERE = 2
"""Frames between the caller of `breakpoint` and `open_recording`, inclusive."""


def open_recording() -> None:
    """Debug the recording so far in the terminal; open pdb if there is none."""
    trace = recorded_trace(Path("/proc/self/cmdline").read_bytes())
    if trace is None:
        print("wrongcall: nothing is being recorded, so this is pdb", file=sys.stderr)
        _debug_plainly(sys._getframe(OUT_OF_HERE))
        return
    if not trace.exists():
        print(f"wrongcall: the trace {trace} was deleted; going on", file=sys.stderr)
        return
    _flush_streams()
    wait_until_written(trace)
    with _interrupts_left_to_the_dialogue():
        subprocess.run([*IN_SHELL, sys.executable, MAIN, "debug", str(trace)], check=False)


def recorded_trace(command: bytes) -> Path | None:
    """Return the trace that a process with this command is recorded in, if it is recorded."""
    words = command.split(b"\0")
    for script, argument in pairwise(words):
        if script.endswith(b"/recorder/start.py"):
            try:
                trace = settings.read(argument.decode("ascii")).trace
            except ValueError:  # another program of that name
                continue
            return None if trace is None else Path(trace)
    return None


def wait_until_written(trace: Path) -> None:
    """Wait until the recorder has written what happened so far: until the trace no longer changes.

    Other threads of the program may go on, so there is a limit.
    """
    unchanged, before = 0, _state(trace)
    for _ in range(MAX_LOOKS):
        time.sleep(LOOK_S)
        now = _state(trace)
        unchanged, before = unchanged + 1 if now == before else 0, now
        if unchanged == UNCHANGED_LOOKS:
            return


def _state(trace: Path) -> list[tuple[int, int]]:
    """Return size and time of the file and of SQLite's log beside it, if they are there."""
    files = (path for path in (trace, trace.with_name(trace.name + "-wal")) if path.exists())
    return [(state.st_size, state.st_mtime_ns) for state in (path.stat() for path in files)]


@contextmanager
def _interrupts_left_to_the_dialogue() -> Iterator[None]:
    """Ignore Ctrl-C, which the terminal sends to the program, too, with a handler that no other process inherits."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread handles signals
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _debug_plainly(frame: FrameType) -> None:
    pdb.Pdb().set_trace(frame)
