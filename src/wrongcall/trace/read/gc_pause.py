"""Keep the garbage collector from scanning very many small objects again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector: everything made in the block is kept, so it would find nothing."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def collect_rarely() -> None:
    """Let the garbage collector run rarely, in a process that only reads traces: most of what it scans is kept."""
    gc.set_threshold(50_000, 20, 20)
