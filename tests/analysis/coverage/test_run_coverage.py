"""What all calls covered at once is what each of them covered."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.trace.conftest import Record

WAYS = """
import sys

counter = 0

class Odd(Exception):
    pass

def numbers(n):
    for i in range(n):
        got = yield i
        if got:
            n = got

def pick(items, wanted):
    for place, item in enumerate(items):
        if item == wanted:
            break
    else:
        raise Odd(wanted)
    return place

def tried(items, wanted):
    result = None
    try:
        result = pick(items, wanted)
    except Odd as exc:
        result = str(exc)
    finally:
        items = sorted(items)
    with open(sys.argv[0]) as file:
        first = file.readline()
    return result, first, items

def count(n):
    global counter
    total = sum(i for i in range(n) if i % 2)
    while n > 0:
        counter += n
        n -= 1 if n % 3 else 2
        del total
        total = n
    return (lambda x: x + total)(n)

def walk(depth, order):
    if not depth:
        return order
    order.append(depth)
    return walk(depth - 1, order) or [walk(0, x) for x in [[1], order]]

class Table:
    size = 3
    def __getitem__(self, key):
        if key in (1, 2):
            return key
        raise KeyError(key)

def main():
    for n in range(12):
        tried([n, 3, n % 4], 3 if n % 5 else 99)
        count(n)
        walk(n % 4, [])
        list(numbers(n % 3))
        given = numbers(3)
        next(given)
        if n % 2:
            given.send(2)
        try:
            Table()[n]
        except KeyError:
            continue

main()
"""


def test_all_calls_at_once_are_covered_as_one_by_one(record: Record) -> None:
    recording = record(WAYS).recording
    found = recording.execution.covered()
    assert found.call.tolist() == recording.calls.columns().id.tolist()
    for call, of_class in zip(found.call.tolist(), found.class_of.tolist(), strict=True):
        assert found.classes[of_class] == recording.execution.coverage(call), recording.call(
            call
        ).function
    assert len(found.classes) == len(set(found.classes)) > 20


def test_calls_that_did_not_end_are_covered_as_far_as_they_got(record: Record) -> None:
    leave = """
        import os

        def outer(n):
            a = n
            for i in range(n):
                if i == 3:
                    inner(a)
                a = i
            return a

        def inner(n):
            b = n + 1
            os._exit(b)

        outer(2)
        outer(5)
        """
    recording = record(leave, status=3).recording
    found = recording.execution.covered()
    assert np.count_nonzero(recording.calls.columns().exit < 0) == 3
    for call, of_class in zip(found.call.tolist(), found.class_of.tolist(), strict=True):
        assert found.classes[of_class] == recording.execution.coverage(call)


def written(chance: random.Random, depth: int, callable_ones: int) -> list[str]:
    """Return some statements, chosen at random: they run to an end, if only by an exception."""
    name, other = chance.choices("abcd", k=2)
    value = chance.choice([f"{other} + 1", f"{chance.randrange(9)}", f"{other} - {name}", "a % 3"])
    inner = [f"    {line}" for line in written(chance, depth - 1, callable_ones)] if depth else []
    inner = inner or [f"    {name} = {value}"]
    more = [f"    {line}" for line in written(chance, depth - 1, callable_ones)] if depth else []
    more = more or ["    pass"]
    leaving = [f"    if i == {other} % 3:", "        break"]
    going_on = [f"    if {name} % 2:", "        continue"]
    statements = [
        [f"{name} = {value}"],
        [f"{name} += {other}"],
        [f"{name} = sum(x for x in range({other} % 3)) + {chance.randrange(3)}"],
        [f"if {name} % {chance.randrange(2, 4)}:", *inner],
        [f"if {name} > {other}:", *inner, "else:", *more],
        [f"for {name} in range({chance.randrange(4)}):", *inner, *more],
        [f"for i in range({chance.randrange(1, 4)}):", *leaving, *inner, "else:", *more],
        ["k = 3", "while k > 0:", "    k -= 1", *inner, *going_on, *more],
        ["try:", *inner, f"    {name} = 1 // ({other} % 3)", "except ZeroDivisionError:", *more],
        ["try:", *inner, "finally:", *more],
        [f"del {name}", f"{name} = 1"],
        [f"if {name} == {chance.randrange(5)}:", f"    return {other}"],
        [f"if {name} == 4:", f"    raise ZeroDivisionError({other})"],
    ]
    if callable_ones:
        called = chance.randrange(callable_ones)
        statements += [[f"{name} = f{called}({other} % 5, {chance.randrange(5)})"]] * 3
    return [line for each in chance.choices(statements, k=2) for line in each]


@pytest.mark.parametrize("seed", range(3))
def test_any_calls_at_once_are_covered_as_one_by_one(record: Record, seed: int) -> None:
    chance = random.Random(seed)
    lines = []
    for number in range(40):
        lines += [f"def f{number}(a, b):", "    c = d = a"]
        lines += [f"    {line}" for line in written(chance, 2, number if number % 10 else 0)]
        lines += ["    return a + b + c + d", ""]
    for number in range(40):
        lines += [f"for a in range(5):\n    try:\n        f{number}(a, {chance.randrange(5)})"]
        lines += ["    except (ZeroDivisionError, RecursionError):\n        pass"]
    recording = record("\n".join(lines)).recording
    found = recording.execution.covered()
    assert len(found.call) > 200
    for call, of_class in zip(found.call.tolist(), found.class_of.tolist(), strict=True):
        if call < 600:
            assert found.classes[of_class] == recording.execution.coverage(call), recording.call(
                call
            ).function


def test_calls_over_many_segments_are_covered_as_one_by_one(record: Record) -> None:
    run = record(
        """
        def small(n):
            if n % 3:
                return n
            m = n + 1
            return m

        def loop(begin, end):
            total = 0
            for n in range(begin, end):
                total += small(n)
                if total % 7 == 0:
                    total -= 1
            return total

        def main():
            return [loop(i * 4_000, (i + 1) * 4_000) for i in range(20)]

        main()
        """
    )
    recording = run.recording
    found = recording.execution.covered()
    window = 4 * 65_536
    assert recording.event_count > window
    table = recording.calls.columns()
    over = table.id[(table.entry < window) & (table.exit > window)].tolist()
    assert len(over) >= 3  # the module, main, and a loop
    for call in [*over, *found.call[::20_011].tolist()]:
        of_class = found.class_of[found.call.searchsorted(call)]
        assert found.classes[of_class] == recording.execution.coverage(call)
