"""Contracts: what the source promises, compared with what was recorded.

- An annotated value that does not fit: a returned one makes a call wrong, an argument makes it an invalid call.
- An ``assert`` that failed: one that tests parameters only makes an invalid call, any other one a wrong call.
- Conditions of icontract and deal, and pydantic's validation: who broke them is wrong (see `conditions`).
- A ``__post_init__`` (or ``__attrs_post_init__``) that raised refused what it was given: an invalid call.

How sure that is, certain or likely, is the user's choice: annotations may be sloppy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from wrongcall.languages.python.annotations import checks_parameters_only, promises_of
from wrongcall.languages.type_forms import Promises
from wrongcall.oracles.conditions import Conditions, came_from_below, is_contract_error
from wrongcall.oracles.fitting import Fitting
from wrongcall.recording import Call, Calls, Outcome, Recording, Ref
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.tree.pretrusted import calls_of

MAX_MEMBERS = 32
"""Members of larger groups are not checked."""
MAX_SCANNED_CALLS = 1000
"""Calls that are checked before the first question."""
MAX_CALLS_OF_FUNCTION = 50
"""Calls of one function among them."""
MAX_LEADS = 3
_CHECKED_KINDS = ("function", "coroutine")
_VALIDATORS = frozenset({"__post_init__", "__attrs_post_init__"})

Violation = tuple[Verdict, str]


class Contracts(Oracle):
    """Finds calls that break what the source promises."""

    name = "contracts"

    def __init__(self, recording: Recording, confidence: Confidence = Confidence.LIKELY) -> None:
        self._recording = recording
        self._confidence = confidence
        self._tests = CodeOfTests(recording)
        self._conditions = Conditions(recording)
        self._promises: dict[int, Promises] = {}

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        """Return that a call, or one of a group, breaks a contract."""
        for call in calls if len(calls) <= MAX_MEMBERS else ():
            found = self.violation(self._recording.call(call))
            if found is not None:
                verdict, reason = found
                return Opinion(verdict, self._confidence, reason, call if len(calls) > 1 else 0)
        return None

    def leads(self) -> Sequence[int]:
        """Return the first calls that broke a contract, the very first one last."""
        found = []
        for call in dict.fromkeys(islice(self._candidates(), MAX_SCANNED_CALLS)):
            view = self._recording.call(call)
            if view.exit >= 0 and self.violation(view) is not None:
                found.append(view)
        found.sort(key=lambda view: view.exit)
        return [view.id for view in found[:MAX_LEADS][::-1]]

    def _candidates(self) -> Iterator[int]:
        """Iterate over the calls that may break a contract.

        Those that raised, or are to blame for that, then the first ones of each function.
        """
        table = self._recording.calls.columns()
        for call in table.id[table.outcome == Outcome.RAISED].tolist():
            yield call
            blame = self._conditions.blamed(self._recording.call(call))
            if blame is not None and blame.call != call:
                yield blame.call
        promising = self._promising(table)
        # A run may have millions of calls to other functions.
        chosen = calls_of(promising, table.function).nonzero()[0]
        by_function = chosen[np.argsort(table.function[chosen], kind="stable")]
        sorted_functions = table.function[by_function]
        for number in promising:
            first, last = np.searchsorted(sorted_functions, [number, number + 1]).tolist()
            last = min(last, first + MAX_CALLS_OF_FUNCTION)
            yield from table.id[by_function[first:last]].tolist()

    def _promising(self, table: Calls) -> list[int]:
        """Return the first functions with contracts that are checked at every call, as many as can be scanned."""
        found: list[int] = []
        left = MAX_SCANNED_CALLS
        counts = np.bincount(table.function, minlength=1)
        for number in np.flatnonzero(counts).tolist():
            is_checked = self._recording.program.functions[number].kind in _CHECKED_KINDS
            if left > 0 and is_checked and not self._promised(number).is_empty:
                found.append(number)
                left -= min(int(counts[number]), MAX_CALLS_OF_FUNCTION)
        return found

    # -- violations --------------------------------------------------------------------------------

    def violation(self, call: Call) -> Violation | None:
        """Return what a call did wrong, and why; None: nothing that is known."""
        if call.exit < 0 or self._tests.has_function(call.function.id):
            return None
        return self._wrong_argument(call) or self._raised(call) or self._wrong_result(call)

    def _promised(self, number: int) -> Promises:
        if number not in self._promises:
            function = self._recording.program.functions[number]
            source = self._recording.sources.of_function(function)
            self._promises[number] = promises_of(
                source, self._recording.sources.definition(function)
            )
        return self._promises[number]

    def _wrong_argument(self, call: Call) -> Violation | None:
        promised = self._promised(call.function.id).parameters
        if not promised:
            return None
        given = call.args
        fitting = Fitting(self._recording, call.entered_with(given))
        for passed in given:
            promise = promised.get(passed.name)
            misfit = fitting.misfit(passed.value, promise.form, passed.name) if promise else ""
            if promise and misfit:
                return (
                    Verdict.INADMISSIBLE,
                    f"{misfit}, but {passed.name} is annotated {promise.text}",
                )
        return None

    def _wrong_result(self, call: Call) -> Violation | None:
        promise = self._promised(call.function.id).result
        if promise is None or call.outcome is not Outcome.RETURNED:
            return None
        if call.function.kind not in _CHECKED_KINDS:
            return None
        misfit = Fitting(self._recording, call.exit).misfit(call.value, promise.form, "the result")
        return (
            (Verdict.WRONG, f"{misfit}, but the annotation is -> {promise.text}")
            if misfit
            else None
        )

    def _raised(self, call: Call) -> Violation | None:
        if call.outcome is not Outcome.RAISED or not isinstance(call.value, Ref):
            return self._blamed(call, call.parent)
        if came_from_below(call, call.value):
            return None
        kind = self._recording.states.object(call.value.oid).type
        if is_contract_error(kind):
            return self._blamed(call, call)
        if (kind.module, kind.qualname) == ("builtins", "AssertionError"):
            return self._failed_assert(call)
        if call.function.name in _VALIDATORS:
            return Verdict.INADMISSIBLE, f"{call.function.name} refused the values: {kind.qualname}"
        return self._blamed(call, call.parent)

    def _blamed(self, call: Call, left: Call | None) -> Violation | None:
        """Return whether a call is to blame for the exception of a library that left it, or its caller."""
        blame = self._conditions.blamed(left) if left is not None else None
        return (Verdict.WRONG, blame.reason) if blame and blame.call == call.id else None

    def _failed_assert(self, call: Call) -> Violation | None:
        definition = self._recording.sources.definition(call.function)
        only_parameters = checks_parameters_only(definition, call.raised_at)
        if only_parameters is None:
            return None
        text = f"the assert at line {call.raised_at} failed"
        return (Verdict.INADMISSIBLE if only_parameters else Verdict.WRONG), text
