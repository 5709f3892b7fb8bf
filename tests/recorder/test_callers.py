"""Who called, and at which line: calls that the interpreter, decorators or foreign code make."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, witnessed
from tests.recorder.outline import check, lines, outline, place_of

# -- decorators ------------------------------------------------------------------------------------


def test_a_plain_decorator(record: Record) -> None:
    done = record(
        """\
        def noisy(f):
            def wrapper(*args):
                return f(*args)  # through
            return wrapper

        def other():
            return 0

        other()

        @noisy  # decorate
        def add(a, b):
            return a + b

        add(1, 2)  # call
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          other() @9 -> 0
          noisy(f=<add>) @decorate -> <noisy.<locals>.wrapper>
          noisy.<locals>.wrapper(args=(1, 2)) @call -> 3
            add(a=1, b=2) @through -> 3
        """
    )


def test_decorators_with_arguments_are_applied_from_the_last_to_the_first(record: Record) -> None:
    done = record(
        """\
        import functools

        def times(n):
            def decorate(f):
                @functools.wraps(f)
                def wrapper(x):
                    return n * f(x)  # through
                return wrapper
            return decorate

        @times(2)  # two
        @times(3)  # three
        def ident(x):
            return x

        ident(5)  # call
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          times(n=2) @two -> <times.<locals>.decorate>
          times(n=3) @three -> <times.<locals>.decorate>
          times.<locals>.decorate(f=<ident>) @three -> <ident>
          times.<locals>.decorate(f=<ident>) @two -> <ident>
          times.<locals>.decorate.<locals>.wrapper(x=5) @call -> 30
            times.<locals>.decorate.<locals>.wrapper(x=5) @through -> 15
              ident(x=5) @through -> 5
        """
    )
    outer, inner = done.calls("times.<locals>.decorate.<locals>.wrapper")
    two, three = done.calls("times")
    owner = done.trace.states.variables.owner
    assert (owner(outer.id, "n"), owner(inner.id, "n")) == (two.id, three.id)


def test_decorators_that_are_classes_or_objects(record: Record) -> None:
    done = record(
        """\
        class Counted:
            def __init__(self, f):
                self.f = f
                self.count = 0

            def __call__(self, *args):
                self.count += 1
                return self.f(*args)  # through

        class Registry:
            def __init__(self):
                self.known = []

            def __call__(self, f):
                self.known.append(f)
                return f

        register = Registry()  # make

        @Counted  # counted
        @register  # registered
        def double(x):
            return 2 * x

        double(4)  # call

        @register  # class
        class Plain:  # body
            pass
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class Counted @1 -> None
          class Registry @10 -> None
          Registry.__init__(self=<Registry>) @make -> None
          Registry.__call__(self=<Registry>, f=<double>) @registered -> <double>
          Counted.__init__(self=<Counted>, f=<double>) @counted -> None
          Counted.__call__(self=<Counted>, args=(4,)) @call -> 8
            double(x=4) @through -> 8
          class Plain @body -> None
          Registry.__call__(self=<Registry>, f=<type>) @class -> <type>
        """
    )


def test_decorators_of_methods(record: Record) -> None:
    done = record(
        """\
        def logged(method):
            def wrapper(self, *args):
                return method(self, *args)  # through
            return wrapper

        class C:
            @logged  # decorate
            def m(self, x):
                return x

            @staticmethod
            @logged  # static
            def s(x):
                return -x

        C().m(1)  # method
        C.s(2)  # function
        """
    )
    assert outline(done) == lines(
        """
        module __main__ -> None
          class C @6 -> None
            logged(method=<C.m>) @decorate -> <logged.<locals>.wrapper>
            logged(method=<C.s>) @static -> <logged.<locals>.wrapper>
          logged.<locals>.wrapper(self=<C>, args=(1,)) @method -> 1
            C.m(self=<C>, x=1) @through -> 1
          logged.<locals>.wrapper(self=2, args=()) @function -> -2
            C.s(x=2) @through -> -2
        """
    )


def test_contextmanager(record: Record) -> None:
    done = record(
        """\
        import contextlib

        def f(x):
            return x

        @contextlib.contextmanager
        def opened(name):
            f("open")  # open
            try:
                yield name.upper()
            finally:
                f("close")  # close

        def main():
            with opened("a") as a:  # with
                f(a)  # body
            return f("after")  # after

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 'after'
          opened(name='a') @with yields 'A' -> None
            f(x='open') @open -> 'open'
            f(x='close') @close -> 'close'
          f(x='A') @body -> 'A'
          f(x='after') @after -> 'after'
        """
    )


def test_functions_that_the_standard_library_wraps(record: Record) -> None:
    done = record(
        """\
        import functools

        @functools.lru_cache(maxsize=None)
        def square(x):
            return x * x

        @functools.singledispatch
        def kind(x):
            return "other"

        @kind.register
        def _(x: int):
            return "int"

        class C:
            @functools.cached_property
            def slow(self):
                return 42

        def add(a, b):
            return a + b

        def main():
            square(3); square(3)  # cached
            kind("x")  # default
            kind(1)  # dispatched
            c = C()
            c.slow + c.slow  # property
            functools.partial(add, 1)(2)  # partial

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> None
          square(x=3) @cached -> 9
          kind(x='x') @default -> 'other'
          _(x=1) @dispatched -> 'int'
          C.slow(self=<C>) @property -> 42
          add(a=1, b=2) @partial -> 3
        """
    )


# -- operators and other calls by the interpreter --------------------------------------------------

OPERATORS = """\
class V:
    def __init__(self, n): self.n = n
    def __add__(self, other): return self.n
    def __radd__(self, other): return self.n
    def __iadd__(self, other): return self
    def __neg__(self): return -self.n
    def __eq__(self, other): return self is other
    def __lt__(self, other): return self.n < other.n
    def __hash__(self): return 7
    def __len__(self): return 3
    def __bool__(self): return True
    def __contains__(self, item): return item == 1
    def __getitem__(self, key): return key
    def __setitem__(self, key, value): pass
    def __delitem__(self, key): pass
    def __call__(self, x): return x
    def __str__(self): return "V"
    def __repr__(self): return "V!"
    def __format__(self, spec): return "V:" + spec
    def __iter__(self): return iter([1])
    def __int__(self): return 5
    def __index__(self): return 1
    def __getattr__(self, name): return name
    def __enter__(self): return self
    def __exit__(self, *exc): return False
    def __matmul__(self, other): return 0
    def __reversed__(self): return [3]

