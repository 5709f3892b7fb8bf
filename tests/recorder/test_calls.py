"""Calls of functions, methods, lambdas and decorated functions; class and module bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.conftest import Record, run_python, write_program
from tests.recorder.outline import arguments, check, lines, names, outline
from wrongcall.recording import Outcome, Ref


def test_functions_calling_functions(record: Record) -> None:
    done = record(
        """\
        def inner(x):
            return x * 2

        def outer(x, y):
            a = inner(x)  # first
            b = inner(y)  # second
            return a + b

        outer(1, 2)  # start
        outer(3, 4)  # again
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          outer(x=1, y=2) @start -> 6
            inner(x=1) @first -> 2
            inner(x=2) @second -> 4
          outer(x=3, y=4) @again -> 14
            inner(x=3) @first -> 6
            inner(x=4) @second -> 8
        """
    )


def test_nested_calls_end_before_the_call_they_are_arguments_of(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x + 1

        f(
            f(0)  # inner
        )
        f(1) + f(f(2))  # sum
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          f(x=0) @inner -> 1
          f(x=1) @4 -> 2
          f(x=1) @sum -> 2
          f(x=2) @sum -> 3
          f(x=3) @sum -> 4
        """
    )
    first, second, *_ = done.calls("f")
    assert first.exit < second.entry


def test_a_call_is_found_by_its_place_in_the_line(record: Record) -> None:
    done = record("def f(x):\n    return x\n\nf(1) + f(2)\n")
    sites = [call.caller for call in done.calls("f")]
    assert [(s.line, s.col, s.end_col, s.name) for s in sites if s] == [
        (4, 0, 4, "f"),
        (4, 7, 11, "f"),
    ]


def test_every_way_to_pass_arguments(record: Record) -> None:
    done = record(
        """\
        def f(a, b, /, c=3, *rest, d, e=5, **more):
            return None

        f(1, 2, d=4)
        f(1, 2, 30, 40, 50, d=4, e=6, x=7, y=8)
        f(*[1, 2], **{"d": 4, "z": 9})
        f(1, 2, c=33, d=44)
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          f(a=1, b=2, c=3, rest=(), d=4, e=5, more={}) @4 -> None
          f(a=1, b=2, c=30, rest=(40, 50), d=4, e=6, more={'x': 7, 'y': 8}) @5 -> None
          f(a=1, b=2, c=3, rest=(), d=4, e=5, more={'z': 9}) @6 -> None
          f(a=1, b=2, c=33, rest=(), d=44, e=5, more={}) @7 -> None
        """
    )


def test_parameters_stand_in_the_order_of_the_signature(record: Record) -> None:
    done = record("def f(a, *rest, d, **more):\n    return a\n\nf(1, 2, d=3, x=4)\n")
    assert list(arguments(done, done.call("f"))) == ["a", "rest", "d", "more"]
    assert done.call("f").function.params == ("a", "rest", "d", "more")


def test_an_argument_is_shown_as_it_was_at_entry(record: Record) -> None:
    done = record(
        """\
        def f(items):
            items.append(3)
            items = None
            return items

        f([1, 2])
        """
    )
    assert outline(done, "f") == "f(items=[1, 2]) @6 -> None"


def test_defaults_are_computed_once_where_the_function_is_defined(record: Record) -> None:
    done = record(
        """\
        def one():
            return 1

        def f(a=one(), *, b=[one()]):  # define
            b.append(a)
            return len(b)

        f()
        f(5)
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          one() @define -> 1
          one() @define -> 1
          f(a=1, b=[1]) @8 -> 2
          f(a=5, b=[1, 1]) @9 -> 3
        """
    )


def test_methods(record: Record) -> None:
    done = record(
        """\
        class Base:
            def name(self):
                return "base"

            def greet(self, other):
                return self.name() + other  # dispatch

        class Derived(Base):
            def name(self):
                return "derived " + super().name()  # up

        o = Derived()
        o.greet("!")  # bound
        Base.greet(o, "?")  # unbound
        method = o.name
        method()  # kept
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class Base @1 -> None
          class Derived @8 -> None
          Base.greet(self=<Derived>, other='!') @bound -> 'derived base!'
            Derived.name(self=<Derived>) @dispatch -> 'derived base'
              Base.name(self=<Derived>) @up -> 'base'
          Base.greet(self=<Derived>, other='?') @unbound -> 'derived base?'
            Derived.name(self=<Derived>) @dispatch -> 'derived base'
              Base.name(self=<Derived>) @up -> 'base'
          Derived.name(self=<Derived>) @kept -> 'derived base'
            Base.name(self=<Derived>) @up -> 'base'
        """
    )


