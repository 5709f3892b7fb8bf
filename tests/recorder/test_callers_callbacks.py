"""Who called, and at which line: callbacks from foreign code, and every way to call."""

from __future__ import annotations

import sys
from itertools import groupby

import pytest

from tests.recorder.conftest import Record
from tests.recorder.outline import check, lines, outline, place_of


def test_callbacks_from_c_hang_from_the_nearest_recorded_caller(record: Record) -> None:
    done = record(
        """\
        import functools
        import heapq
        import itertools

        def neg(x):
            return -x

        def add(a, b):
            return a + b

        def main(items):
            neg(0)  # before
            sorted(items, key=neg)  # sorted
            neg(0)  # before2
            items.sort(key=neg)  # sort
            neg(0)  # before3
            list(map(neg, items))  # map
            neg(0)  # before4
            functools.reduce(add, items)  # reduce
            neg(0)  # before5
            max(items, key=neg)  # max
            neg(0)  # before6
            list(filter(neg, items))  # filter
            neg(0)  # before7
            list(itertools.accumulate(items, add))  # accumulate
            neg(0)  # before8
            heapq.nsmallest(1, items, neg)  # heap

        main([1, 2])  # run
        """
    )
    places = [place_of(done.recording, call) for call in done.call("main").children]
    expected = ["before", *["sorted"] * 2, "before2", *["sort"] * 2, "before3", *["map"] * 2]
    expected += ["before4", "reduce", "before5", *["max"] * 2, "before6", *["filter"] * 2]
    expected += ["before7", "accumulate", "before8", *["heap"] * 2]
    assert places == expected
    assert all(c.children == [] for c in done.calls("neg"))
    check(done.recording)


def test_callbacks_that_call(record: Record) -> None:
    done = record(
        """\
        import functools

        def weight(x):
            return half(x)  # half

        def half(x):
            return x // 2

        def compare(a, b):
            return weight(a) - weight(b)  # weights

        def main():
            return sorted([4, 2], key=functools.cmp_to_key(compare))  # sort

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> [2, 4]
          compare(a=2, b=4) @sort -> -1
            weight(x=2) @weights -> 1
              half(x=2) @half -> 1
            weight(x=4) @weights -> 2
              half(x=4) @half -> 2
        """
    )


def test_callbacks_from_the_standard_library(record: Record) -> None:
    """Frames of foreign Python code lie between; their lines are nobody's business."""
    done = record(
        """\
        import random
        import statistics
        from collections import UserDict
        from dataclasses import dataclass, field

        class Deck:
            def __len__(self):
                return 1

            def __getitem__(self, i):
                return "card"

        class Upper(UserDict):
            def __setitem__(self, key, value):
                super().__setitem__(key.upper(), value)

        def zero():
            return 0

        @dataclass
        class Point:
            x: int
            y: int = field(default_factory=zero)

            def __post_init__(self):
                self.z = 1

        def main():
            random.choice(Deck())  # choice
            zero()  # before
            Upper(a=1)  # dict
            zero()  # before2
            Point(1)  # point
            Point(1) == Point(1)  # equal

        main()  # run
        """
    )
    found = [(c.function.name, place_of(done.recording, c)) for c in done.call("main").children]
    assert [found for found, _ in groupby(found)] == [
        ("__len__", "choice"),
        ("__getitem__", "choice"),
        ("zero", "before"),
        ("__setitem__", "dict"),
        ("zero", "before2"),
        ("zero", "point"),
        ("__post_init__", "point"),
        ("zero", "equal"),
        ("__post_init__", "equal"),
        ("zero", "equal"),
        ("__post_init__", "equal"),
    ]
    check(done.recording)


def test_a_callback_that_fails_leaves_its_caller_as_it_was(record: Record) -> None:
    done = record(
        """\
        def fail(x):
            raise ValueError(x)

        def f(x):
            return x

        def main():
            try:
                sorted([3, 1], key=fail)  # sort
            except ValueError:
                f(1)  # handler
            try:
                sorted([3, 1], key=lambda x: fail(x))  # lambda
            except ValueError:
                f(2)  # handler2
            return f(3)  # end

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 3
          fail(x=3) @sort raises ValueError(3)
          f(x=1) @handler -> 1
          main.<locals>.<lambda>(x=3) @lambda dropped
            fail(x=3) @lambda raises ValueError(3)
          f(x=2) @handler2 -> 2
          f(x=3) @end -> 3
        """
    )


