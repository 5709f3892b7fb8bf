"""Run a unittest module and write down how each of its tests ended.

    python -m watch_unittest MODULE FILE [TEST | -TEST ...]

It runs inside the compared program, plain or recorded, and is not recorded itself. FILE gets a line for each test as it
ends, so that what a crash left behind can be compared too. TEST is the id of a test to include or, with a minus, to
leave out.
"""

from __future__ import annotations

import json
import os
import sys
import time
import unittest
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Result(unittest.TestResult):
    """Writes down how tests end."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.pid = os.getpid()  # tests fork: what a child does is not an outcome
        self.path = path
        self.outcomes: dict[str, str] = {}
        self.began = 0.0

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.began = time.process_time()
        self.note({"began": test.id()})

    def stopTest(self, test: Any) -> None:
        super().stopTest(test)
        outcome = self.outcomes.pop(test.id(), "passed")
        seconds = time.process_time() - self.began
        self.note({"test": test.id(), "outcome": outcome, "seconds": seconds})

    def note(self, fact: dict[str, Any]) -> None:
        """Add a line to the file."""
        if os.getpid() == self.pid:
            with self.path.open("a") as file:
                file.write(json.dumps(fact) + "\n")

    def end(self, test: Any, outcome: str, error: Any = None) -> None:
        """Keep how a test ended."""
        self.outcomes[test.id()] = outcome
        if error is not None:
            text = self._exc_info_to_string(error, test)  # type: ignore[attr-defined]
            self.note({"why": test.id(), "text": text})
        if not isinstance(test, unittest.TestCase):  # of a class or module: no stopTest follows
            self.note({"test": test.id(), "outcome": outcome})

    def addError(self, test: Any, error: Any) -> None:
        self.end(test, "error", error)

    def addFailure(self, test: Any, error: Any) -> None:
        self.end(test, "failed", error)

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is not None:
            kind = "failed" if issubclass(error[0], test.failureException) else "error"
            self.end(test, kind, error)

    def addSkip(self, test: Any, reason: str) -> None:
        if self.outcomes.get(test.id()) is None:
            self.end(test, "skipped")

    def addExpectedFailure(self, test: Any, error: Any) -> None:
        self.end(test, "failed as expected")

    def addUnexpectedSuccess(self, test: Any) -> None:
        self.end(test, "passed unexpectedly")


def flat(suite: Any) -> Iterator[Any]:
    """Yield the tests of a suite."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def main(module: str, path: str, *chosen: str) -> None:
    """Run the tests of a module: those chosen, or all but those chosen with a minus."""
    suite = unittest.defaultTestLoader.loadTestsFromName(module)
    only = {name for name in chosen if not name.startswith("-")}
    never = {name[1:] for name in chosen if name.startswith("-")}
    if chosen:
        tests = [test for test in flat(suite) if test.id() not in never]
        suite = unittest.TestSuite(t for t in tests if not only or t.id() in only)
    result = Result(Path(path))
    suite(result)
    result.note({"ended": result.testsRun})


if __name__ == "__main__":
    main(*sys.argv[1:])
