"""The functions that call a library's function deep in recursion."""

from __future__ import annotations

import dis
import os
import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest

from wrongcall.recorder import _native
from wrongcall.recorder.trampoline import STARRED, trampoline

pytestmark = pytest.mark.skipif(
    _native.TRAMPOLINES is None, reason="this interpreter has no trampolines"
)


class Told:
    """Stands for the C object: notes what the trampoline tells it."""

    def __init__(self, callee: Any) -> None:
        self.callee = callee
        self.log: list[Any] = []

    def __neg__(self) -> Any:
        self.log.append("begin")
        return self.callee

    def __xor__(self, argument: Any) -> None:
        self.log.append(argument)

    def __or__(self, arguments: Any) -> None:
        self.log.append(arguments)

    def __lshift__(self, result: Any) -> Any:
        self.log.append(("returned", result))
        return result

    def __invert__(self) -> None:
        self.log.append("raised")


def test_arguments_are_passed_on_and_reported_after_the_call() -> None:
    told = Told(lambda *args, **named: (args, named))
    made: Any = trampoline((2, ("key", "_other")))
    result = made(told, 1, 2, key=3, _other=4)
    assert result == ((1, 2), {"key": 3, "_other": 4})
    assert told.log == ["begin", 1, 2, 3, 4, ("returned", result)]


def test_an_exception_is_reported_and_raised_again() -> None:
    error = KeyError("k")

    def fail(argument: Any) -> None:
        raise error

    told = Told(fail)
    made: Any = trampoline((1, ()))
    with pytest.raises(KeyError) as caught:
        made(told, 7)
    assert caught.value is error
    assert told.log == ["begin", 7, "raised"]


def _trace() -> None:
    sys.settrace(lambda *_: None)


def _profile() -> None:
    sys.setprofile(lambda *_: None)


def _trace_another_thread() -> None:
    """Trace a thread that waits; the interpreter then looks for tools in every thread."""
    started = Event()

    def wait() -> None:
        _trace()
        started.set()
        Event().wait()

    Thread(target=wait, daemon=True).start()
    started.wait()


@pytest.mark.parametrize("watch", [_trace, _profile, _trace_another_thread])
def test_an_exception_passes_while_a_tool_watches(watch: Callable[[], None]) -> None:
    """In a process of its own, which would end by a signal."""

    def fail(argument: Any) -> None:
        raise KeyError

    pid = os.fork()
    if pid == 0:
        told = Told(fail)
        made: Any = trampoline((1, ()))
        watch()
        try:
            made(told, 7)
        except KeyError:
            os._exit(0 if told.log == ["begin", 7, "raised"] else 1)
        os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0


def test_each_shape_is_made_once() -> None:
    assert trampoline((1, ("a",))) is trampoline((1, ("a",)))
    assert trampoline((1, ("a",))) is not trampoline((1, ("b",)))


def test_no_frame_of_a_trampoline_can_be_seen() -> None:
    made: Any = trampoline((3, ()))
    starred: Any = trampoline(STARRED)
    for code in (made.__code__, starred):
        assert "RESUME" not in {instruction.opname for instruction in dis.get_instructions(code)}


def test_keywords_that_could_be_mangled_have_no_trampoline() -> None:
    assert trampoline((0, ("__private",))) is None
    assert trampoline(None) is None
