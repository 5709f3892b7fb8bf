"""How generators end: exhausted, failed, deleted, left behind."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import check, lines, outline, show
from wrongcall.events import Kind
from wrongcall.recording import Outcome


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
    assert not len(done.recording.events.select({Kind.START}, call=g.id).times)
    check(done.recording)


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
    assert show(done.recording, call.value) == "'result'"
    assert [c.function.qualname for c in call.children] == [
        "Guard.__enter__",
        "f",
        "Guard.__exit__",
    ]
    assert call.children[-1].exit < call.exit
    check(done.recording)
