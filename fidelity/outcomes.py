"""How the tests of a suite ended, as written down by `inside/watch_unittest` and `inside/watch_pytest`.

Vocabulary: an *outcome* is a word: passed, failed, error, skipped ... A test that began and did not end has the outcome
``died``; one that is missing in a run, ``missing``.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

DIFFERENCES = Path(__file__).with_name("differences.txt")
LEFT_OUT = Path(__file__).with_name("left_out.txt")


@dataclass
class Suite:
    """One run of a suite."""

    outcomes: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    """Why tests did not pass."""

    @classmethod
    def read(cls, path: Path) -> Suite:
        """Read the results of a run."""
        suite, running = cls(), None
        times: Counter[str] = Counter()  # generated tests may share an id
        for line in path.read_text().splitlines() if path.exists() else []:
            fact = json.loads(line)
            if "began" in fact:
                running = fact["began"]
            elif "why" in fact:
                suite.reasons.setdefault(fact["why"], fact["text"])
            elif "test" in fact:
                test, running = fact["test"], None
                times[test] += 1
                name = test if times[test] == 1 else f"{test} ({times[test]})"
                suite.outcomes[name] = fact["outcome"]
                suite.seconds[name] = fact.get("seconds", 0.0)
        if running is not None:
            suite.outcomes[running] = "died"
        return suite


@dataclass(frozen=True)
class Difference:
    """A test that ended differently when it was recorded."""

    test: str
    plain: str
    recorded: str
    why: str

    def __str__(self) -> str:
        last = self.why.strip().splitlines()[-1:] or [""]
        return f"{self.test}: {self.plain} plain, {self.recorded} recorded: {last[0][:200]}"


def compare(plain: Suite, recorded: Suite) -> list[Difference]:
    """Return the tests that ended differently."""
    names = [*plain.outcomes, *(n for n in recorded.outcomes if n not in plain.outcomes)]
    found = []
    for name in names:
        before = plain.outcomes.get(name, "missing")
        after = recorded.outcomes.get(name, "missing")
        if before != after:
            found.append(Difference(name, before, after, recorded.reasons.get(name, "")))
    return found


def explained(path: Path) -> dict[str, str]:
    """Return the tests that a file lists, with the reason for each."""
    found = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            test, _, reason = line.partition("\t")
            found[test] = reason
    return found


def allowed_differences() -> dict[str, str]:
    """Return the tests that must differ."""
    return explained(DIFFERENCES)


def left_out() -> dict[str, str]:
    """Return the tests that are not run."""
    return explained(LEFT_OUT)
