"""What tests teach: the calls that were made while a test passed, and the functions and blocks that tests ran.

A test is a function of the project's tests whose name begins with ``test``, called by no other one. It passed if it
returned. Calls of the tests' own code are left out, and so are long calls: comparing them would take too long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wrongcall.oracles.answer_store import AnswerStore
from wrongcall.oracles.block_names import BlockNames
from wrongcall.oracles.function_names import portable_name
from wrongcall.recording import Calls, Covered, Outcome, Recording
from wrongcall.session.code_of_tests import CodeOfTests

MAX_CALLS = 1000
"""Calls of one test that are kept, the first ones."""
MAX_EVENTS = 5000
"""Calls that took more events are not kept."""


@dataclass(frozen=True)
class Learned:
    """How much was learned."""

    passed: int = 0
    failed: int = 0
    calls: int = 0

    def __add__(self, other: Learned) -> Learned:
        calls = self.calls + other.calls
        return Learned(self.passed + other.passed, self.failed + other.failed, calls)


def learn_from(recording: Recording, store: AnswerStore) -> Learned:
    """Keep what the tests of a recorded run teach; return how much was new."""
    reader = _Reader(recording)
    passed = failed = new = 0
    for test, name, is_passed in reader.tests():
        rows = reader.below(test)
        keys = list(reader.keys(rows)) if is_passed else []
        calls = [(function, whole) for function, _, whole in keys]
        inputs = deciding_inputs(keys)
        new += store.learn(
            name,
            calls,
            reader.functions(rows),
            inputs=inputs,
            blocks=reader.blocks(rows),
            passed=is_passed,
        )
        passed += is_passed
        failed += not is_passed
    return Learned(passed, failed, new)


def deciding_inputs(keys: Iterable[tuple[str, bytes, bytes]]) -> list[tuple[str, bytes]]:
    """Return the inputs that had one outcome only, each with its function.

    If one had several, the outcome depends on something that no input shows, such as a counter in a class.
    """
    outcomes: dict[tuple[str, bytes], set[bytes]] = {}
    for function, given, whole in keys:
        outcomes.setdefault((function, given), set()).add(whole)
    return [each for each, found in outcomes.items() if len(found) == 1]


class _Reader:
    """Finds tests and what they called."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._tests = CodeOfTests(recording)
        self._table: Calls = recording.calls.columns()
        self._names: dict[int, str] = {}
        self._block_names = BlockNames(recording)

    def tests(self) -> Iterator[tuple[int, str, bool]]:
        """Iterate over the tests: call, name, whether it passed."""
        counts: dict[int, int] = {}
        functions = self._recording.program.functions
        wanted = [
            number
            for number, function in functions.items()
            if function.name.startswith("test") and self._tests.has_function(number)
            if function.kind in ("function", "coroutine")
        ]
        last = -1
        for call in self._recording.calls.of_functions(wanted):
            view = self._recording.call(call)
            if view.exit < 0 or view.entry < last:
                continue  # called by another test
            last = view.exit
            number = view.function.id
            counts[number] = counts.get(number, 0) + 1
            name = f"{portable_name(self._recording, number)}[{counts[number]}]"
            yield call, name, view.outcome is Outcome.RETURNED

    def below(self, test: int) -> list[int]:
        """Return the rows of the calls that were made while a test ran."""
        view = self._recording.call(test)
        first, last = np.searchsorted(self._table.entry, [view.entry + 1, view.exit]).tolist()
        return [
            row
            for row in range(first, last)
            if not self._tests.has_function(int(self._table.function[row]))
        ]

    def functions(self, rows: list[int]) -> set[str]:
        """Return the names of the functions that were called."""
        numbers = {int(self._table.function[row]) for row in rows}
        return {name for number in numbers if (name := self._name(number))}

    def blocks(self, rows: list[int]) -> set[bytes]:
        """Return the names of the blocks that calls executed."""
        found: set[bytes] = set()
        for of_class in np.unique(self._covered.class_of[rows]).tolist() if rows else ():
            found.update(self._block_names.executed(self._covered.classes[of_class]))
        return found

    @cached_property
    def _covered(self) -> Covered:
        return self._recording.execution.covered()

    def keys(self, rows: list[int]) -> Iterator[tuple[str, bytes, bytes]]:
        """Iterate over what calls are known by: function, key of the input, key of input and outcome."""
        table, found = self._table, 0
        for row in rows:
            name = self._name(int(table.function[row]))
            exit, entry = int(table.exit[row]), int(table.entry[row])
            if not name or exit < 0 or exit - entry > MAX_EVENTS:
                continue
            given, key = self._recording.questions.portable_keys(int(table.id[row]))
            if given is not None and key is not None:
                yield name, given, key
                found += 1
            if found >= MAX_CALLS:
                return

    def _name(self, number: int) -> str:
        if number not in self._names:
            self._names[number] = portable_name(self._recording, number)
        return self._names[number]
