"""Contracts: what the source promises, compared with what was recorded.

- An annotated value that does not fit: a returned one makes a call wrong, an argument makes it an invalid call.
- An ``assert`` that failed: one that tests parameters only makes an invalid call, any other one a wrong call.
- Conditions of icontract and deal, and pydantic's validation: a call that was left by their exception passed something
  invalid on, so it is wrong; a recorded call that broke its own postcondition is wrong itself.
- A ``__post_init__`` (or ``__attrs_post_init__``) that raised refused what it was given: an invalid call.

How sure that is, certain or likely, is the user's choice: annotations may be sloppy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from wrongcall.languages.python.annotations import checks_parameters_only, promises_of
from wrongcall.languages.type_forms import Promises
from wrongcall.oracles.fitting import Fitting
from wrongcall.recording import Call, Calls, Outcome, Recording, Ref
from wrongcall.session.answers import Confidence, Verdict
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.trace.format.program_tables import Type
from wrongcall.tree.pretrusted import calls_of

MAX_MEMBERS = 32
"""Members of larger groups are not checked."""
MAX_SCANNED_CALLS = 1000
"""Calls that are checked before the first question."""
MAX_CALLS_OF_FUNCTION = 50
"""Calls of one function among them."""
MAX_LEADS = 3
_CHECKED_KINDS = ("function", "coroutine")
_POSTCONDITIONS = frozenset({"PostContractError", "InvContractError"})
_LIBRARIES = frozenset({"icontract", "deal", "pydantic", "pydantic_core"})
_CONTRACT_ERRORS = frozenset(
    {"ViolationError", "ValidationError", "PreContractError", *_POSTCONDITIONS}
)
_VALIDATORS = frozenset({"__post_init__", "__attrs_post_init__"})

Violation = tuple[Verdict, str]


class Contracts(Oracle):
    """Finds calls that break what the source promises."""

    name = "contracts"

    def __init__(self, recording: Recording, confidence: Confidence = Confidence.LIKELY) -> None:
        self._recording = recording
        self._confidence = confidence
        self._tests = CodeOfTests(recording)
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
        for call in islice(self._candidates(), MAX_SCANNED_CALLS):
            view = self._recording.call(call)
            if view.exit >= 0 and self.violation(view) is not None:
                found.append(view)
        found.sort(key=lambda view: view.exit)
        return [view.id for view in found[:MAX_LEADS][::-1]]

    def _candidates(self) -> Iterator[int]:
        """Iterate over the calls that may break a contract: those that raised, then the first ones of each function."""
        table = self._recording.calls.columns()
        yield from table.id[table.outcome == Outcome.RAISED].tolist()
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
            return self._broken_postcondition(call)
        kind = self._recording.states.object(call.value.oid).type
        if self._came_from_below(call, call.value):
            return None
        if _is_contract_error(kind):
            if kind.qualname in _POSTCONDITIONS:
                return None  # the call that it is about is wrong
            return Verdict.WRONG, f"it made a call that {kind.qualname} refused"
        if (kind.module, kind.qualname) == ("builtins", "AssertionError"):
            return self._failed_assert(call)
        if call.function.name in _VALIDATORS:
            return Verdict.INADMISSIBLE, f"{call.function.name} refused the values: {kind.qualname}"
        return None

    def _came_from_below(self, call: Call, raised: Ref) -> bool:
        return any(
            child.outcome is Outcome.RAISED and child.value == raised
            for child in list(call.children[-MAX_MEMBERS:])
        )

    def _failed_assert(self, call: Call) -> Violation | None:
        definition = self._recording.sources.definition(call.function)
        only_parameters = checks_parameters_only(definition, call.raised_at)
        if only_parameters is None:
            return None
        text = f"the assert at line {call.raised_at} failed"
        return (Verdict.INADMISSIBLE if only_parameters else Verdict.WRONG), text

    def _broken_postcondition(self, call: Call) -> Violation | None:
        """Return whether the caller was left by the exception for a postcondition of this call, its last one."""
        caller = call.parent
        if (
            caller is None
            or caller.outcome is not Outcome.RAISED
            or not isinstance(caller.value, Ref)
        ):
            return None
        kind = self._recording.states.object(caller.value.oid).type
        # The condition may be a lambda of the program.
        own = [c.id for c in caller.children[-MAX_MEMBERS:] if c.function.name != "<lambda>"]
        is_last = own[-1:] == [call.id] and call.caller_line == caller.raised_at
        if is_last and _is_contract_error(kind) and kind.qualname in _POSTCONDITIONS:
            return Verdict.WRONG, f"its postcondition failed: {kind.qualname}"
        return None


def _is_contract_error(kind: Type) -> bool:
    return kind.module.partition(".")[0] in _LIBRARIES and kind.qualname in _CONTRACT_ERRORS
