"""The functions that call a library's function deep in recursion."""

from __future__ import annotations

import dis
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wrongcall.recorder import _native
from wrongcall.recorder.trampoline import STARRED, trampoline

ROOT = Path(__file__).parents[2]

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


WATCHED = """
import sys
from threading import Event, Thread
from tests.recorder.test_trampoline import Told
from wrongcall.recorder.trampoline import trampoline

def fail(argument):
    raise KeyError

def trace():
    sys.settrace(lambda *_: None)

def profile():
    sys.setprofile(lambda *_: None)

def trace_another_thread():
    # The interpreter then looks for tools in every thread.
    started = Event()
    def wait():
        trace()
        started.set()
        Event().wait()
    Thread(target=wait, daemon=True).start()
    started.wait()

told = Told(fail)
made = trampoline((1, ()))
{}()
try:
    made(told, 7)
except KeyError:
    print(told.log)
"""


@pytest.mark.parametrize("watch", ["trace", "profile", "trace_another_thread"])
def test_an_exception_passes_while_a_tool_watches(watch: str) -> None:
    """In a process of its own, which would end by a signal."""
    command = [sys.executable, "-c", WATCHED.replace("{}", watch)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout, done.stderr, done.returncode) == ("['begin', 7, 'raised']\n", "", 0)


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
