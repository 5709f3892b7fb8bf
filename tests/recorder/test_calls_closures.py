"""Calls of lambdas and inner functions, the variables they share, and comprehensions."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import check, lines, names, outline
from wrongcall.recording import Outcome


def test_lambdas(record: Record) -> None:
    done = record(
        """\
        double = lambda x: x * 2
        rest = lambda a, *b, k=1, **c: (a, b, k)

        def apply(f, x):
            return f(x)  # apply

        double(3)  # direct
        apply(double, 4)  # start
        rest(1, 2, 3, z=4)  # rest
        (lambda: 5)()  # once
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          <lambda>(x=3) @direct -> 6
          apply(f=<<lambda>>, x=4) @start -> 8
            <lambda>(x=4) @apply -> 8
          <lambda>(a=1, b=(2, 3), k=1, c={'z': 4}) @rest -> (1, (2, 3), 1)
          <lambda>() @once -> 5
        """
    )


def test_a_lambda_calls_functions_and_serves_as_a_callback(record: Record) -> None:
    done = record(
        """\
        def size(word):
            return len(word)

        def longest(words):
            return sorted(words, key=lambda w: -size(w))  # sort

        longest(["a", "ccc", "bb"])
        """
    )
    assert outline(done, "longest") == lines(
        """
        longest(words=['a', 'ccc', 'bb']) @7 -> ['ccc', 'bb', 'a']
          longest.<locals>.<lambda>(w='a') @sort -> -1
            size(word='a') @sort -> 1
          longest.<locals>.<lambda>(w='ccc') @sort -> -3
            size(word='ccc') @sort -> 3
          longest.<locals>.<lambda>(w='bb') @sort -> -2
            size(word='bb') @sort -> 2
        """
    )


def test_a_lambda_that_raised_has_ended_and_gets_no_more_children(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        def main():
            try:
                (lambda d: f(1 // d))(0)  # fail
            except ZeroDivisionError:
                f(1)  # handler
            return f(2)  # end

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          main.<locals>.<lambda>(d=0) @fail dropped
          f(x=1) @handler -> 1
          f(x=2) @end -> 2
        """
    )
    failed = done.call("main.<locals>.<lambda>")
    handler, _ = done.calls("f")
    assert failed.exit < handler.entry


def test_what_the_interpreter_calls_after_a_lambda_that_raised(record: Record) -> None:
    """No hook of the caller runs in between."""
    done = record(
        """\
        class Guard:
            def __enter__(self):
                return self

            def __exit__(self, *exc):
                return True

            def __add__(self, other):
                return 1

        def main(guard):
            with guard:  # with
                (lambda: 1 // 0)()  # fail
            guard + guard  # add
            return 2

        main(Guard())  # run
        """
    )
    main = done.call("main")
    assert names(main.children) == [
        "Guard.__enter__",
        "main.<locals>.<lambda>",
        "Guard.__exit__",
        "Guard.__add__",
    ]
    assert done.call("main.<locals>.<lambda>").outcome == Outcome.DROPPED
    check(done.recording)


def test_nested_functions_and_their_variables(record: Record) -> None:
    done = record(
        """\
        def outer(n):
            total = 0

            def add(k):
                nonlocal total
                total += k * n
                return total

            add(1)  # one
            add(2)  # two
            return total

        outer(10)
        outer(100)
        """
    )
    assert outline(done, "outer") == lines(
        """
        outer(n=10) @13 -> 30
          outer.<locals>.add(k=1) @one -> 10
          outer.<locals>.add(k=2) @two -> 30
        outer(n=100) @14 -> 300
          outer.<locals>.add(k=1) @one -> 100
          outer.<locals>.add(k=2) @two -> 300
        """
    )
    first, second = done.calls("outer")
    inner = done.calls("outer.<locals>.add")
    owner = done.recording.states.variables.owner
    assert [owner(c.id, "total") for c in inner] == [first.id] * 2 + [second.id] * 2
    assert [owner(c.id, "n") for c in inner] == [first.id] * 2 + [second.id] * 2
    assert [owner(c.id, "k") for c in inner] == [c.id for c in inner]
    assert [done.recording.states.local(c.id, "n", c.entry) for c in inner] == [10, 10, 100, 100]
    assert [w.new for w in done.recording.places.local_writes(first.id, "total")] == [0, 10, 30]
    assert [w.call for w in done.recording.places.local_writes(first.id, "total")] == [
        first.id,
        inner[0].id,
        inner[1].id,
    ]


