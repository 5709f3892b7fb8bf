"""Generators that are sent to, thrown into, closed, or delegate to others."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import check, lines, outline
from wrongcall.events import Kind
from wrongcall.recording import Outcome


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
    assert [w.new for w in done.recording.places.local_writes(call.id, "x")] == [10, 20]
    resumed = done.recording.events.select({Kind.RESUME}, call=call.id)
    assert [
        done.recording.states.values.read(int(e["vtag"]), int(e["value"])) for e in resumed.events
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
    check(done.recording)


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
    assert done.recording.states.local(outer.id, "result", outer.exit) == "result"
    assert [c.function.qualname for c in done.call("main").children] == ["outer", "f"]
    check(done.recording)


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
    check(done.recording)
