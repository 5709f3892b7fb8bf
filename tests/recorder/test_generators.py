"""Generators: one call for the whole life, child of the call that created it."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, lines, outline, place_of, show
from wrongcall.events import Kind
from wrongcall.recording import Outcome


def test_a_generator_in_a_loop(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def count(n):
            f("begin")  # begin
            for i in range(n):
                f(i)  # inside
                yield i * 10
            f("end")  # end

        def main():
            for x in count(2):  # create
                f(x)  # body
            return f("after")  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 'after'
          count(n=2) @create yields 0, 10 -> None
            f(x='begin') @begin -> 'begin'
            f(x=0) @inside -> 0
            f(x=1) @inside -> 1
            f(x='end') @end -> 'end'
          f(x=0) @body -> 0
          f(x=10) @body -> 10
          f(x='after') @after -> 'after'
        """
    )
    order = sorted(done.calls("f"), key=lambda c: c.entry)
    texts = [arguments(done, c)["x"] for c in order]
    assert texts == ["'begin'", "0", "0", "1", "10", "'end'", "'after'"]


def test_arguments_are_known_before_a_generator_runs(record: Record) -> None:
    done = record(
        """\
        def count(n, *, step=1):
            while n:
                yield n
                n -= step

        def main():
            g = count(2)  # create
            return list(g)

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> [2, 1]
          count(n=2, step=1) @create yields 2, 1 -> None
        """
    )


def test_a_generator_returns_a_value(record: Record) -> None:
    done = record(
        """\
        def g():
            yield 1
            return "done"

        def main():
            it = g()
            next(it)
            try:
                next(it)
            except StopIteration as stop:
                return stop.value

        main()  # run
        """
    )
    assert outline(done, "main") == "main() @run -> 'done'\n  g() @6 yields 1 -> 'done'"


def test_send(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def average():
            total = n = 0
            while True:
                x = yield total / max(n, 1)
                f(x)  # received
                total += x
                n += 1

        def main():
            g = average()  # create
            next(g)
            f(g.send(10))  # first
            f(g.send(20))  # second

        main()  # run
        """
    )
    call = done.call("average")
    assert [p.value for p in call.yielded] == [0.0, 10.0, 15.0]
    assert [w.new for w in done.trace.places.local_writes(call.id, "x")] == [10, 20]
    resumed = done.trace.events.select({Kind.RESUME}, call=call.id)
    assert [
        done.trace.states.values.read(int(e["vtag"]), int(e["value"])) for e in resumed.events
    ] == [
        10,
        20,
    ]
    main = done.call("main")
    assert [(c.function.qualname, c.args[0].value if c.args else None) for c in main.children] == [
        ("average", None),
        ("f", 10.0),
        ("f", 15.0),
    ]
    assert [c.args[0].value for c in call.children] == [10, 20]
    check(done.trace)


def test_throw(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def patient():
            while True:
                try:
                    yield "waiting"
                except ValueError as e:
                    f(str(e))  # caught
                finally:
                    f("finally")  # finally

        def main():
            g = patient()  # create
            next(g)
            g.throw(ValueError("a"))  # throw
            f("between")  # between
            try:
                g.throw(KeyError("b"))  # lethal
            except KeyError:
                f("left")  # left

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          patient() @create yields 'waiting', 'waiting' raises KeyError('b')
            f(x='a') @caught -> 'a'
            f(x='finally') @finally -> 'finally'
            f(x='finally') @finally -> 'finally'
          f(x='between') @between -> 'between'
          f(x='left') @left -> 'left'
        """
    )


def test_what_is_thrown_into_a_with_reaches_its_exit(record: Record) -> None:
    done = record(
        """\
        class Guard:
            def __enter__(self):
                return self

            def __exit__(self, kind, value, trace):
                f("exit")  # exit
                return kind is ValueError

        def f(x):
            return x

        def g():
            with Guard():  # with
                yield 1
            f("after")  # after
            yield 2

        def main():
            it = g()  # create
            next(it)
            it.throw(ValueError("x"))
            f("main")  # main
            return next(it, None)

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          g() @create yields 1, 2 -> None
            Guard.__enter__(self=<Guard>) @with -> <Guard>
            Guard.__exit__(self=<Guard>, kind=<type>, value=ValueError('x'), trace=<traceback>) @with -> True
              f(x='exit') @exit -> 'exit'
            f(x='after') @after -> 'after'
          f(x='main') @main -> 'main'
        """
    )


