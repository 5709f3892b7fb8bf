"""Conditions of icontract and deal that were broken: which call is to blame.

The libraries check conditions in wrappers, which are not recorded. So their exceptions leave the *caller* of the
function with the condition, and the calls that the caller made at that line tell the rest: the function, if it got to
run, and the condition itself, if that is a function of the program.

- Before a call: the caller passed something that it should not have passed.
- After it: the call is wrong. deal has an exception of its own for that. icontract has one for everything, but its
  message names the line of the condition, and the decorator there says when it is checked.
- An invariant: the method that ran just before the check is wrong; if none did, it is the caller.
- Exceptions that a function should not raise (deal): the call that raised one is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from wrongcall.languages.python.conditions import (
    Checked,
    Condition,
    condition_at,
    is_decorated,
)
from wrongcall.recording import UNSET, Call, Function, Outcome, Recording, Ref
from wrongcall.trace.format.program_tables import Type

MAX_CALLS_BEFORE = 32
"""Calls that a caller made before the exception, as far as they are looked at."""
_LIBRARIES = frozenset({"icontract", "deal", "pydantic", "pydantic_core"})
_REFUSED = frozenset({"ValidationError", "PreContractError"})
_AFTERWARDS = frozenset({"PostContractError"})
_RAISED = frozenset({"RaisesContractError", "ReasonContractError"})
_INVARIANT = frozenset({"InvContractError"})
_ANY = frozenset({"ViolationError"})
_ERRORS = _REFUSED | _AFTERWARDS | _RAISED | _INVARIANT | _ANY
_PLACE = re.compile(r"File (.+), line (\d+) in ")
"""How messages of icontract begin."""


class Blame(NamedTuple):
    """The call that broke a condition, and how."""

    call: int
    reason: str


def is_contract_error(kind: Type) -> bool:
    """Return whether an exception says that a condition was broken."""
    return kind.module.partition(".")[0] in _LIBRARIES and kind.qualname in _ERRORS


def came_from_below(call: Call, raised: Ref) -> bool:
    """Return whether an exception that left a call had left one that it made."""
    return any(
        child.outcome is Outcome.RAISED and child.value == raised
        for child in list(call.children[-MAX_CALLS_BEFORE:])
    )


class Conditions:
    """Finds who broke a condition."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._condition = lru_cache(256)(self._find_condition)

    def blamed(self, caller: Call) -> Blame | None:
        """Return which call is to blame for the exception of a library that left a call first."""
        if caller.outcome is not Outcome.RAISED or not isinstance(caller.value, Ref):
            return None
        kind = self._recording.states.object(caller.value.oid).type
        if not is_contract_error(kind) or came_from_below(caller, caller.value):
            return None
        name = kind.qualname
        refused = Blame(caller.id, f"it made a call that {name} refused")
        if name in _REFUSED:
            return refused
        if name in _AFTERWARDS:
            found = next((c for c in self._made(caller) if c.outcome is Outcome.RETURNED), None)
            return _broken(found, Checked.AFTER, name)
        if name in _RAISED:
            raised = next((c for c in self._made(caller) if c.outcome is Outcome.RAISED), None)
            return Blame(raised.id, f"it must not raise this: {name}") if raised else None
        if name in _INVARIANT:
            return self._against_invariant(caller, name) or Blame(
                caller.id, f"it broke an invariant: {name}"
            )
        condition = self._condition(caller.value.oid, caller.exit)
        if condition is None:
            # It is certain only that nothing ran which a condition could have been checked after.
            return None if any(self._made(caller)) else refused
        if condition.checked is Checked.AFTER:
            made = (c for c in self._made(caller) if c.function.name == condition.name)
            return _broken(next(made, None), Checked.AFTER, name)
        if condition.checked is Checked.ALWAYS:
            return self._against_invariant(caller, name) or refused
        return refused

    def _made(self, caller: Call) -> Iterator[Call]:
        """Iterate over the calls that may be the checked one, the latest first.

        They were made at the line that the exception left. Conditions may be functions of the program: lambdas, or
        functions without decorators where the checked one has some.
        """
        own = [c for c in self._at_the_end(caller) if c.function.name != "<lambda>"]
        decorated = [c for c in own if self._is_decorated(c)]
        return iter(decorated or own)

    def _at_the_end(self, caller: Call) -> Iterator[Call]:
        made = reversed(caller.children[-MAX_CALLS_BEFORE:])
        return (c for c in made if c.caller_line == caller.raised_at)

    def _is_decorated(self, call: Call) -> bool:
        of_class = self._class_of(call)
        functions = [call.function, *([of_class] if of_class else [])]
        return any(is_decorated(self._recording.sources.definition(each)) for each in functions)

    def _class_of(self, call: Call) -> Function | None:
        """Return the body of the class of which a call is a method."""
        outer = self._recording.program.functions.get(call.function.outer)
        is_method = outer is not None and outer.kind == "class"
        return outer if is_method and call.function.name != "<lambda>" else None

    def _against_invariant(self, caller: Call, error: str) -> Blame | None:
        """Return the method that ran just before the condition of its object was found broken.

        The condition is checked before and after each call. So there is one check between the method and the exception
        if the method broke it, and a second one if something else did.
        """
        made = self._at_the_end(caller)
        check = next(made, None)
        if check is None or (about := _first(check)) is None:
            return None
        for call in (call for call in made if _first(call) == about):
            if call.function.id == check.function.id:
                return None
            if self._class_of(call):
                return _broken(call, Checked.ALWAYS, error)
        return None

    def _find_condition(self, oid: int, time: int) -> Condition | None:
        """Return the condition that a message of icontract is about."""
        args = self._recording.states.heap.peek(oid, time).attr("args")
        held = self._recording.states.state(args.oid, time).items if isinstance(args, Ref) else ()
        place = _PLACE.match(held[0]) if held and isinstance(held[0], str) else None
        if place is None:
            return None
        files = self._recording.program.files
        number = next((n for n, file in files.items() if file.path == place[1]), None)
        if number is None:
            return None
        return condition_at(self._recording.sources.of_file(number), int(place[2]))


def _first(call: Call) -> Ref | None:
    """Return the object that is a call's first argument."""
    given = call.args
    value = given[0].value if given else UNSET
    return value if isinstance(value, Ref) else None


def _broken(call: Call | None, checked: Checked, error: str) -> Blame | None:
    return Blame(call.id, f"its {checked.value} failed: {error}") if call else None
