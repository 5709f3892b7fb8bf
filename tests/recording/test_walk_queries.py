"""Walking through a run: over, out, and each of these backwards; stacks; where threads are."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record, Recorded
from wrongcall.analysis.walking.stops import Stop

PROGRAM = """\
def inner(n):
    return n + 1

def outer(n):
    a = inner(n)
    b = inner(a)
    return a + b

def numbers():
    for n in range(2):
        yield n

def use(source):
    found = []
    for n in source:
        found.append(n)
    return found

outer(1)
use(numbers())
"""


@pytest.fixture
def recorded(record: Record) -> Recorded:
    return record(PROGRAM)


def at(recorded: Recorded, line: int, number: int = 0) -> Stop:
    """Return the stop at an execution of a line."""
    pauses = recorded.recording.pauses.at_line(f"prog.py:{line}")
    stop = recorded.recording.walk.first()
    assert stop is not None
    for _ in range(number + 1):
        stop = pauses.next(stop)
        assert stop is not None
    return stop


def test_over_and_back_stay_in_the_call(recorded: Recorded) -> None:
    walk = recorded.recording.walk
    stop = at(recorded, 5)
    following = walk.step_over(stop)
    assert following is not None
    assert (following.call, following.line) == (stop.call, 6)
    assert walk.step_over_back(following) == stop


def test_out_is_after_the_call_and_out_back_is_before_it(recorded: Recorded) -> None:
    walk, states = recorded.recording.walk, recorded.recording.states
    stop = at(recorded, 2, 1)
    out, back = walk.step_out(stop), walk.step_out_back(stop)
    assert out is not None
    assert back is not None
    assert (out.line, out.is_line, back.line, back.is_line) == (6, False, 6, True)
    assert out.call == back.call == recorded.call("outer").id
    assert back.order < stop.order < out.order
    assert "b" not in states.locals(out.call, out.state)
    assert walk.step_over_back(out) == back


def test_the_outermost_call_cannot_be_left(recorded: Recorded) -> None:
    walk = recorded.recording.walk
    first = walk.first()
    assert first is not None
    assert walk.step_out(first) is walk.step_out_back(first) is walk.step_over_back(first) is None
    last = walk.last()
    assert last is not None
    assert (last.line, last.state) == (20, recorded.recording.event_count - 1)
    assert walk.step_in(last) is walk.step_over(last) is None


def test_a_generator_is_below_who_resumes_it_not_below_who_created_it(recorded: Recorded) -> None:
    walk = recorded.recording.walk
    stop = at(recorded, 11)
    stack = [(recorded.recording.call(c.call).function.name, c.line) for c in walk.stack(stop)]
    assert stack == [("numbers", 11), ("use", 15), ("<module>", 20)]
    out = walk.step_out(stop)
    assert out is not None
    assert (out.call, out.line) == (recorded.call("use").id, 15)


def test_a_line_is_found_by_its_time(recorded: Recorded) -> None:
    walk = recorded.recording.walk
    stop = walk.first()
    while stop is not None:
        found = walk.near(stop.state)
        assert found is not None
        assert found.state <= stop.state
        assert found.order >= stop.order or found.state == stop.state
        stop = walk.step_in(stop)