def test_close_runs_what_is_left_inside_the_generator(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g():
            try:
                yield 1
                f("never")
            finally:
                f("cleanup")  # cleanup

        def main():
            it = g()  # create
            next(it)
            f("before")  # before
            it.close()  # close
            return f("after")  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 'after'
          g() @create yields 1 raises GeneratorExit()
            f(x='cleanup') @cleanup -> 'cleanup'
          f(x='before') @before -> 'before'
          f(x='after') @after -> 'after'
        """
    )
    before, cleanup, after = sorted(done.calls("f"), key=lambda c: c.entry)
    assert before.exit < cleanup.entry < done.call("g").exit < after.entry


def test_a_generator_may_answer_close_with_a_return(record: Record) -> None:
    done = record(
        """\
        def g():
            try:
                yield 1
            except GeneratorExit:
                return

        it = g()
        next(it)
        it.close()
        """
    )
    assert outline(done, "g") == "g() @7 yields 1 -> None"


def test_yield_from(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def inner(n):
            f("inner")  # inside
            got = yield n
            f(got)  # got
            return "result"

        def outer():
            result = yield from inner(1)  # delegate
            f(result)  # use
            yield 2

        def main():
            g = outer()  # create
            next(g)
            f("main")  # main
            g.send("sent")
            return list(g)

        main()  # run
        """
    )
    assert done.call("inner").yielded[0].value == 1
    assert outline(done, "inner") == lines(
        """
        inner(n=1) @delegate yields 1 -> 'result'
          f(x='inner') @inside -> 'inner'
          f(x='sent') @got -> 'sent'
        """
    )
    outer = done.call("outer")
    assert [c.function.qualname for c in outer.children] == ["inner", "f"]
    assert done.trace.states.local(outer.id, "result", outer.exit) == "result"
    assert [c.function.qualname for c in done.call("main").children] == ["outer", "f"]
    check(done.trace)


def test_what_is_delegated_is_yielded_by_both_generators(record: Record) -> None:
    done = record(
        """\
        def inner():
            yield 1

        def outer():
            yield 0
            yield from inner()
            yield from [2, 3]

        list(outer())
        """
    )
    assert [p.value for p in done.call("outer").yielded] == [0, 1, 2, 3]
    assert [p.value for p in done.call("inner").yielded] == [1]


def test_recursive_delegation(record: Record) -> None:
    done = record(
        """\
        def visit(x):
            return x

        def walk(tree):
            if tree:
                left, value, right = tree
                yield from walk(left)  # left
                visit(value)  # visit
                yield value
                yield from walk(right)  # right

        def main():
            return list(walk(((None, 1, None), 2, None)))  # start

        main()  # run
        """
    )
    calls = done.calls("walk")
    root, left, *_ = calls
    assert [c.parent.id if c.parent else 0 for c in calls] == [
        done.call("main").id,
        root.id,
        left.id,
        left.id,
        root.id,
    ]
    assert [c.caller_line for c in calls] == [13, 7, 7, 10, 10]
    visits = done.calls("visit")
    assert [(c.args[0].value, c.parent.id if c.parent else 0) for c in visits] == [
        (1, left.id),
        (2, root.id),
    ]
    assert {c.outcome for c in calls} == {Outcome.RETURNED}
    check(done.trace)


def test_generators_that_take_turns(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g(name):
            for i in range(2):
                f(name + str(i))  # inside
                yield i

        def main():
            for a, b in zip(g("a"), g("b")):  # create
                f("main")  # main

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          g(name='a') @create yields 0, 1 -> None
            f(x='a0') @inside -> 'a0'
            f(x='a1') @inside -> 'a1'
          g(name='b') @create yields 0, 1 raises GeneratorExit()
            f(x='b0') @inside -> 'b0'
            f(x='b1') @inside -> 'b1'
          f(x='main') @main -> 'main'
          f(x='main') @main -> 'main'
        """
    )


def test_a_pipeline_of_generators(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def numbers(n):
            for i in range(n):
                f(i)  # source
                yield i

        def squares(items):
            for i in items:
                yield f(i * i)  # square

        def main():
            source = numbers(3)
            pipe = squares(source)
            return sum(pipe)

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 5
          numbers(n=3) @14 yields 0, 1, 2 -> None
            f(x=0) @source -> 0
            f(x=1) @source -> 1
            f(x=2) @source -> 2
          squares(items=<generator>) @15 yields 0, 1, 4 -> None
            f(x=0) @square -> 0
            f(x=1) @square -> 1
            f(x=4) @square -> 4
        """
    )