def test_classmethods_and_staticmethods(record: Record) -> None:
    done = record(
        """\
        class Base:
            @classmethod
            def make(cls, n):
                return cls.twice(n)  # inside

            @staticmethod
            def twice(n):
                return 2 * n

        class Derived(Base):
            pass

        Base.make(1)  # base
        Derived.make(2)  # derived
        Derived().make(3)  # instance
        Base().twice(4)  # static
        """
    )
    calls = done.calls("Base.make")
    in_globals = done.trace.states.globals("__main__")
    given = [call.args[0].value for call in calls]
    assert given == [in_globals["Base"], in_globals["Derived"], in_globals["Derived"]]
    assert [(c.args[1].value, c.value, c.caller_line) for c in calls] == [
        (1, 2, 13),
        (2, 4, 14),
        (3, 6, 15),
    ]
    twice = done.calls("Base.twice")
    assert [names([c.parent]) for c in twice if c.parent] == [["Base.make"]] * 3 + [["<module>"]]
    assert [c.caller_line for c in twice] == [4, 4, 4, 16]
    check(done.trace)


def test_a_class_that_is_an_argument_can_be_told_from_others(record: Record) -> None:
    done = record(
        """\
        class First:
            pass

        class Second:
            pass

        def f(cls):
            return cls

        f(Second)
        """
    )
    (given,) = done.call("f").args
    assert isinstance(given.value, Ref)
    assert done.trace.states.state(given.value.oid).attrs.get("__qualname__") == "Second"


def test_properties_are_called_where_they_are_used(record: Record) -> None:
    done = record(
        """\
        class Box:
            def __init__(self, n):
                self._n = n

            @property
            def n(self):
                return self._n

            @n.setter
            def n(self, value):
                self._n = value

            @n.deleter
            def n(self):
                self._n = 0

        def use(box):
            before = box.n  # get
            box.n = before + 1  # set
            box.n += 10  # augmented
            del box.n  # delete
            return box.n  # last

        use(Box(1))  # start
        """
    )
    assert outline(done, "use") == lines(
        """
        use(box=<Box>) @start -> 0
          Box.n(self=<Box>) @get -> 1
          Box.n(self=<Box>, value=2) @set -> None
          Box.n(self=<Box>) @augmented -> 2
          Box.n(self=<Box>, value=12) @augmented -> None
          Box.n(self=<Box>) @delete -> None
          Box.n(self=<Box>) @last -> 0
        """
    )


def test_a_property_between_two_calls_is_called_at_its_own_line(record: Record) -> None:
    done = record(
        """\
        class Box:
            @property
            def items(self):
                return [2]

        def f():
            return 1

        def use(box):
            f()  # before
            box.items  # plain
            box.items.append(f())  # method
            return f() + box.items[0]  # sum

        use(Box())
        """
    )
    assert outline(done, "use") == lines(
        """
        use(box=<Box>) @15 -> 3
          f() @before -> 1
          Box.items(self=<Box>) @plain -> [2]
          Box.items(self=<Box>) @method -> [2]
          f() @method -> 1
          f() @sum -> 1
          Box.items(self=<Box>) @sum -> [2]
        """
    )


def test_init_and_new(record: Record) -> None:
    done = record(
        """\
        class Point:
            def __new__(cls, x):
                made = super().__new__(cls)
                return made

            def __init__(self, x):
                self.x = x

        class Point3(Point):
            def __init__(self, x, z):
                super().__init__(x)  # base
                self.z = z

            def __new__(cls, x, z):
                return super().__new__(cls, x)  # new

        Point(1)  # plain
        Point3(2, 3)  # derived
        """
    )
    calls = [c for c in done.trace.call(1).children if c.function.kind == "function"]
    assert names(calls) == ["Point.__new__", "Point.__init__", "Point3.__new__", "Point3.__init__"]
    assert [c.caller_line for c in calls] == [17, 17, 18, 18]
    assert names(calls[2].children) == ["Point.__new__"]
    assert names(calls[3].children) == ["Point.__init__"]
    assert arguments(done, calls[3].children[0]) == {"self": "<Point3>", "x": "2"}
    assert calls[3].children[0].caller_line == 11
    assert [c.value for c in calls if c.function.name == "__init__"] == [None, None]
    check(done.trace)


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


def test_a_lambda_calls_and_is_called_back(record: Record) -> None:
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


