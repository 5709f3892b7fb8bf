"""Record what a cell prints where stdout and stderr are objects of Python, as in a kernel of Jupyter.

The recorder itself sees what is written to the streams of the interpreter. For the length of a recording, the method
``write`` of other streams tells it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any


@contextmanager
def recorded_streams() -> Iterator[None]:
    """Record what is written to stdout and stderr, whatever they are."""
    with ExitStack() as replaced:
        for number, stream in enumerate((sys.stdout, sys.stderr)):
            if stream is not None and not isinstance(stream, io.TextIOWrapper):
                replaced.enter_context(_told(number, stream))
        yield


@contextmanager
def _told(number: int, stream: Any) -> Iterator[None]:
    from wrongcall.recorder import _native  # noqa: PLC0415 - not loaded before it is needed

    write: Callable[[str], int] = stream.write

    def told(text: str) -> int:
        if isinstance(text, str):
            _native.printed(number, text)
        return write(text)

    try:
        stream.write = told
    except (
        AttributeError
    ):  # a stream whose methods cannot be replaced: what it is given is not recorded
        yield
        return
    try:
        yield
    finally:
        del stream.write