def test_a_closure_that_outlives_its_function_keeps_its_variables(record: Record) -> None:
    done = record(
        """\
        def counter(start):
            count = start

            def step(by=1):
                nonlocal count
                count += by
                return count

            return step

        a = counter(0)
        b = counter(100)
        a(); b(); a(5)
        list(map(b, [1, 2]))
        """
    )
    made_a, made_b = done.calls("counter")
    steps = done.calls("counter.<locals>.step")
    assert [c.value for c in steps] == [1, 101, 6, 102, 104]
    owners = [done.recording.states.variables.owner(c.id, "count") for c in steps]
    assert owners == [made_a.id, made_b.id, made_a.id, made_b.id, made_b.id]
    assert [w.new for w in done.recording.places.local_writes(made_b.id, "count")] == [
        100,
        101,
        102,
        104,
    ]
    assert all(c.parent and c.parent.function.kind == "module" for c in steps)
    check(done.recording)


def test_closures_that_are_reached_through_objects(record: Record) -> None:
    done = record(
        """\
        import functools

        def make(n):
            class Adder:
                def add(self, x):
                    return x + n

            def plus(x):
                return x + n

            return Adder(), functools.partial(plus), plus.__get__(5)

        for k in (10, 20):
            adder, part, bound = make(k)
            adder.add(1)
            part(1)
            bound()
            max([1, 2], key=part)
        """
    )
    first, second = done.calls("make")
    for name in ("make.<locals>.Adder.add", "make.<locals>.plus"):
        calls = done.calls(name)
        half = len(calls) // 2
        owners = [done.recording.states.variables.owner(c.id, "n") for c in calls]
        assert owners == [first.id] * half + [second.id] * half
        assert [done.recording.states.local(c.id, "n", c.exit) for c in calls] == [10] * half + [
            20
        ] * half
    check(done.recording)


def test_a_lambda_owns_the_variables_of_the_lambda_inside(record: Record) -> None:
    done = record("add = lambda x: lambda y: x + y\nadd(1)(2)\nadd(10)(20)\n")
    outer = done.calls("<lambda>")
    inner = done.calls("<lambda>.<locals>.<lambda>")
    assert [c.value for c in inner] == [3, 30]
    assert [done.recording.states.variables.owner(c.id, "x") for c in inner] == [
        c.id for c in outer
    ]
    assert [done.recording.states.local(c.id, "x", c.exit) for c in inner] == [1, 10]
    check(done.recording)


def test_a_class_body_sees_the_variables_of_its_function(record: Record) -> None:
    done = record(
        """\
        def make(n):
            class Made:
                size = n + 1

            return Made

        make(1)
        make(2)
        """
    )
    bodies = done.calls("make.<locals>.Made")
    made = done.calls("make")
    assert [c.function.kind for c in bodies] == ["class", "class"]
    assert [done.recording.states.variables.owner(c.id, "n") for c in bodies] == [
        c.id for c in made
    ]
    assert [done.recording.states.local(c.id, "n", c.exit) for c in bodies] == [1, 2]
    check(done.recording)


def test_comprehensions_are_part_of_their_function(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x * x

        def main(n):
            a = [f(i) for i in range(n)]  # list
            b = {f(i) for i in range(n) if f(i)}  # set
            c = {i: f(j) for i, j in enumerate(a)}  # dict
            d = sum(f(i) for i in range(n))  # generator
            e = [f(x) for row in [[1], [2]] for x in row]  # nested
            return [[f(x) for x in range(y)] for y in range(n)]  # inside

        main(2)  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main(n=2) @run -> [[], [0]]
          f(x=0) @list -> 0
          f(x=1) @list -> 1
          f(x=0) @set -> 0
          f(x=1) @set -> 1
          f(x=1) @set -> 1
          f(x=0) @dict -> 0
          f(x=1) @dict -> 1
          f(x=0) @generator -> 0
          f(x=1) @generator -> 1
          f(x=1) @nested -> 1
          f(x=2) @nested -> 4
          f(x=0) @inside -> 0
        """
    )


def test_comprehensions_of_modules_classes_and_lambdas(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        [f(i) for i in range(2)]  # module

        class C:
            a = [f(i) for i in (5, 6)]  # body
            b = tuple(f(i) for i in a)  # generator

        g = lambda n: [f(i) for i in range(n)]  # lambda
        g(1)  # call
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          f(x=0) @module -> 0
          f(x=1) @module -> 1
          class C @6 -> None
            f(x=5) @body -> 5
            f(x=6) @body -> 6
            f(x=5) @generator -> 5
            f(x=6) @generator -> 6
          <lambda>(n=1) @call -> [0]
            f(x=0) @lambda -> 0
        """
    )


def test_a_generator_expression_used_by_another_function_is_part_of_its_own(
    record: Record,
) -> None:
    done = record(
        """\
        def f(x):
            return x * x

        def total(numbers):
            result = 0
            for n in numbers:
                result += n
            return result

        def main():
            return total(f(i) for i in (1, 2))  # use

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 5
          total(numbers=<generator>) @use -> 5
          f(x=1) @use -> 1
          f(x=2) @use -> 4
        """
    )
