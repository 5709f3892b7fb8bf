"""Steps made from columns, window by window, are those that are told one by one."""

from __future__ import annotations

import tempfile
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.steps.slow_steps import SlowTimeline, is_rising, latest, marks
from tests.recorder.test_execution import PROGRAMS
from tests.trace.conftest import Record
from tests.trace.emitter import Emitter, flow
from wrongcall.analysis.steps.steps import StepColumns, Steps
from wrongcall.events import Kind, SiteKind, Tag
from wrongcall.recording import Call, CallStep, Recording, StepKind

EXCEPTIONS = """\
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *why):
        return True

def often(n, table):
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(i)
            table[i] = i
            with Quiet() as quiet:
                quiet.n = i
                if i % 2:
                    int("x")
            quiet.m = i
        except ValueError as error:
            if i % 2:
                continue
            table["x"] = error
        finally:
            table[-1] = [j for j in range(2)]
    return n

def numbers(n):
    try:
        for i in range(n):
            got = yield i
    finally:
        print("done")

def user(n):
    total = 0
    for x in numbers(n):
        total += x; total += 1
        if x == 3: break
    def inner():
        nonlocal total
        total += 1
        inner.times = total
    inner(); inner()
    big = {}
    for i in range(40):
        big[i % 7], big["last", i] = i, i
        big["same"] = i
    return big
often(9, {})
user(9)
try:
    often(2, None)
except TypeError:
    pass
"""
ALL = {**PROGRAMS, "exceptions": EXCEPTIONS}


def unnamed(steps: list[CallStep]) -> list[CallStep]:
    return [replace(step, place="") for step in steps]


def check(trace: Recording, call: Call) -> None:
    """Hold the steps of a call against the slow ones."""
    steps = trace.execution.steps(call.id)
    slow = SlowTimeline(trace)
    told = slow.of(call)
    whole = list(steps)
    assert unnamed(whole) == told
    check_parts(steps, whole, call)
    ordered = steps.by_time()
    by_time = sorted(whole, key=lambda step: step.time)
    check_parts(ordered, by_time, call)
    check_places(ordered, [step.time for step in by_time], call)
    for name in trace.states.locals(call.id):
        check_marks(trace, call, name, call)


def check_marks(trace: Recording, call: Call, path: str, within: Call) -> int:
    """Hold the marks of a place in a call against the slow ones; return how many there are."""
    by_time = sorted(trace.execution.steps(within.id), key=lambda step: step.time)
    times = [version.time for version in trace.places.history(call.id, path)]
    inside = [time for time in times if within.entry <= time <= within.last]
    found = trace.places.marks(call.id, path, within=within.id)
    expected = marks(trace, by_time, inside)
    assert list(zip(found.at.tolist(), found.inside.tolist(), strict=True)) == expected
    assert found.time.tolist() == [by_time[i].time for i, _ in expected]
    return len(expected)