def test_a_generator_that_ends_in_another_function_than_it_began(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g():
            f(1)  # one
            yield "a"
            f(2)  # two
            yield "b"
            f(3)  # three

        def make():
            return g()  # create

        def begin(it):
            next(it)
            return f("begun")  # begun

        def finish(it):
            return list(it)

        def main():
            it = make()  # make
            begin(it)  # begin
            return finish(it)  # finish

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> ['b']
          make() @make -> <generator>
            g() @create yields 'a', 'b' -> None
              f(x=1) @one -> 1
              f(x=2) @two -> 2
              f(x=3) @three -> 3
          begin(it=<generator>) @begin -> 'begun'
            f(x='begun') @begun -> 'begun'
          finish(it=<generator>) @finish -> ['b']
        """
    )
    g, make, finish = done.call("g"), done.call("make"), done.call("finish")
    assert make.entry < g.entry < make.exit < g.exit < finish.exit


def test_a_generator_that_is_never_started(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g(n):
            f(n)
            yield n

        def main():
            it = g(1)  # create
            f("before")  # before
            del it
            return f("after")  # after

        main()  # run
        """
    )
    main = done.call("main")
    g = done.call("g")
    assert [c.function.qualname for c in main.children] == ["g", "f", "f"]
    assert g.caller_line == 9
    assert g.outcome == Outcome.DROPPED
    before, after = done.calls("f")
    assert before.exit < g.exit < after.entry
    assert not len(done.trace.events.select({Kind.START}, call=g.id).times)
    check(done.trace)


def test_a_suspended_generator_that_is_deleted(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g():
            f("inside")  # inside
            yield 1

        def main():
            it = g()  # create
            next(it)
            f("before")  # before
            del it
            return f("after")  # after

        main()  # run
        """
    )
    g = done.call("g")
    inside, before, after = sorted(done.calls("f"), key=lambda c: c.entry)
    assert before.exit < g.exit < after.entry
    assert inside.parent == g
    # Python closes it: GeneratorExit is what leaves it.
    assert outline(done, "g").splitlines()[0] == "g() @create yields 1 raises GeneratorExit()"


def test_a_loop_left_early_ends_its_generator(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g():
            try:
                yield 1
                yield 2
            finally:
                f("cleanup")  # cleanup

        def main():
            for x in g():  # create
                break
            f("after")  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          g() @create yields 1 raises GeneratorExit()
            f(x='cleanup') @cleanup -> 'cleanup'
          f(x='after') @after -> 'after'
        """
    )


def test_a_generator_that_is_alive_at_the_end_is_not_completed(record: Record) -> None:
    done = record(
        """\
        import os

        def g():
            yield 1
            yield 2

        it = g()
        next(it)
        os._exit(0)
        """
    )
    g = done.call("g")
    assert (g.outcome, g.exit) == (Outcome.NONE, -1)
    assert [p.value for p in g.yielded] == [1]


def test_a_generator_that_fails(record: Record) -> None:
    done = record(
        """\
        def f(x):
            if x > 1:
                raise ValueError(x)
            return x

        def g():
            yield f(1)  # good
            yield f(2)  # bad

        def main():
            try:
                return list(g())  # create
            except ValueError:
                return f(0)  # handler

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 0
          g() @create yields 1 raises ValueError(2)
            f(x=1) @good -> 1
            f(x=2) @bad raises ValueError(2)
          f(x=0) @handler -> 0
        """
    )


def test_a_return_in_a_with_of_a_generator(record: Record) -> None:
    done = record(
        """\
        class Guard:
            def __enter__(self):
                return self

            def __exit__(self, *exc):
                f("exit")  # exit

        def f(x):
            return x

        def g():
            with Guard():  # with
                yield 1
                return f("result")  # result

        def main():
            return (yield_all := list(g()))  # create

        main()  # run
        """
    )
    call = done.call("g")
    assert show(done.trace, call.value) == "'result'"
    assert [c.function.qualname for c in call.children] == [
        "Guard.__enter__",
        "f",
        "Guard.__exit__",
    ]
    assert call.children[-1].exit < call.exit
    check(done.trace)


