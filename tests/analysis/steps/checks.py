"""Holds the steps of calls, made from columns, against those that are told one by one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace

from tests.analysis.steps.slow_steps import SlowTimeline, latest, marks
from tests.recorder.branching_programs import PROGRAMS
from wrongcall.analysis.steps.steps import Steps
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


def check(recording: Recording, call: Call) -> None:
    """Hold the steps of a call against the slow ones."""
    steps = recording.execution.steps(call.id)
    slow = SlowTimeline(recording)
    told = slow.of(call)
    whole = list(steps)
    assert unnamed(whole) == told
    check_parts(steps, whole, call)
    ordered = steps.by_time()
    by_time = sorted(whole, key=lambda step: step.time)
    check_parts(ordered, by_time, call)
    check_places(ordered, [step.time for step in by_time], call)
    for name in recording.states.locals(call.id):
        check_marks(recording, call, name, call)


def check_marks(recording: Recording, call: Call, path: str, within: Call) -> int:
    """Hold the marks of a place in a call against the slow ones; return how many there are."""
    by_time = sorted(recording.execution.steps(within.id), key=lambda step: step.time)
    times = [version.time for version in recording.places.history(call.id, path)]
    inside = [time for time in times if within.entry <= time <= within.last]
    found = recording.places.marks(call.id, path, within=within.id)
    expected = marks(recording, by_time, inside)
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