def test_a_lambda_that_raises_ends_and_is_nobodys_parent_afterwards(record: Record) -> None:
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
    check(done.trace)


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
    owner = done.trace.states.variables.owner
    assert [owner(c.id, "total") for c in inner] == [first.id] * 2 + [second.id] * 2
    assert [owner(c.id, "n") for c in inner] == [first.id] * 2 + [second.id] * 2
    assert [owner(c.id, "k") for c in inner] == [c.id for c in inner]
    assert [done.trace.states.local(c.id, "n", c.entry) for c in inner] == [10, 10, 100, 100]
    assert [w.new for w in done.trace.places.local_writes(first.id, "total")] == [0, 10, 30]
    assert [w.call for w in done.trace.places.local_writes(first.id, "total")] == [
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
    owners = [done.trace.states.variables.owner(c.id, "count") for c in steps]
    assert owners == [made_a.id, made_b.id, made_a.id, made_b.id, made_b.id]
    assert [w.new for w in done.trace.places.local_writes(made_b.id, "count")] == [
        100,
        101,
        102,
        104,
    ]
    assert all(c.parent and c.parent.function.kind == "module" for c in steps)
    check(done.trace)


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
        owners = [done.trace.states.variables.owner(c.id, "n") for c in calls]
        assert owners == [first.id] * half + [second.id] * half
        assert [done.trace.states.local(c.id, "n", c.exit) for c in calls] == [10] * half + [
            20
        ] * half
    check(done.trace)


def test_a_lambda_owns_the_variables_of_the_lambda_inside(record: Record) -> None:
    done = record("add = lambda x: lambda y: x + y\nadd(1)(2)\nadd(10)(20)\n")
    outer = done.calls("<lambda>")
    inner = done.calls("<lambda>.<locals>.<lambda>")
    assert [c.value for c in inner] == [3, 30]
    assert [done.trace.states.variables.owner(c.id, "x") for c in inner] == [c.id for c in outer]
    assert [done.trace.states.local(c.id, "x", c.exit) for c in inner] == [1, 10]
    check(done.trace)


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
    assert [done.trace.states.variables.owner(c.id, "n") for c in bodies] == [c.id for c in made]
    assert [done.trace.states.local(c.id, "n", c.exit) for c in bodies] == [1, 2]
    check(done.trace)


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


def test_class_and_module_bodies(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return x

        class Outer:
            "A docstring."
            a = f(1)  # a

            class Inner(f(object)):  # inner
                b = f(2)  # b

        def make():
            class Local:  # local
                c = f(3)  # c
            return None

        make()  # make
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class Outer @4 -> None
            f(x=1) @a -> 1
            f(x=<type>) @inner -> <type>
            class Outer.Inner @inner -> None
              f(x=2) @b -> 2
          make() @make -> None
            class make.<locals>.Local @local -> None
              f(x=3) @c -> 3
        """
    )


def test_the_body_of_a_class_may_fail(record: Record) -> None:
    done = record(
        """\
        try:
            class C:  # body
                x = 1 // 0
        except ZeroDivisionError:
            pass
        """
    )
    assert outline(done, "C") == (
        "class C @body raises ZeroDivisionError('integer division or modulo by zero')"
    )


def test_modules_imported_from_a_function(record: Record, tmp_path: Path) -> None:
    write_program(tmp_path, "def g(x):\n    return x\n\ng(7)  # body\n", "other.py")
    write_program(tmp_path, "", "pkg/__init__.py")
    write_program(tmp_path, "from other import g\n\ng(8)  # sub\n", "pkg/sub.py")
    done = record(
        """\
        import importlib

        def f(x):
            return x

        def main():
            f(1)  # before
            import other  # plain
            from pkg import sub  # package
            import other  # again
            other.g(9)  # call
            return f(2)  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          f(x=1) @before -> 1
          module other @plain -> None
            g(x=7) @body -> 7
          module pkg @package -> None
          module pkg.sub @package -> None
            g(x=8) @sub -> 8
          g(x=9) @call -> 9
          f(x=2) @after -> 2
        """
    )


def test_modules_imported_by_a_call(record: Record, tmp_path: Path) -> None:
    write_program(tmp_path, "value = 1\n", "first.py")
    write_program(tmp_path, "value = 2\n", "second.py")
    done = record(
        """\
        import importlib

        def main():
            a = importlib.import_module("first")  # function
            b = __import__("second")  # builtin
            importlib.reload(a)  # reload
            return a.value + b.value

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 3
          module first @function -> None
          module second @builtin -> None
          module first @reload -> None
        """
    )


def test_recursion(record: Record) -> None:
    done = record(
        """\
        def fib(n):
            if n < 2:
                return n
            return fib(n - 1) + fib(n - 2)  # both

        fib(4)
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          fib(n=4) @6 -> 3
            fib(n=3) @both -> 2
              fib(n=2) @both -> 1
                fib(n=1) @both -> 1
                fib(n=0) @both -> 0
              fib(n=1) @both -> 1
            fib(n=2) @both -> 1
              fib(n=1) @both -> 1
              fib(n=0) @both -> 0
        """
    )


RECURSIVE = {
    "function": """\
        def down(n):
            global deepest
            deepest = n
            down(n + 1)
        """,
    "method": """\
        class Node:
            def down(self, n):
                global deepest
                deepest = n
                self.down(n + 1)
        down = Node().down
        """,
    "lambda": """\
        def note(n):
            global deepest
            deepest = n
        down = lambda n: note(n) or down(n + 1)
        """,
    "comprehension": """\
        def down(n):
            global deepest
            deepest = n
            return [down(m) for m in (n + 1,)]
        """,
    "operator": """\
        class Node:
            def __init__(self, n):
                self.n = n
            def __add__(self, other):
                global deepest
                deepest = self.n
                return Node(self.n + 1) + other
        down = lambda n: Node(n) + 1
        """,
}


@pytest.mark.parametrize("kind", RECURSIVE)
def test_recursion_up_to_the_interpreters_limit(record: Record, kind: str, tmp_path: Path) -> None:
    body = write_program(tmp_path, RECURSIVE[kind], "body.py").read_text()
    source = body + "try:\n    down(1)\nexcept RecursionError:\n    print(deepest)\n"
    done = record(source)
    plain = run_python(["prog.py"], tmp_path)
    deepest = int(done.stdout)
    # The hooks take a level or two of their own, and are given as many.
    assert abs(deepest - int(plain.stdout)) <= 3
    check(done.trace)
    if kind in ("function", "method", "comprehension"):
        name = "Node.down" if kind == "method" else "down"
        calls = done.calls(name)
        assert [p.value for c in calls[:deepest] for p in c.args if p.name == "n"] == list(
            range(1, deepest + 1)
        )
        above = [c.parent.id for c in calls[1:] if c.parent]
        assert above == [c.id for c in calls[:-1]]
        assert {c.outcome for c in calls} == {Outcome.RAISED}


def test_a_recursion_limit_of_ones_own(record: Record, tmp_path: Path) -> None:
    done = record(
        """\
        import sys

        sys.setrecursionlimit(9000)

        def down(n):
            return 0 if n == 0 else 1 + down(n - 1)

        print(down(8900))
        """
    )
    assert done.stdout == "8900\n"
    calls = done.calls("down")
    assert [c.value for c in calls] == list(range(8900, -1, -1))
    check(done.trace)


def test_a_call_that_never_ends(record: Record) -> None:
    done = record(
        """\
        import os

        def f(x):
            return x

        def leave(status):
            f(1)  # before
            os._exit(status)

        leave(3)  # start
        """,
        status=3,
    )
    assert outline(done) == lines(
        """
        module __main__ unfinished
          leave(status=3) @start unfinished
            f(x=1) @before -> 1
        """
    )
    assert done.call("leave").exit == -1


def test_functions_run_at_exit_have_no_caller(record: Record) -> None:
    done = record(
        """\
        import atexit

        def f(x):
            return x

        def late(n):
            f(n)  # late

        atexit.register(late, 5)
        f(1)
        """
    )
    late = done.call("late")
    assert late.parent is None
    assert late.entry > done.call("<module>").exit
    assert outline(done, "late") == "late(n=5) -> None\n  f(x=5) @late -> 5"


def test_kinds_of_functions(record: Record) -> None:
    done = record(
        """\
        def function(): return [(yield_ for yield_ in [])]
        def generator(): yield
        def generator2(): x = yield from []
        def not_generator():
            def inner(): yield
            return lambda: (yield)
        async def coroutine(): await x
        async def async_generator(): yield
        class Class: pass
        function2 = lambda: 0
        """
    )
    kinds = {f.qualname: f.kind for f in done.trace.program.functions.values()}
    assert kinds == {
        "<module>": "module",
        "function": "function",
        "generator": "generator",
        "generator2": "generator",
        "not_generator": "function",
        "not_generator.<locals>.inner": "generator",
        "coroutine": "coroutine",
        "async_generator": "async generator",
        "Class": "class",
        "<lambda>": "lambda",
    }


def test_where_functions_are(record: Record) -> None:
    done = record(
        """\
        import functools

        def plain(a, b):
            return a

        @functools.cache
        def decorated(
            x,
        ):
            def inner(y):
                return x + y
            return inner

        class C:
            def m(self): return 1
        """
    )
    functions = done.trace.program.functions
    found = {f.qualname: f for f in functions.values()}
    assert (found["plain"].line, found["plain"].end_line) == (3, 4)
    assert (found["decorated"].line, found["decorated"].end_line) == (7, 12)
    assert (found["C"].line, found["C"].end_line) == (14, 15)
    inner = found["decorated.<locals>.inner"]
    assert functions[inner.outer].qualname == "decorated"
    assert inner.free == ("x",)
    assert functions[found["C.m"].outer].qualname == "C"
    assert found["plain"].outer == found["<module>"].id