def test_generator_methods_and_closures(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        class Tree:
            def __init__(self, *items):
                self.items = items

            def __iter__(self):
                for item in self.items:
                    yield f(item)  # item

        def scaled(k):
            def g(n):
                for i in range(n):
                    yield f(i * k)  # scaled
            return g

        def main():
            a = [x for x in Tree(1, 2)]  # tree
            b = list(scaled(3)(2))  # closure
            c = list(map(scaled(5), [1]))  # mapped
            return a + b + list(c[0])

        main()  # run
        """
    )
    iterator = done.call("Tree.__iter__")
    assert (iterator.caller_line, [p.value for p in iterator.yielded]) == (19, [1, 2])
    assert [c.caller_line for c in iterator.children] == [10, 10]
    by_three, by_five = done.calls("scaled")
    first, second = done.calls("scaled.<locals>.g")
    owner = done.trace.states.variables.owner
    assert owner(first.id, "k") == by_three.id
    assert owner(second.id, "k") == by_five.id
    assert [p.value for p in first.yielded] == [0, 3]
    assert [first.caller_line, second.caller_line] == [20, 21]  # created by map: seen in its list
    main = done.call("main")
    assert [c.parent.id if c.parent else 0 for c in (iterator, first, second)] == [main.id] * 3
    check(done.trace)


def test_many_generators_alive_at_once(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def g(k):
            while True:
                f(k)  # inside
                yield k

        def main():
            alive = [g(k) for k in range(50)]  # create
            for _ in range(3):
                for it in reversed(alive):
                    next(it)

        main()  # run
        """
    )
    calls = done.calls("g")
    assert [c.args[0].value for c in calls] == list(range(50))
    assert {c.caller_line for c in calls} == {10}
    for call in calls:
        assert [c.args[0].value for c in call.children] == [call.args[0].value] * 3
        assert [p.value for p in call.yielded] == [call.args[0].value] * 3
    assert done.call("main").children == calls
    check(done.trace)


def test_generators_created_by_foreign_code_hang_from_the_nearest_caller(record: Record) -> None:
    done = record(
        """\
        import itertools

        def f(x):
            return x

        def g(n):
            yield f(n)  # inside

        def main():
            f(0)  # before
            return list(itertools.chain.from_iterable(map(g, [1, 2])))  # chain

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> [1, 2]
          f(x=0) @before -> 0
          g(n=1) @chain yields 1 -> None
            f(x=1) @inside -> 1
          g(n=2) @chain yields 2 -> None
            f(x=2) @inside -> 2
        """
    )


def test_a_generator_created_without_a_call_in_the_source(record: Record) -> None:
    """C code that creates a generator is not seen doing so: it begins when it is first seen."""
    done = record(
        """\
        import functools

        def f(x):
            return x

        class Tree:
            @property
            def items(self):
                yield f("property")

            def __iter__(self):
                yield f("iter")

            @classmethod
            def named(cls):
                yield f("partial")

        def consume(it):
            return list(it)

        def main():
            tree = Tree()
            first = tree.items  # property
            consume(first)
            second = iter(tree)  # iter
            consume(second)
            third = functools.partial(Tree.named)()  # partial
            consume(third)
            tree.items  # dropped: nobody sees it
            return iter(tree)  # unasked

        main()
        """
    )
    names = ("Tree.items", "Tree.__iter__", "Tree.named", "Tree.__iter__")
    made = [c for c in done.call("main").children if c.function.qualname in names]
    assert [c.function.qualname for c in made] == list(names)
    places = [place_of(done.trace, c) for c in made]
    assert places == ["property", "iter", "partial", "unasked"]
    assert [len(c.children) for c in made] == [1, 1, 1, 0]
    check(done.trace)


@pytest.mark.parametrize("how", ["next(it)", "it.send(None)", "[*it]", "a, b = it"])
def test_however_it_is_driven_a_generator_is_one_call(record: Record, how: str) -> None:
    done = record(
        f"""\
        def f(x):
            return x

        def g():
            f(1)  # one
            yield 1
            f(2)  # two
            yield 2

        def main():
            it = g()  # create
            {how}
            return f(3)  # end

        main()  # run
        """
    )
    g = done.call("g")
    assert [c.function.qualname for c in done.call("main").children] == ["g", "f"]
    assert [c.args[0].value for c in g.children] == ([1] if "(" in how else [1, 2])
    check(done.trace)
