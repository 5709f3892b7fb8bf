"""What a program itself says about the state of its objects, beside what its trace claims.

`WITNESS` is source that a test puts at the top of its program: ``witness(o)`` returns the state of an
object as plain data, found by its public methods and without changing it (iterators are copied).
`claimed` reads the same off a trace; `NOT_CLAIMED` where the trace does not say.
"""

from __future__ import annotations

from typing import Any

from wrongcall.recording import UNSET, Recording, Ref, Value
from wrongcall.replay.heap import Peek

NOT_CLAIMED = "not claimed"

WITNESS = """
import collections, copy, io, itertools, json, queue, re, sys, threading, weakref

BY_COPY = {"list_iterator", "list_reverseiterator", "tuple_iterator", "str_iterator", "str_ascii_iterator",
           "bytes_iterator", "bytearray_iterator", "dict_keyiterator", "dict_valueiterator", "set_iterator",
           "range_iterator", "longrange_iterator", "reversed"}

def witness(o):
    kind = type(o).__name__
    if kind in BY_COPY:
        rest = list(copy.copy(o))
        return sorted(rest) if kind == "set_iterator" else rest
    if kind == "count":
        return repr(o)
    if kind == "repeat":
        return repr(o)
    if kind in ("StringIO", "BytesIO"):
        if o.closed:
            return "closed"
        value = o.getvalue()
        return [o.tell(), value if isinstance(value, str) else value.decode("latin-1")]
    if kind == "lock":
        return o.locked()
    if kind == "RLock":
        return int(re.search(r"count=(\\d+)", repr(o))[1])
    if kind == "Event":
        return o.is_set()
    if kind == "Semaphore":
        return o._value
    if kind in ("Queue", "LifoQueue"):
        return list(o.queue)
    if kind in ("SimpleQueue", "PriorityQueue"):
        return o.qsize()
    if kind in ("ReferenceType", "weakref"):
        return o() is not None
    if kind == "Future":
        return o._state
    raise AssertionError(kind)
"""


def claimed(recording: Recording, value: Value, time: int) -> Any:
    """Return what a trace says about the state of an object at a time."""
    assert isinstance(value, Ref)
    peek = recording.states.heap.peek(value.oid, time)
    kind = peek.type.qualname
    if kind.endswith("iterator") or kind == "reversed":
        return _rest(recording, peek, time)
    if kind in _READERS:
        return _READERS[kind](recording, peek, time)
    part = _PARTS[kind]
    found = peek.attr(part)
    return NOT_CLAIMED if found is UNSET else found


_PARTS = {
    "lock": "locked",
    "RLock": "count",
    "Event": "state",
    "Semaphore": "state",
    "SimpleQueue": "size",
    "PriorityQueue": "size",
    "ReferenceType": "alive",
    "Future": "state",
}


def _rest(recording: Recording, peek: Peek, time: int) -> Any:
    """Return the items that an iterator has still to give."""
    if peek.attr("exhausted") is True:
        return []
    kind, of, left = peek.type.qualname, peek.attr("of"), peek.attr("left")
    if of is UNSET and left is UNSET:
        return NOT_CLAIMED
    if "range" in kind:
        # The step is not among the parts: only how many are left, and the first of them.
        return ("range", left, peek.attr("next"))
    items = recording.states.plain(of, time)
    if isinstance(of, Ref):
        items = _items(recording, of, time)
    if isinstance(left, int):
        if kind == "set_iterator":
            return ("some of", left, sorted(items))
        return ("next", left, recording.states.plain(peek.attr("next"), time))
    position = peek.attr("position")
    assert isinstance(position, int)
    if "reverse" in kind:
        return items[position::-1]
    return list(items[position:])


def _items(recording: Recording, of: Ref, time: int) -> list[Any]:
    peek = recording.states.heap.peek(of.oid, time)
    held = [*peek.items(), *peek.members()]
    return [recording.states.plain(value, time) for value in held]


def _buffer(recording: Recording, peek: Peek, time: int) -> Any:
    if peek.attr("closed") is not False:
        return "closed" if peek.attr("closed") is True else NOT_CLAIMED
    content = peek.attr("content")
    text = content.decode("latin-1") if isinstance(content, bytes) else content
    if text is UNSET:
        ends = peek.attr("beginning"), peek.attr("end")
        both = [end.decode("latin-1") if isinstance(end, bytes) else end for end in ends]
        return ("long", peek.attr("position"), peek.attr("size"), *both)
    return [peek.attr("position"), text]


def _queue(recording: Recording, peek: Peek, time: int) -> Any:
    held = peek.attr("queue")
    return _items(recording, held, time) if isinstance(held, Ref) else NOT_CLAIMED


def _numbers(recording: Recording, peek: Peek, time: int) -> Any:
    names = ("next", "step") if peek.type.qualname == "count" else ("element", "left")
    first, second = (peek.attr(name) for name in names)
    if first is UNSET:
        return NOT_CLAIMED
    shown = [repr(first)]
    if second is not UNSET and (peek.type.qualname == "repeat" or second != 1):
        shown.append(repr(second))
    return f"{peek.type.qualname}({', '.join(shown)})"


_READERS = {
    "StringIO": _buffer,
    "BytesIO": _buffer,
    "Queue": _queue,
    "LifoQueue": _queue,
    "count": _numbers,
    "repeat": _numbers,
}


def agrees(claim: Any, seen: Any) -> bool:
    """Return whether a claim is what the program saw of the state."""
    if not isinstance(claim, tuple):
        return bool(claim == seen)
    kind, *rest = claim
    if kind == "range":
        left, first = rest
        return bool(left == len(seen) and (not seen or first == seen[0]))
    if kind == "next":
        left, first = rest
        return bool(left == len(seen) and first == seen[0])
    if kind == "some of":
        left, items = rest
        return bool(left == len(seen) and set(seen) <= set(items))
    assert kind == "long"
    position, size, beginning, end = rest
    text = seen[1]
    return bool(
        position == seen[0]
        and size == len(text)
        and text.startswith(beginning)
        and text.endswith(end)
    )
