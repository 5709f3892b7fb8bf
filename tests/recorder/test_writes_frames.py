"""What is written through `frame.f_locals` to the variables of a running function (3.13 and later)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.recorder.heap_compare import run_witnessed

pytestmark = pytest.mark.skipif(
    sys.version_info < (3, 13), reason="before, f_locals is a copy of the variables"
)

PROGRAM = """
import sys

def setter(name, value):
    sys._getframe(1).f_locals[name] = value

def own():
    x = 1
    sys._getframe().f_locals['x'] = [2]  # own
    probe('own')

def others(p):
    y = 1
    setter('y', {'k': 3})  # others
    setter('p', 4)
    probe('others')
    y = 5
    probe('bound again')

def in_many_ways():
    a = b = c = d = e = f = g = h = 1
    view = sys._getframe().f_locals
    view.update({'a': 2, 'b': 3})
    view.__setitem__('c', 4)
    view |= {'d': 5}
    view.__ior__({'f': 5})
    view.setdefault('e', 6)
    try:
        view.update({'g': [6], 'h': 7}, 8)
    except TypeError:
        pass
    view.setdefault('late', 7)
    view['nothing'] = 8
    del view
    probe('in many ways')
    late = 9

def in_loops():
    total = n = 0
    while n < 3:
        if n == 1:
            setter('n', 2)
        total += n
        n += 1
    probe('in loops')

def shared():
    s = 1
    def inner():
        return s
    setter('s', 2)
    inner()
    probe('shared')

def suspended():
    z = 1
    yield sys._getframe()
    probe('suspended')

own()
others(1)
in_many_ways()
in_loops()
shared()
g = suspended()
next(g).f_locals['z'] = 'written'
list(g)
"""


def test_writes_through_frames(tmp_path: Path) -> None:
    with run_witnessed(tmp_path, PROGRAM) as run:
        for label in run.snapshots:
            snapshot = run.snapshots[label]
            snapshot.locals.pop("nothing", None)  # in the view only: no variable of the function
            run.locals_agree(label)
        (_, written) = run.recording.places.local_writes(run.call("own").id, "x")
        assert (written.line, written.call) == (run.line("# own"), run.call("own").id)
        (_, by_other, _) = run.recording.places.local_writes(run.call("others").id, "y")
        assert by_other.line == run.line("# others")


def test_frame_writes_do_not_disturb_executed_lines(tmp_path: Path) -> None:
    with run_witnessed(tmp_path, PROGRAM) as run:
        first = run.line("total = n = 0")
        executed = run.recording.execution.lines(run.call("in_loops").id)
        # n is 0, then 1 and set to 2: the loop's body runs twice, its condition three times
        assert executed == list(range(first, first + 7))
        untouched = run.recording.execution.lines(run.call("others").id)
        begin = run.line("    y = 1")
        assert untouched == list(range(begin, begin + 6))
        assert run.recording.execution.covered() is not None


def test_origin_of_what_a_frame_was_given_is_not_made_up(tmp_path: Path) -> None:
    with run_witnessed(tmp_path, PROGRAM) as run:
        call = run.call("own")
        versions = run.recording.places.history(call.id, "x", run.time("own"))
        assert [version.line for version in versions] == [
            run.line("    x = 1"),
            run.line("# own"),
        ]


@pytest.mark.xfail(strict=True, reason="the view does not tell whose variable it is: known gap")
def test_a_variable_of_the_function_around(tmp_path: Path) -> None:
    source = """
import sys

def outer():
    x = 1
    def inner():
        sys._getframe().f_locals['x'] = 2
        return x
    inner()
    probe('after')

outer()
"""
    with run_witnessed(tmp_path, source) as run:
        run.locals_agree("after")
