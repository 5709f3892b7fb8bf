"""Who called, and at which line: calls that the interpreter makes."""

from __future__ import annotations

from pathlib import Path

from tests.recorder.conftest import Record, witnessed
from tests.recorder.outline import check, lines, outline, place_of

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
    source = done.recording.program.files[1].source.splitlines()
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
    check(done.recording)


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
    calls = done.recording.call(1).children
    assert [(c.function.name, place_of(done.recording, c)) for c in calls][1:3] == [
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
    calls = done.recording.call(1).children
    assert [(c.function.qualname, place_of(done.recording, c)) for c in calls] == [
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
    assert (init.function.qualname, place_of(done.recording, init)) == ("Base.__init__", "through")
    (hook,) = calls[5].children
    assert (hook.function.qualname, hook.args[1].value) == ("Base.__init_subclass__", 5)
    check(done.recording)


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
