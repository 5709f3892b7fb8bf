"""Who called, and at which line: decorators and other wrappers."""

from __future__ import annotations

from tests.recorder.conftest import Record
from tests.recorder.outline import lines, outline


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
    owner = done.recording.states.variables.owner
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