@pytest.mark.xfail(reason="its line is taken from the call expression that is still to come")
def test_a_callback_may_be_the_function_that_is_about_to_be_called(record: Record) -> None:
    done = record(
        """\
        def neg(x):
            return -x

        def main():
            return neg(  # outer
                sorted([1, 2], key=neg)[0]  # inner
            )

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> -2
          neg(x=1) @inner -> -1
          neg(x=2) @inner -> -2
          neg(x=2) @outer -> -2
        """
    )


def test_every_way_to_call(record: Record) -> None:
    done = record(
        """\
        import functools
        import operator

        class C:
            def m(self, x=0):
                return x

        def f(x):
            return x

        def main(c):
            f.__call__(1)  # dunder
            getattr(c, "m")(2)  # getattr
            operator.methodcaller("m", 3)(c)  # methodcaller
            C.m(c, 4)  # unbound
            c.m.__func__(c, 5)  # function
            functools.partial(c.m, 6)()  # partial
            (f or None)(7)  # expression
            {"k": f}["k"](8)  # item
            exec("f(9)")  # exec
            eval("f(10)")  # eval
            type(c)().m(11)  # made
            f(x=12)  # keyword
            f(*[13])  # star
            f(**{"x": 14})  # stars
            list(map(f, [15]))  # map
            (m := c.m)(16)  # walrus

        main(C())  # run
        """
    )
    main = done.call("main")
    found = [(c.args[-1].value, place_of(done.recording, c)) for c in main.children]
    places = "dunder getattr methodcaller unbound function partial expression item exec eval made"
    assert found == list(
        enumerate([*places.split(), "keyword", "star", "stars", "map", "walrus"], 1)
    )
    check(done.recording)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax came with 3.12")
def test_functions_and_classes_with_type_parameters(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g[T](x: T) -> T:
            return f(x)  # function

        class A[T]:  # body
            y = f(1)  # y

            def m[U](self, x: U) -> T:
                return f(x)  # method

        type X = list[int]

        def outer(n):
            def inner[Q](x: Q):
                return x + n
            return inner(1)  # inner

        def gen[T](x: T):
            yield x

        g(1)  # one
        A().m(2)  # two
        outer(5)  # three
        list(gen(6))  # four
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class A @body -> None
            f(x=1) @y -> 1
          g(x=1) @one -> 1
            f(x=1) @function -> 1
          A.m(self=<A>, x=2) @two -> 2
            f(x=2) @method -> 2
          outer(n=5) @three -> 6
            outer.<locals>.inner(x=1) @inner -> 6
          gen(x=6) @four yields 6 -> None
        """
    )
    inner = done.call("outer.<locals>.inner")
    assert done.recording.states.variables.owner(inner.id, "n") == done.call("outer").id


def test_a_call_in_an_argument_list_does_not_hide_the_call_around_it(record: Record) -> None:
    done = record(
        """\
        class Chain:
            def add(self, x):
                return self

        def f(x):
            return x

        def main(chain):
            f(  # outer
                f(1)  # inner
            )
            chain.add(  # method
                f(2)  # argument
            )
            return f(f(3)) + f(4)  # line

        main(Chain())  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main(chain=<Chain>) @run -> 7
          f(x=1) @inner -> 1
          f(x=1) @outer -> 1
          f(x=2) @argument -> 2
          Chain.add(self=<Chain>, x=2) @method -> <Chain>
          f(x=3) @line -> 3
          f(x=3) @line -> 3
          f(x=4) @line -> 4
        """
    )
    *_, third, around, fourth = [c.caller for c in done.call("main").children]
    columns = [site.col for site in (third, around, fourth) if site]
    line = done.recording.program.files[1].source.splitlines()[14]
    inner = line.index("f(3)")
    assert columns == [inner, line.index("f(f("), line.index("f(4)")]
