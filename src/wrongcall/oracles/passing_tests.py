"""Tests: a call that equals one of a passing test is likely right; a function that few passing tests run is suspicious.

The suspicion is Ochiai's: of a function that ran in this run, which failed, and in some tests, it grows with the share
of failing ones. Only the order of the questions depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.function_names import portable_name
from wrongcall.oracles.learning import MAX_EVENTS
from wrongcall.recording import Recording
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle

MAX_MEMBERS = 32
"""Members of larger groups are not looked up."""
LEAST_SUSPICION = 0.05
"""No function is suspected less than this, however many tests pass."""


class PassingTests(Oracle):
    """Knows what tests confirmed."""

    name = "tests"

    def __init__(self, recording: Recording, store: AnswerStore) -> None:
        self._recording = recording
        self._store = store
        self._known: dict[str, dict[bytes, str]] = {}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return that a call is likely right, or each call of a group."""
        if len(calls) > MAX_MEMBERS:
            return None
        tests = [self._test_with(call) for call in calls]
        if not all(tests):
            return None
        name = tests[0].rpartition(":")[2].partition("[")[0]
        reason = (
            f"{name}, which passed, made {'an equal call' if len(calls) == 1 else 'equal calls'}"
        )
        return Opinion(Verdict.RIGHT, Confidence.LIKELY, reason)

    def _test_with(self, call: int) -> str:
        """Return a test that passed and made an equal call; empty: there is none."""
        view = self._recording.call(call)
        name = portable_name(self._recording, view.function.id)
        if not name or view.exit < 0 or view.exit - view.entry > MAX_EVENTS:
            return ""
        if name not in self._known:
            self._known[name] = self._store.passed(name)
        if not self._known[name]:
            return ""
        key = self._recording.questions.portable_key(call)
        return self._known[name].get(key, "") if key is not None else ""

    def suspicion(self) -> Mapping[int, float]:
        """Return how suspicious the functions of this run are."""
        failed, coverage = self._store.coverage()
        if not coverage:
            return {}
        # Names of lambdas take a while, and a large file has many.
        ran = np.unique(self._recording.calls.columns().function).tolist()
        named = {number: portable_name(self._recording, number) for number in ran}
        return {
            number: ochiai(*coverage.get(name, (0, 0)), failed)
            for number, name in named.items()
            if name
        }


def ochiai(passed: int, failed: int, all_failed: int) -> float:
    """Return Ochiai's suspicion of a function that passing and failing tests ran; this run is one more failure."""
    failures = failed + 1
    found = failures / math.sqrt((all_failed + 1) * (failures + passed))
    return max(found, LEAST_SUSPICION)
