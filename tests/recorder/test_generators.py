"""Generators: one call for the whole life, child of the call that created it."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, lines, outline, place_of


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
    owner = done.recording.states.variables.owner
    assert owner(first.id, "k") == by_three.id
    assert owner(second.id, "k") == by_five.id
    assert [p.value for p in first.yielded] == [0, 3]
    assert [first.caller_line, second.caller_line] == [20, 21]  # created by map: seen in its list
    main = done.call("main")
    assert [c.parent.id if c.parent else 0 for c in (iterator, first, second)] == [main.id] * 3
    check(done.recording)


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
    check(done.recording)


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
    places = [place_of(done.recording, c) for c in made]
    assert places == ["property", "iter", "partial", "unasked"]
    assert [len(c.children) for c in made] == [1, 1, 1, 0]
    check(done.recording)


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
    check(done.recording)
