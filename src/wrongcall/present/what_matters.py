"""Which attributes of its arguments matter for a call: those that its code and the code of its callees read."""

from __future__ import annotations

from itertools import chain, islice

from wrongcall.recording import Call, Recording

_CALLEES = 64
"""Calls that a call made whose attributes are looked up, the first ones."""
_EVENTS = 20_000
"""Events of a call among which its first callees are looked for: it may last for the whole run."""


def attributes_that_matter(recording: Recording, call: Call) -> tuple[str, ...]:
    """Return the names of the attributes that a call may have read, its own first; then those of its callees.

    A property or a method often stands between a call and the attribute that it uses.
    """
    callees = islice(call.first_children(_EVENTS), _CALLEES)
    functions = {
        each.id: each for each in (call.function, *(callee.function for callee in callees))
    }
    read = (recording.sources.attributes(function) for function in functions.values())
    return tuple(dict.fromkeys(chain.from_iterable(read)))
