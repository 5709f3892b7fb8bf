"""The ``type`` statement binds a name; what stands in it, and bases of generic classes, are evaluated apart."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.recorder.heap_compare import run_witnessed

pytestmark = pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of 3.12")

PROGRAM = """
def base(x):
    return list

type Module = list[int]

def function():
    type Local[T] = list[T] | dict[str, base(1)]
    class Generic[T](base(1), metaclass=type):
        type Inner = T
    probe('function')
    print(Local.__value__, Generic.__mro__, Generic.Inner.__value__)
    print(function.__code__.co_cellvars, function.__code__.co_freevars)
    def inner():
        nonlocal Local
        type Local = int
    inner()
    print(Local.__value__)

class Class:
    type Own = int
    probe('class')

function()
print(sorted(name for name in globals() if name[0] != '_'))
"""


def test_type_aliases_are_writes_of_their_names(tmp_path: Path) -> None:
    with run_witnessed(tmp_path, PROGRAM) as run:
        run.locals_agree("function")
        run.locals_agree("class")
        assert "Module" in run.recording.states.globals("__main__")
