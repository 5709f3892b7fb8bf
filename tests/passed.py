"""Records which of wrongcall's modules data passes through: the calls between them, in all threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from wrongcall import __file__ as package

SOURCES = package.removesuffix("__init__.py")


class Passed:
    """The calls between modules, in order; see `passing`."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        """The module that calls (the name of a thread, if it has just begun), the one that is called."""
        self.noting = False

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Note a call, for `sys.setprofile`."""
        code = frame.f_code
        if event != "call" or not self.noting or code.co_name == "<module>":
            return
        if code.co_filename.startswith(SOURCES):
            self.calls.append((_caller(frame.f_back), code.co_filename.removeprefix(SOURCES)))

    @property
    def modules(self) -> list[str]:
        """The modules that were called, in the order of their first calls."""
        return list(dict.fromkeys(module for _, module in self.calls))

    @property
    def neighbours(self) -> set[frozenset[str]]:
        """The pairs of modules of which one called the other."""
        return {frozenset(pair) for pair in self.calls if pair[0] != pair[1]}


def _caller(frame: FrameType | None) -> str:
    while frame is not None and not frame.f_code.co_filename.startswith(SOURCES):
        frame = frame.f_back
    if frame is None:
        return threading.current_thread().name
    return frame.f_code.co_filename.removeprefix(SOURCES)


@contextmanager
def passing() -> Iterator[Passed]:
    """Watch this thread and those that begin from now on; set `Passed.noting` to note what they call."""
    passed, before = Passed(), sys.getprofile()
    threading.setprofile(passed.note)
    sys.setprofile(passed.note)
    try:
        yield passed
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
