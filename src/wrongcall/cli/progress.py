"""What ``record`` tells about itself: nothing while the program runs, one line at the end.

The terminal belongs to the program until it ends. The program may be in the middle of a line, of an escape
sequence or of a character, or be waiting for keys; its C code and its children write to the terminal directly. So
wrongcall cannot know when a counter would do no harm. To see how far a recording has come, run ``wrongcall info``
in another terminal.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wrongcall.interpreters.prepare import ProgramPython
from wrongcall.trace.format.run_facts import Unrecorded

if TYPE_CHECKING:
    from wrongcall.trace.write.drain import Drain

SLOW_S = 0.5
"""Show a message if something takes longer than this."""


def tell(text: str, end: str = "\n") -> None:
    """Write to stderr, if it is open."""
    if sys.stderr is None:
        return
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = None  # or what it holds back would be our last error


@contextmanager
def telling_if_slow(text: str, seconds: float = SLOW_S) -> Iterator[None]:
    """Say what is going on, if it takes long: the time so far, again and again on a terminal."""
    done = threading.Event()
    thread = threading.Thread(target=_tell_time, args=(text, seconds, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _tell_time(text: str, seconds: float, done: threading.Event) -> None:
    begun = time.monotonic()
    if done.wait(seconds):
        return
    if sys.stderr is None or not sys.stderr.isatty():
        tell(f"wrongcall: {text} ...")
        return
    shown = ""
    while not done.wait(SLOW_S):
        shown = f"wrongcall: {text} ... {time.monotonic() - begun:.0f} s"
        tell(f"\r{shown}", end="")
    if shown:  # erased without an escape sequence: the terminal may be dumb
        tell(f"\r{' ' * len(shown)}\r", end="")


def unrecorded_line(module: Unrecorded) -> str:
    """A module that ran plain, and why."""
    from wrongcall.present.text import safe  # noqa: PLC0415 - rarely needed, slow to load

    return safe(f"wrongcall: {module.module} ({module.path}) was not recorded: {module.reason}")


def lingering_line(count: int) -> str:
    """Say that recording goes on, for processes that outlive the program."""
    processes = (
        "1 process that the program left"
        if count == 1
        else f"{count:,} processes that the program left"
    )
    return f"wrongcall: waiting for {processes} running; Ctrl-C stops recording {'it' if count == 1 else 'them'}"


def tell_python(python: ProgramPython) -> None:
    """Say which interpreter runs the program, unless it is the one that runs wrongcall."""
    if not python.is_own:
        version = python.version.split()[0]
        tell(f"wrongcall: the program's Python is {version}, {python.path} ({python.why})")


def summary_line(drain: Drain, seconds: float, output: Path) -> str:
    """Calls, events, seconds, file, size."""
    size = readable_size(output.stat().st_size)
    text = (
        f"wrongcall: {drain.calls:,} calls, {drain.events:,} events in {seconds:.2f} s"
        f" -> {output} ({size})"
    )
    if drain.full:
        text += "; the disk is full, so the end of the run is missing"
    return text


def readable_size(size: float) -> str:
    """A size for people: 1.5 MB."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
