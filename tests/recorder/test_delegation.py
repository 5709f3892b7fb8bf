"""What ``yield from`` hands through is what a generator yielded; the witness is its consumer."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.recorder.conftest import Record, run_python, run_recorded, write_program

PROGRAM = """
import collections, itertools

def inner(n):
    for i in range(n):
        yield i
    return n

def factory(n):
    return inner(n)

class Countdown:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if not self.n:
            raise StopIteration("done")
        self.n -= 1
        return self.n

def calls(n):
    yield -1
    got = yield from inner(n)
    yield from (inner(2))
    yield got

def others(n):
    yield from [7, 8]
    yield from "ab"
    it = inner(2)
    next(it)
    yield from it
    yield from factory(2)
    got = yield from Countdown(2)
    yield got
    yield from map(str, inner(2))
    yield from sorted(inner(3), reverse=True)
    yield from itertools.chain(inner(1), [5])
    yield from (x * 2 for x in inner(2))
    yield from {"a": 1}
    yield from []

def plain(n):
    yield list(inner(n))
    yield 1, factory(1)

def nested(n):
    yield from calls(n)
    yield from others(n)

def walk(tree):
    if tree:
        left, here, right = tree
        yield from walk(left)
        yield here
        yield from walk(right)

def stopped(n):
    try:
        yield from inner(n)
    finally:
        yield from (3, 4)

def sent():
    return (yield from echo())

def echo():
    got = None
    while got != "stop":
        got = yield got

def use(function, *args):
    values = list(function(*args))
    print(repr((function.__name__, values)))

use(calls, 3)
use(others, 3)
use(nested, 2)
use(walk, (((), 1, ()), 2, ((), 3, ((), 4, ()))))
some = stopped(5)
values = [next(some), next(some), some.throw(KeyError), next(some)]
some.close()
print(repr(("stopped", values)))
s = sent()
print(repr(("sent", [next(s), s.send("x"), s.send("y")])))
"""


def test_a_generator_yields_what_it_hands_through(record: Record) -> None:
    run = record(PROGRAM)
    for line in run.stdout.splitlines():
        name, values = ast.literal_eval(line)
        # The outermost: nested and walk are called again by themselves.
        call = min(run.calls(name), key=lambda c: c.id)
        found = [p.value for p in call.yielded]
        assert found == values, name


def test_iterators_behave_as_without_recording(tmp_path: Path) -> None:
    path = write_program(
        tmp_path,
        """
        import gc, weakref

        class It:
            def __init__(self): self.log = []
            def __iter__(self): return self
            def __next__(self): return 1
            def close(self): print("closed")

        class Thrown(It):
            def throw(self, *args):
                print("thrown", args[0])
                return 5

        class Sent(It):
            def send(self, value): return ("sent", value)

        def gen(x):
            return (yield from x)

        def attempt(f, *args):
            try:
                print("got", f(*args))
            except BaseException as exc:
                print(type(exc), exc, exc.__traceback__.tb_lineno, exc.__traceback__.tb_next and 1)

        for kind in (It, Thrown, Sent):
            g = gen(kind())
            attempt(next, g)
            attempt(g.send, 3)
            g = gen(kind())
            next(g)
            attempt(g.throw, KeyError("k"))
            g = gen(kind())
            next(g)
            g.close()
        attempt(next, gen(5))
        attempt(next, gen(iter([])))
        attempt(list, gen([1, 2]))
        it = It()
        w = weakref.ref(it)
        g = gen(it)
        next(g)
        it.own = g
        del it, g
        gc.collect()
        print(w())
        """,
    )
    plain = run_python([path.name], tmp_path)
    recorded = run_recorded([path.name], tmp_path)
    assert plain.returncode == 0, plain.stderr
    assert recorded.stdout == plain.stdout
