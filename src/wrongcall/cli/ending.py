"""End in order when somebody sends a signal: what was begun is cleaned up, as at any other end."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ending_orderly() -> Iterator[None]:
    """Turn signals into SystemExit, so that everything is cleaned up; the answers are saved already."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    for number, action in before.items():
        if action is not signal.SIG_IGN:  # as nohup asks for
            signal.signal(number, _exit)
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _exit(number: int, frame: object) -> None:
    sys.exit(128 + number)
