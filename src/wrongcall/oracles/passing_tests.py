"""Tests: a call that equals one of a passing test is likely right; a function that few passing tests run is suspicious.

A call with the input of one in a passing test, and another outcome than any of them, is likely wrong. Before the first
question, such calls are looked for from the outside in: the innermost one is asked about first.

The suspicion is Ochiai's: of a block (or a function) that ran in this run, which failed, and in some tests, it grows
with the share of failing ones. A call is as suspicious as the most suspicious block that it executed itself. Only the
order of the questions depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from wrongcall.oracles.answer_store import AnswerStore, BlockCoverage
from wrongcall.oracles.block_names import BlockNames
from wrongcall.oracles.function_names import portable_name
from wrongcall.oracles.learning import MAX_EVENTS
from wrongcall.recording import Coverage, Recording
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.oracles import Opinion, Oracle, Suspicion
from wrongcall.tree.pretrusted import calls_of

MAX_MEMBERS = 32
"""Members of larger groups are not looked up."""
LEAST_SUSPICION = 0.05
"""No function is suspected less than this, however many tests pass."""
MAX_LOOKED_UP = 400
"""Calls that are looked up before the first question, to find the first one that is likely wrong."""
MAX_LEADS = 3


class PassingTests(Oracle):
    """Knows what tests confirmed."""

    name = "tests"

    def __init__(self, recording: Recording, store: AnswerStore) -> None:
        self._recording = recording
        self._store = store
        self._known: dict[str, tuple[dict[bytes, str], dict[bytes, str]]] = {}
        self._thought: dict[int, tuple[Verdict, str] | None] = {}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return that a call is likely right or wrong; of a group, that each is right or one is wrong."""
        if len(calls) > MAX_MEMBERS:
            return None
        thought = {call: self._about(call) for call in calls}
        for call, found in thought.items():
            if found is not None and found[0] is Verdict.WRONG:
                reason = f"{_short(found[1])}, which passed, had another outcome for this input"
                where = call if len(calls) > 1 else 0
                return Opinion(Verdict.WRONG, Confidence.LIKELY, reason, where)
        tests = [found[1] for found in thought.values() if found is not None]
        if len(tests) < len(calls):
            return None
        equal = "an equal call" if len(calls) == 1 else "equal calls"
        reason = f"{_short(tests[0])}, which passed, made {equal}"
        return Opinion(Verdict.RIGHT, Confidence.LIKELY, reason)

    def _about(self, call: int) -> tuple[Verdict, str] | None:
        """Return what tests that passed say about a call, and one of them; None: nothing."""
        if call not in self._thought:
            self._thought[call] = self._look_up(call)
        return self._thought[call]

    def _look_up(self, call: int) -> tuple[Verdict, str] | None:
        view = self._recording.call(call)
        name = portable_name(self._recording, view.function.id)
        if not name or view.exit < 0 or view.exit - view.entry > MAX_EVENTS:
            return None
        if name not in self._known:
            self._known[name] = self._store.passed(name), self._store.passed_inputs(name)
        keys, inputs = self._known[name]
        if not keys:
            return None
        given, key = self._recording.questions.portable_keys(call)
        if given is None or key is None:
            return None
        if key in keys:
            return Verdict.RIGHT, keys[key]
        return (Verdict.WRONG, inputs[given]) if given in inputs else None

    def leads(self) -> Sequence[int]:
        """Return calls that are likely wrong and made none that is, the first one last."""
        wrong: list[tuple[int, int]] = []
        looked_up, right_until = 0, -1
        for call, entry, exit in self._comparable():
            if entry < right_until:
                continue
            if looked_up == MAX_LOOKED_UP:
                break
            looked_up += 1
            found = self._about(call)
            if found is not None and found[0] is Verdict.RIGHT:
                right_until = exit
            elif found is not None:
                # What contains it is wrong because of it.
                wrong = [each for each in wrong if each[1] < entry]
                wrong.append((call, exit))
        return [call for call, _ in reversed(wrong[:MAX_LEADS])]

    def _comparable(self) -> Iterator[tuple[int, int, int]]:
        """Iterate over the calls to functions that tests called, by their entries: call, entry, exit.

        A run may have millions of others, about which tests say nothing.
        """
        table = self._recording.calls.columns()
        rows = calls_of(self._learned, table.function).nonzero()[0]
        rows = rows[np.argsort(table.entry[rows], kind="stable")]
        for row in rows:
            yield int(table.id[row]), int(table.entry[row]), int(table.exit[row])

    @cached_property
    def _learned(self) -> frozenset[int]:
        """The functions of this run that tests which passed called."""
        ran = np.unique(self._recording.calls.columns().function).tolist()
        named = {number: portable_name(self._recording, number) for number in ran}
        return frozenset(n for n, name in named.items() if name and self._store.passed(name))

    def suspicion(self) -> Suspicion:
        """Return how suspicious the functions and calls of this run are."""
        functions = self._suspected_functions()
        ran = self._store.block_coverage()
        if not functions or not ran.counts:
            return Suspicion(functions)
        covered, names = self._recording.execution.covered(), BlockNames(self._recording)
        by_class = np.array([self._most(names, each, ran) for each in covered.classes])
        factors = by_class[covered.class_of]
        is_known = ~np.isnan(factors)
        return Suspicion(functions, covered.call[is_known], factors[is_known])

    def _most(self, names: BlockNames, coverage: Coverage, ran: BlockCoverage) -> float:
        """Return the suspicion of the most suspicious block; not a number: it is that of the function."""
        function = next((edge.function for edge in coverage.edges), 0)
        if not function:
            return math.nan
        passed, failed = ran.elsewhere.get(portable_name(self._recording, function), (0, 0))
        counts = (ran.counts.get(name, (0, 0)) for name in names.executed(coverage))
        suspicions = (ochiai(p + passed, f + failed, ran.failed_tests) for p, f in counts)
        return max(suspicions, default=math.nan)

    def _suspected_functions(self) -> dict[int, float]:
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


def _short(test: str) -> str:
    return test.rpartition(":")[2].partition("[")[0]


def ochiai(passed: int, failed: int, all_failed: int) -> float:
    """Return Ochiai's suspicion of a function that passing and failing tests ran; this run is one more failure."""
    failures = failed + 1
    found = failures / math.sqrt((all_failed + 1) * (failures + passed))
    return max(found, LEAST_SUSPICION)