def f(): return 0

def main(v, w, items):
"""


STATEMENTS = {
    "v + w": ["__add__"],
    "1 + v": ["__radd__"],
    "v += 1": ["__iadd__"],
    "-v": ["__neg__"],
    "v @ w": ["__matmul__"],
    "v == w": ["__eq__"],
    "v != w": ["__eq__"],
    "v > w": ["__lt__"],
    "v < w < v": ["__lt__", "__lt__"],
    "v and w": ["__bool__"],
    "not v": ["__bool__"],
    "assert v": ["__bool__"],
    "x = 1 if v else 2": ["__bool__"],
    "hash(v)": ["__hash__"],
    "len(v)": ["__len__"],
    "2 in v": ["__contains__"],
    "w in [v]": ["__eq__"],
    "v[3]": ["__getitem__"],
    "v[3:]": ["__getitem__"],
    "v[3] = 4": ["__setitem__"],
    "v[3] += 4": ["__getitem__", "__setitem__"],
    "del v[3]": ["__delitem__"],
    "items[v]": ["__index__"],
    "items[v] = 2": ["__index__"],
    "v(1)": ["__call__"],
    "str(v)": ["__str__"],
    "repr([v])": ["__repr__"],
    "'%s' % v": ["__str__"],
    "f'{v} {v!r} {v:>3}'": ["__format__", "__repr__", "__format__"],
    "print(v, v)": ["__str__", "__str__"],
    "[x for x in v]": ["__iter__"],
    "a, = v": ["__iter__"],
    "for x in v: pass": ["__iter__"],
    "int(v)": ["__int__"],
    "range(v)": ["__index__"],
    "v.missing": ["__getattr__"],
    "v.missing.upper()": ["__getattr__"],
    "x = v.missing": ["__getattr__"],
    "reversed(v)": ["__reversed__"],
    "{v: 1}": ["__hash__"],
    "{v, w}": ["__hash__", "__hash__", "__eq__"],
    "table[v] = 1": ["__hash__"],
    "sorted([v, w])": ["__lt__"],
    "max(v, w)": ["__lt__"],
    "with v: pass": ["__enter__", "__exit__"],
}


def test_operators(record: Record, tmp_path: Path) -> None:
    """Whatever came before: each method is called at the line of its operator."""
    body = [line for statement in STATEMENTS for line in ("f()", statement)]
    main = "\n".join(f"    {line}" for line in ["table = {}", *body])
    done = record(f"{OPERATORS}{main}\n\nmain(V(1), V(2), [0, 1, 2])\n")
    first = OPERATORS.count("\n") + 2
    wanted = []
    for i, methods in enumerate(STATEMENTS.values()):
        wanted += [(first + 2 * i, "f")]
        wanted += [(first + 2 * i + 1, f"V.{name}") for name in methods]
    (call,) = done.calls("main")
    found = [(c.caller_line, c.function.qualname) for c in call.children]
    source = done.trace.program.files[1].source.splitlines()
    wrong = [
        f"{source[line - 1].strip()}: {name} said to be at {source[said - 1].strip()!r}"
        for (said, which), (line, name) in zip(found, wanted, strict=False)
        if (said, which) != (line, name)
    ]
    assert [name for _, name in found] == [name for _, name in wanted]
    seen = witnessed("calls", "prog.py", tmp_path)
    (number,) = [i for i, s in enumerate(seen) if s["qualname"] == "main"]
    inside = [(s["caller_line"], s["qualname"]) for s in seen if s["parent"] == number]
    assert inside == wanted, "the table above is wrong"
    assert wrong == []
    check(done.trace)


def test_arguments_and_results_of_operator_methods(record: Record) -> None:
    done = record(
        """\
        class V:
            def __init__(self, n):
                self.n = n

            def __add__(self, other):
                return V(self.n + other.n)  # result

            def __mul__(self, k):
                if not isinstance(k, int):
                    return NotImplemented
                return V(self.n * k)  # product

            __rmul__ = __mul__

            def __eq__(self, other):
                return self.n == other.n

        def main(a, b):
            c = a + b  # plus
            d = 3 * c  # times
            try:
                c * "x"  # refused
            except TypeError:
                pass
            return d == c  # equal

        main(V(1), V(2))  # start
        """
    )
    assert outline(done, "main") == lines(
        """
        main(a=<V>, b=<V>) @start -> False
          V.__add__(self=<V>, other=<V>) @plus -> <V>
            V.__init__(self=<V>, n=3) @result -> None
          V.__mul__(self=<V>, k=3) @times -> <V>
            V.__init__(self=<V>, n=9) @product -> None
          V.__mul__(self=<V>, k='x') @refused -> NotImplemented
          V.__eq__(self=<V>, other=<V>) @equal -> False
        """
    )


def test_operators_that_call_each_other(record: Record) -> None:
    done = record(
        """\
        class Node:
            def __init__(self, value, next=None):
                self.value, self.next = value, next

            def __len__(self):
                return 1 + (len(self.next) if self.next else 0)  # rest

            def __bool__(self):
                return True

        def main():
            return len(Node(1, Node(2)))  # start

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          Node.__init__(self=<Node>, value=2, next=None) @start -> None
          Node.__init__(self=<Node>, value=1, next=<Node>) @start -> None
          Node.__len__(self=<Node>) @start -> 2
            Node.__bool__(self=<Node>) @rest -> True
            Node.__len__(self=<Node>) @rest -> 1
        """
    )


def test_descriptors_and_attribute_hooks(record: Record) -> None:
    done = record(
        """\
        class Field:
            def __set_name__(self, owner, name):
                self.name = "_" + name

            def __get__(self, obj, owner=None):
                return 7

            def __set__(self, obj, value):
                obj.__dict__[self.name] = value

        class Record:  # body
            x = Field()

            def __setattr__(self, name, value):
                object.__setattr__(self, name, value)  # default

            def __getattribute__(self, name):
                return object.__getattribute__(self, name)

        def f():
            return 0

        def main(r):
            f()  # before
            r.x  # get
            f()  # between
            r.y = 2  # set
            return r.y  # plain

        main(Record())  # run
        """
    )
    calls = done.trace.call(1).children
    assert [(c.function.name, place_of(done.trace, c)) for c in calls][1:3] == [
        ("Record", "body"),
        ("__set_name__", "body"),
    ]
    assert outline(done, "main") == lines(
        """
        main(r=<Record>) @run -> 2
          f() @before -> 0
          Record.__getattribute__(self=<Record>, name='x') @get -> 7
            Field.__get__(self=<Field>, obj=<Record>, owner=<type>) @18 -> 7
          f() @between -> 0
          Record.__setattr__(self=<Record>, name='y', value=2) @set -> None
          Record.__getattribute__(self=<Record>, name='y') @plain -> 2
        """
    )


def test_iterators_of_ones_own(record: Record) -> None:
    done = record(
        """\
        class Count:
            def __init__(self, n):
                self.n = n

            def __iter__(self):
                return self

            def __next__(self):
                if self.n == 0:
                    raise StopIteration
                self.n -= 1
                return self.n

        def f(x):
            return x

        def main():
            for i in Count(2):  # loop
                f(i)  # body
            return [*Count(1)]  # spread

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> [0]
          Count.__init__(self=<Count>, n=2) @loop -> None
          Count.__iter__(self=<Count>) @loop -> <Count>
          Count.__next__(self=<Count>) @loop -> 1
          f(x=1) @body -> 1
          Count.__next__(self=<Count>) @loop -> 0
          f(x=0) @body -> 0
          Count.__next__(self=<Count>) @loop raises StopIteration()
          Count.__init__(self=<Count>, n=1) @spread -> None
          Count.__iter__(self=<Count>) @spread -> <Count>
          Count.__next__(self=<Count>) @spread -> 0
          Count.__next__(self=<Count>) @spread raises StopIteration()
        """
    )


def test_metaclasses_and_hooks_of_class_creation(record: Record) -> None:
    done = record(
        """\
        class Meta(type):
            def __new__(meta, name, bases, namespace, **options):
                return super().__new__(meta, name, bases, namespace, **options)

            def __call__(cls, *args):
                return super().__call__(*args)  # through

        class Base(metaclass=Meta):  # base
            def __init_subclass__(cls, tag=None):
                cls.tag = tag

            def __init__(self, x):
                self.x = x

        def f():
            return 0

        f()  # before

        class Derived(Base, tag=5):  # derived
            pass

        f()  # after
        Derived(1)  # make
        """
    )
    calls = done.trace.call(1).children
    assert [(c.function.qualname, place_of(done.trace, c)) for c in calls] == [
        ("Meta", "1"),
        ("Base", "base"),
        ("Meta.__new__", "base"),
        ("f", "before"),
        ("Derived", "derived"),
        ("Meta.__new__", "derived"),
        ("f", "after"),
        ("Meta.__call__", "make"),
    ]
    (init,) = calls[-1].children
    assert (init.function.qualname, place_of(done.trace, init)) == ("Base.__init__", "through")
    (hook,) = calls[5].children
    assert (hook.function.qualname, hook.args[1].value) == ("Base.__init_subclass__", 5)
    check(done.trace)


def test_finalizers_run_under_the_call_that_drops_the_object(record: Record) -> None:
    done = record(
        """\
        class Resource:
            def __init__(self, name):
                self.name = name

            def __del__(self):
                f(self.name)  # del

        def f(x):
            return x

        def main():
            r = Resource("a")
            f(0)  # before
            r = None  # rebind
            f(1)  # between
            s = Resource("b")
            del s  # delete
            return f(2)  # end

        main()  # run
        """
    )
    assert outline(done, "main") == lines(
        """
        main() @run -> 2
          Resource.__init__(self=<Resource>, name='a') @12 -> None
          f(x=0) @before -> 0
          Resource.__del__(self=<Resource>) @rebind -> None
            f(x='a') @del -> 'a'
          f(x=1) @between -> 1
          Resource.__init__(self=<Resource>, name='b') @16 -> None
          Resource.__del__(self=<Resource>) @delete -> None
            f(x='b') @del -> 'b'
          f(x=2) @end -> 2
        """
    )


# -- callbacks -------------------------------------------------------------------------------------


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
    places = [place_of(done.trace, call) for call in done.call("main").children]
    expected = ["before", *["sorted"] * 2, "before2", *["sort"] * 2, "before3", *["map"] * 2]
    expected += ["before4", "reduce", "before5", *["max"] * 2, "before6", *["filter"] * 2]
    expected += ["before7", "accumulate", "before8", *["heap"] * 2]
    assert places == expected
    assert all(c.children == [] for c in done.calls("neg"))
    check(done.trace)


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
    found = [(c.function.name, place_of(done.trace, c)) for c in done.call("main").children]
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
    check(done.trace)


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
    found = [(c.args[-1].value, place_of(done.trace, c)) for c in main.children]
    places = "dunder getattr methodcaller unbound function partial expression item exec eval made"
    assert found == list(
        enumerate([*places.split(), "keyword", "star", "stars", "map", "walrus"], 1)
    )
    check(done.trace)


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
    assert done.trace.states.variables.owner(inner.id, "n") == done.call("outer").id


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
    line = done.trace.program.files[1].source.splitlines()[14]
    inner = line.index("f(3)")
    assert columns == [inner, line.index("f(f("), line.index("f(4)")]