def check_parts(steps: Steps, whole: list[CallStep], call: Call) -> None:
    """Hold parts of the steps, and what is told of them, against parts of them all."""
    count = len(whole)
    assert len(steps) == count
    for size in (1, 7):
        for first in range(0, count, max(count // 10, 1)):
            assert steps[first : first + size] == whole[first : first + size]
    for at in {0, count // 2, count - 1} if count else set():
        assert steps[at] == whole[at]
        assert steps[at - count] == whole[at]
    for time in {call.entry, (call.entry + call.last) // 2, call.last}:
        seen = [step for step in whole if step.time <= time]
        check_told(steps.until(time), seen)
    for at in range(0, count, max(count // 5, 1)):
        check_told(steps.first(at + 1), whole[: at + 1])
        later = [*range(at + 1, count), *range(at)]
        for line in {step.line for step in whole}:
            is_there = (
                i for i in later if whole[i].kind is StepKind.LINE and whole[i].line == line
            )
            assert steps.next_line(at, line) == next(is_there, None)
        ahead = (StepKind.LINE, StepKind.BRANCH)
        states = [step.time - (step.kind in ahead) for step in whole[: at + 1]]
        assert steps.state_time(at, call.entry) == max([call.entry, *states])


def check_told(steps: Steps, seen: list[CallStep]) -> None:
    assert list(steps) == seen
    lines = [step.line for step in seen if step.kind is StepKind.LINE]
    assert steps.line_counts() == Counter(lines)
    assert steps.last_line() == (lines[-1] if lines else 0)
    assert steps.known_line() == next((s.line for s in reversed(seen) if s.line), 0)
    for most in (1, 3):
        assert steps.latest(most, 0, 10**6) == latest(seen, most)
        assert steps.latest(most, 5, 9) == {
            line: found for line, found in latest(seen, most).items() if 5 <= line <= 9
        }


def check_places(steps: Steps, times: list[int], call: Call) -> None:
    for when in {call.entry, *times, call.last}:
        index = max(bisect_right(times, when) - 1, 0)
        before = bisect_left(times, times[index]) - 1 if times else -1
        after = bisect_right(times, when)
        assert steps.last_at(when) == index
        assert steps.around(when) == (
            times[before] if before >= 0 else None,
            times[after] if after < len(times) else None,
        )


@pytest.mark.parametrize("name", ALL)
def test_windows_are_parts_of_the_whole(record: Record, name: str) -> None:
    trace = record(ALL[name]).trace
    for number in range(1, trace.calls.count + 1):
        check(trace, trace.call(number))


def test_marks_of_what_objects_hold_seen_from_any_call(record: Record) -> None:
    trace = record(EXCEPTIONS).trace
    calls = [trace.call(number) for number in range(1, trace.calls.count + 1)]
    by_name = {call.function.name: call for call in reversed(calls)}
    often, user = by_name["often"], by_name["user"]
    places = [(often, "table[-1]"), (often, "quiet.m"), (user, "inner.times"), (user, "big[3]")]
    for call, path in [*places, (user, "big['same']"), (user, "total")]:
        assert check_marks(trace, call, path, call) > 0
        assert check_marks(trace, call, path, calls[0]) > 0


# -- any events at all: more than a program could do ------------------------------------------------

SOURCE = """\
def f(xs):
    total = 0
    for x in xs:
        if x:
            total += x
        else:
            print(x)
    try:
        a = g()
        b = 1
    except E:
        total = -1
    return total
"""
BLOCKS = [[2], [3], [4], [5], [7], [], [8], [9, 10], [11, 12], [13]]
FOLLOWING = {
    0: [1, 0, 0],
    1: [2, 3, 1, 6, 3, 2],
    2: [3, 4, 1, 4, 4, 2],
    3: [5, 0, 0],
    4: [5, 0, 0],
    5: [1, 0, 0],
    6: [7, 0, 0],
    7: [9, 0, 0],
    8: [9, 0, 0],
}
FLOW = flow(10, FOLLOWING, silent=(1, 5), begin={2: 4})
SITES = [
    (SiteKind.ENTRY, 1, 1, None, 0),
    (SiteKind.PARAM, 1, 1, "xs", 0),
    (SiteKind.WRITE, 1, 2, "total", 0),
    (SiteKind.WRITE, 1, 3, "x", 2),
    (SiteKind.WRITE, 1, 5, "total", 3),
    (SiteKind.BLOCK, 1, 7, None, 4),
    (SiteKind.BLOCK, 1, 8, None, 6),
    (SiteKind.CALL, 1, 9, "g", 7),
    (SiteKind.WRITE, 1, 9, "a", 7),
    (SiteKind.WRITE, 1, 10, "b", 7),
    (SiteKind.CAUGHT, 1, 11, None, 8),
    (SiteKind.WRITE, 1, 12, "total", 8),
    (SiteKind.RETURN, 1, 13, None, 9),
    (SiteKind.ENTRY, 2, 20, None, 0),
]
CALLED, INNER = 8, 14
LOCALS = ["xs", "total", "x", "a", "b"]

writes = st.tuples(st.just("write"), st.sampled_from([2, 3, 4, 5, 9, 10, 12]))
lines = st.integers(1, 14)
call_events = st.one_of(
    writes,
    writes,
    st.tuples(st.just("block"), st.sampled_from([6, 7])),
    st.tuples(st.just("caught"), lines),
    st.tuples(st.just("left"), lines),
    st.tuples(st.just("call"), st.sampled_from([0, CALLED])),
    st.tuples(st.just("item"), st.integers(0, 3)),
    st.tuples(st.just("print"), st.just(0)),
)


def emitted(emitter: Emitter, call: int, what: str, number: int) -> None:
    if what == "write":
        emitter.local(call, number, number)
    elif what == "block":
        emitter.event(Kind.BLOCK, site=number, call=call)
    elif what == "caught":
        emitter.event(Kind.CAUGHT, site=11, call=call, key=(Tag.INT, number))
    elif what == "left":
        emitter.event(Kind.BLOCK, call=call, key=(Tag.INT, number))
    elif what == "call":
        emitter.leave(emitter.enter(INNER, call, number))
    elif what == "item":
        table = emitter.new("list")
        emitter.item(Kind.ITEM, table, number, number, site=CALLED, call=call)
    else:
        emitter.event(Kind.PRINT, call=call, key=(Tag.INT, 1), value=emitter.value("x"))


@given(
    st.lists(call_events, max_size=40),
    st.sampled_from([None, Kind.RETURN, Kind.RAISE]),
    st.sampled_from([1, 2, 5, 1000]),
)
def test_any_events_are_told_in_the_same_order_however_many_at_once(
    happened: list[tuple[str, int]], end: Kind | None, together: int
) -> None:
    emitter = Emitter()
    functions = [
        {"blocks": BLOCKS, "flow": FLOW, "end_line": 13, "params": ["xs"], "locals": LOCALS},
        {"qualname": "g", "entry": INNER, "line": 20, "end_line": 20, "blocks": [[20]]},
    ]
    emitter.file(functions, SITES, source=SOURCE)
    call = emitter.enter(1)
    for what, number in happened:
        emitted(emitter, call, what, number)
    if end is not None:
        emitter.leave(call, 0, 13, end)
    with (
        tempfile.TemporaryDirectory() as folder,
        emitter.open(Path(folder) / "t.wrongcall") as trace,
    ):
        check(trace, trace.call(call))


def test_steps_are_told_in_the_order_of_their_times_where_a_test_led_to_a_line_that_raised(
    record: Record,
) -> None:
    run = record(
        """\
        def f(x):
            try:
                if x:
                    y = int(x)
            except ValueError:
                return 1
        f("x")
        """
    )
    steps = run.trace.execution.steps(run.call("f").id)
    assert is_rising([step.time for step in steps])
    assert is_rising([step.time for step in steps.by_time()])
    assert sorted(map(repr, steps)) == sorted(map(repr, steps.by_time()))


def test_a_window_is_made_without_the_rest(record: Record) -> None:
    run = record(
        """\
        def f(n):
            total = 0
            for i in range(n):
                total += g(i)
            return total
        def g(i):
            return i
        f(3000)
        """
    )
    call = run.call("f")
    steps = run.trace.execution.steps(call.id)
    made: list[int] = []

    def make(some: StepColumns) -> list[CallStep]:
        made.append(len(some.time))
        return steps._make(some)

    watched = Steps(steps.columns, make, steps._latest)
    assert len(watched) > 10_000
    assert [step.kind for step in watched[5000:5004]] == [step.kind for step in steps[5000:5004]]
    assert made == [4]
    children = call.children
    assert len(children) == 3000
    assert [child.id for child in children[-2:]] == [children[2998].id, children[2999].id]
