"""Counts what Python code does, where a test is about how much that is: unlike time, it is always the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from wrongcall import __file__ as package

SOURCES = package.removesuffix("__init__.py")


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of wrongcall's own sources run in this thread while something is done."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(SOURCES):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
