"""Failed tests of a recorded run: what the test runner says about them, and when they ran.

The recorded process marks when a phase of a test begins and when it has failed (`MARK` in a META event). The writer
adds the times, and keeps one entry per failure in the table ``meta``. Tests that pass leave nothing behind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wrongcall.errors import TraceError

MARK = "test"
"""The key of a mark in the JSON of a META event."""
FAILED = "failed test "
"""The prefix of the keys of failures in the table ``meta``; a number follows."""


@dataclass(frozen=True)
class FailedTest:
    """A test that failed, by its runner."""

    id: str
    """As the runner names it: ``tests/test_shop.py::test_total``."""
    phase: str
    """setup, call, teardown, collect or doctest."""
    message: str
    """The first line of what the runner says about the failure."""
    example: str = ""
    """For a property test: the minimal failing example, as a decorator. For a doctest: the source of the example."""
    setup: int = 0
    """The time at which the test began, with its fixtures."""
    began: int = 0
    """The time at which the phase began."""
    ended: int = 0
    """The time at which it had failed."""


class MarksOfTests:
    """Turns the marks of a run into failures, in the order of their times."""

    def __init__(self) -> None:
        self.failures = 0
        self._setup: dict[str, int] = {}
        self._began: dict[str, int] = {}
        """By the process that runs the test; there may be several."""
        self._known: set[tuple[str, str]] = set()

    def take(self, time: int, mark: Mapping[str, str]) -> dict[str, Any]:
        """Take a mark; return what it adds to ``meta``."""
        process = mark.get("process", "")
        if "failed" not in mark:
            self._began[process] = time
            if mark["phase"] == "setup":
                self._setup[process] = time
            return {}
        key = (mark["failed"], mark["phase"])
        if process not in self._began and key in self._known:
            return {}  # the process that hands out tests repeats what the one that ran it has said
        self._known.add(key)
        self.failures += 1
        texts = (mark["failed"], mark["phase"], mark["message"], mark["example"])
        times = (self._setup.get(process, 0), self._began.get(process, 0), time)
        return {f"{FAILED}{self.failures}": asdict(FailedTest(*texts, *times))}


def failed_tests(meta: Mapping[str, Any]) -> list[FailedTest]:
    """Return the failed tests that ``meta`` lists, in order."""
    keys = sorted((key for key in meta if key.startswith(FAILED)), key=lambda key: (len(key), key))
    try:
        found = [FailedTest(**meta[key]) for key in keys]
    except TypeError as exc:
        raise TraceError("damaged trace: invalid entry for a failed test") from exc
    for test in found:
        texts = (test.id, test.phase, test.message, test.example)
        times = (test.setup, test.began, test.ended)
        if not all(isinstance(t, str) for t in texts) or not all(type(t) is int for t in times):
            raise TraceError("damaged trace: invalid entry for a failed test")
    return found
