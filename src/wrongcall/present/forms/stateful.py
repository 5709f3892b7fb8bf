"""Forms of what has a state that changes: locks, queues, futures, weak references, loggers.

A state is shown only if the recorder followed the object at that time (then it has the parts that
say so); otherwise the kind is all that is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, type_name, word
from wrongcall.present.text import safe
from wrongcall.recording import UNSET, Ref, Value
from wrongcall.replay.heap import Peek

_Kind: TypeAlias = Callable[[Peek, Sight], Form]
_SOCKETS = {1: "stream", 2: "datagram", 3: "raw"}


def stateful(peek: Peek, sight: Sight) -> Form | None:
    """Write an object of the standard library whose state changes, by kind and state."""
    write = _KINDS.get((peek.type.module, peek.type.qualname))
    if write is None or peek.layout not in (Layout.INSTANCE, Layout.OPAQUE):
        return None
    return write(peek, sight)


def told(peek: Peek, state: str = "") -> Form:
    """Return ``<kind: state>``, or ``<kind>`` if the state is not known."""
    return Form(f"<{type_name(peek)}: {state}>" if state else f"<{type_name(peek)}>")


# -- locks ------------------------------------------------------------------------------------------


def _by_flag(part: str, true: str, false: str) -> _Kind:
    def write(peek: Peek, _sight: Sight) -> Form:
        value = peek.attr(part)
        return told(peek, (true if value else false) if isinstance(value, bool) else "")

    return write


def _by_number(part: str, after: str = "") -> _Kind:
    def write(peek: Peek, _sight: Sight) -> Form:
        value = peek.attr(part)
        return told(peek, f"{value:,}{after}" if isinstance(value, int) else "")

    return write


def _rlock(peek: Peek, _sight: Sight) -> Form:
    count, thread = peek.attr("count"), peek.attr("thread")
    if not isinstance(count, int):
        return told(peek)
    if count == 0:
        return told(peek, "not held")
    held = "held once" if count == 1 else f"held {count:,} times"
    return told(peek, f"{held} by thread {thread}" if isinstance(thread, int) else held)


def _barrier(peek: Peek, _sight: Sight) -> Form:
    waiting, parties = peek.attr("state"), peek.attr("_parties")
    if not isinstance(waiting, int) or not isinstance(parties, int):
        return told(peek)
    return told(peek, f"{waiting} of {parties} waiting")


def _plain(peek: Peek, _sight: Sight) -> Form:
    return told(peek)


# -- queues, futures, threads, processes --------------------------------------------------------------


def _queue(part: str) -> _Kind:
    def write(peek: Peek, sight: Sight) -> Form:
        held = peek.attr(part)
        if not isinstance(held, Ref):
            return told(peek)
        inside = sight.peek(held.oid)
        if not inside.explored:
            return told(peek)
        if not inside.length:
            return told(peek, "empty")
        items = (("", value) for value in few(inside.items))
        return Form(f"<{type_name(peek)}: ", ">", items, inside.length)

    return write


def _heap(peek: Peek, _sight: Sight) -> Form:
    size = peek.attr("size")
    return told(peek, _count(size, "item") if isinstance(size, int) else "")


def _future(names: tuple[str, str]) -> _Kind:
    """Return a writer of futures; the names of its result and exception."""

    def write(peek: Peek, _sight: Sight) -> Form:
        state, name = peek.attr("state"), peek.attr("name")
        opening = f"<{type_name(peek)}"
        if isinstance(name, str):
            opening += f" {safe(repr(name))}"
        if not isinstance(state, str):
            return Form(opening + ">")
        parts = _outcome(peek, names) if state == "FINISHED" else []
        coroutine = peek.attr("coroutine")
        if state == "PENDING" and isinstance(coroutine, Ref):
            parts = [("", coroutine)]
        opening += f": {safe(state).lower()}"
        return Form(opening + (", " if parts else ""), ">", parts, len(parts))

    return write


def _outcome(peek: Peek, names: tuple[str, str]) -> list[tuple[str, Value]]:
    """Return what a future that is done holds: its exception, else its result."""
    result, exception = peek.attr(names[0]), peek.attr(names[1])
    if exception is not UNSET and exception is not None:
        return [("raised ", exception)]
    return [] if result is UNSET else [("result ", result)]


def _process(peek: Peek, _sight: Sight) -> Form:
    code, parts = peek.attr("state"), [("", peek.attr("args"))]
    ended = f"exit code {code}, " if isinstance(code, int) else ""
    if code is None:
        ended = "no exit code yet, "
    return Form(f"<{type_name(peek)}: {ended}", ">", parts, 1)


def _named(*attributes: str) -> _Kind:
    def write(peek: Peek, _sight: Sight) -> Form:
        names = (peek.attr(attribute) for attribute in attributes)
        name = next((name for name in names if isinstance(name, str)), None)
        return told(peek) if name is None else Form(f"<{type_name(peek)} {safe(repr(name))}>")

    return write


# -- others -------------------------------------------------------------------------------------------


def _weakref(peek: Peek, sight: Sight) -> Form:
    to = peek.attr("to")
    if isinstance(to, Ref):
        return Form(f"<weakref to {type_name(sight.peek(to.oid))} #{to.oid}>")
    return Form("<weakref: dead>" if peek.attr("alive") is False else "<weakref>")


def _socket(peek: Peek, _sight: Sight) -> Form:
    number, kind = peek.attr("fd"), peek.attr("type")
    if not isinstance(number, int):
        return told(peek)
    if number < 0:
        return told(peek, "closed")
    known = _SOCKETS.get(kind) if isinstance(kind, int) else None
    return told(peek, f"fd {number}" + (f", {known}" if known else ""))


def _hash(peek: Peek, _sight: Sight) -> Form:
    return Form(f"<hash {word(peek.attr('name'))}>")


def _struct(peek: Peek, _sight: Sight) -> Form:
    written = peek.attr("format")
    return Form(f"Struct({safe(repr(written))})") if isinstance(written, str) else told(peek)


def _rows(peek: Peek, _sight: Sight) -> Form:
    lines = peek.attr("line_num")
    if not isinstance(lines, int):
        return Form("<csv reader>")
    return Form(f"<csv reader: {_count(lines, 'line')} read>")


def _writer(_peek: Peek, _sight: Sight) -> Form:
    return Form("<csv writer>")


def _context(peek: Peek, _sight: Sight) -> Form:
    size = peek.attr("size")
    return told(peek, _count(size, "variable") if isinstance(size, int) else "")


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


_SET = _by_flag("state", "set", "not set")
_LOCKED = _by_flag("state", "locked", "not locked")
_QUEUE, _ASYNC_QUEUE = _queue("queue"), _queue("_queue")
_FUTURE = _future(("result", "exception"))

_KINDS: dict[tuple[str, str], _Kind] = {
    ("_thread", "lock"): _by_flag("locked", "locked", "not locked"),
    ("_thread", "RLock"): _rlock,
    ("threading", "Event"): _SET,
    ("threading", "Semaphore"): _by_number("state"),
    ("threading", "BoundedSemaphore"): _by_number("state"),
    ("threading", "Barrier"): _barrier,
    ("threading", "Condition"): _plain,
    ("threading", "Thread"): _named("_name"),
    ("queue", "Queue"): _QUEUE,
    ("queue", "LifoQueue"): _QUEUE,
    ("queue", "PriorityQueue"): _heap,
    ("_queue", "SimpleQueue"): _by_number("size", " waiting"),
    ("asyncio.locks", "Event"): _SET,
    ("asyncio.locks", "Lock"): _LOCKED,
    ("asyncio.locks", "Condition"): _plain,
    ("asyncio.locks", "Semaphore"): _by_number("state"),
    ("asyncio.locks", "BoundedSemaphore"): _by_number("state"),
    ("asyncio.queues", "Queue"): _ASYNC_QUEUE,
    ("asyncio.queues", "LifoQueue"): _ASYNC_QUEUE,
    ("asyncio.queues", "PriorityQueue"): _heap,
    ("_asyncio", "Future"): _FUTURE,
    ("_asyncio", "Task"): _FUTURE,
    ("asyncio.futures", "Future"): _future(("_result", "_exception")),
    ("concurrent.futures._base", "Future"): _future(("_result", "_exception")),
    ("subprocess", "Popen"): _process,
    ("random", "Random"): _plain,
    ("random", "SystemRandom"): _plain,
    ("socket", "socket"): _socket,
    ("_socket", "socket"): _socket,
    ("_struct", "Struct"): _struct,
    ("_csv", "reader"): _rows,
    ("_csv", "writer"): _writer,
    ("_contextvars", "Context"): _context,
    **{
        ("weakref", name): _weakref
        for name in ("ReferenceType", "ProxyType", "CallableProxyType", "KeyedRef", "WeakMethod")
    },
    **{("builtins", name): _weakref for name in ("weakref", "weakproxy", "weakcallableproxy")},
    **{
        (module, name): _hash
        for module, names in {
            "_hashlib": ("HASH", "HMAC"),
            "_blake2": ("blake2b", "blake2s"),
            "_md5": ("md5",),
            "_sha1": ("sha1",),
            "_sha2": ("SHA224Type", "SHA256Type", "SHA384Type", "SHA512Type"),
            "_sha3": ("sha3_224", "sha3_256", "sha3_384", "sha3_512"),
        }.items()
        for name in names
    },
}
