"""Which attributes of its arguments matter for a call: those that its code and the code of its callees read."""

from __future__ import annotations

from itertools import chain, islice

from wrongcall.recording import Call, Recording

_CALLEES = 64
"""Calls that a call made whose attributes are looked up, the first ones."""
_EVENTS = 20_000
"""Events of a call among which its first callees are looked for: it may last for the whole run."""


def attributes_of_callees(recording: Recording, call: Call) -> tuple[str, ...]:
    """Return the names of the attributes that the first callees of a call may have read.

    A property or a method often stands between a call and the attribute that it uses.
    """
    callees = islice(call.first_children(_EVENTS), _CALLEES)
    functions = {callee.function.id: callee.function for callee in callees}
    read = (recording.sources.attributes(function) for function in functions.values())
    return tuple(dict.fromkeys(chain.from_iterable(read)))
