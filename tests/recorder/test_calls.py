"""Calls of functions and methods: arguments, results, where they are."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import arguments, check, lines, names, outline
from wrongcall.recording import Ref


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
    in_globals = done.recording.states.globals("__main__")
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
    check(done.recording)


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
    assert done.recording.states.state(given.value.oid).attrs.get("__qualname__") == "Second"


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
    calls = [c for c in done.recording.call(1).children if c.function.kind == "function"]
    assert names(calls) == ["Point.__new__", "Point.__init__", "Point3.__new__", "Point3.__init__"]
    assert [c.caller_line for c in calls] == [17, 17, 18, 18]
    assert names(calls[2].children) == ["Point.__new__"]
    assert names(calls[3].children) == ["Point.__init__"]
    assert arguments(done, calls[3].children[0]) == {"self": "<Point3>", "x": "2"}
    assert calls[3].children[0].caller_line == 11
    assert [c.value for c in calls if c.function.name == "__init__"] == [None, None]
    check(done.recording)


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
    kinds = {f.qualname: f.kind for f in done.recording.program.functions.values()}
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


def test_functions_know_their_lines(record: Record) -> None:
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
    functions = done.recording.program.functions
    found = {f.qualname: f for f in functions.values()}
    assert (found["plain"].line, found["plain"].end_line) == (3, 4)
    assert (found["decorated"].line, found["decorated"].end_line) == (7, 12)
    assert (found["C"].line, found["C"].end_line) == (14, 15)
    inner = found["decorated.<locals>.inner"]
    assert functions[inner.outer].qualname == "decorated"
    assert inner.free == ("x",)
    assert functions[found["C.m"].outer].qualname == "C"
    assert found["plain"].outer == found["<module>"].id


def test_any_value_can_be_returned(record: Record) -> None:
    done = record(
        """\
        def same(v):
            return v

        def rest(v):
            return 0, *v

        def early(v):
            if v:
                return v
            return NotImplemented

        values = [NotImplemented, ..., slice(1, 2), (), 7, -1, "k", None, [1], {}]
        print([same(v) is v and (lambda w: w)(v) is v for v in values], (lambda: 5)())
        print(rest([1]), early(0), early(3))
        """
    )
    assert done.stdout == f"{[True] * 10} 5\n(0, 1) NotImplemented 3\n"
    returned = [call.value for call in done.calls("same")]
    assert returned[4:8] == [7, -1, "k", None]
    assert [call.value for call in done.calls("early")][1] == 3
    check(done.recording)
