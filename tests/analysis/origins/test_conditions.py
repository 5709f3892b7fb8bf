"""The tests because of which something was executed, and those that kept a value."""

from __future__ import annotations

from tests.analysis.origins.origin_tests import opened, root, values
from tests.trace.conftest import Record
from wrongcall.recording import NodeKind, Role


def test_a_write_depends_on_the_tests_around_it(record: Record) -> None:
    run = record("""
        def f(xs):
            found = None
            for i, x in enumerate(xs):
                if x < 0:
                    continue
                if x > 5:
                    found = i
            return found

        f([1, -2, 9, 3])
    """)
    (copy,) = opened(run, root(run, "f", "result")).operands
    (test,) = opened(run, copy).conditions
    assert (test.text, test.taken, test.line) == ("x > 5", True, 7)
    assert values(opened(run, test).operands) == {"x": 9}
    before = opened(run, test).conditions
    assert [(c.text, c.taken) for c in before] == [
        ("x < 0", False),
        ("for i, x in enumerate(xs)", True),
    ]


def test_what_kept_a_value(record: Record) -> None:
    run = record("""
        def f(xs):
            best = xs[0]
            for x in xs:
                if x > best + 10:
                    best = x
            return best

        f([4, 9, 7])
    """)
    (best,) = opened(run, root(run, "f", "result")).operands
    kept = opened(run, best).kept
    assert {(n.text, n.taken) for n in kept} == {("x > best + 10", False), ("for x in xs", False)}
    assert all(n.role is Role.KEPT for n in kept)
    (test,) = [n for n in kept if n.line == 5]
    assert values(opened(run, test).operands) == {"x": 7, "best": 4}


def test_without_a_test_the_call_itself_is_the_condition(record: Record) -> None:
    run = record("""
        def g():
            return 1

        def f(flag):
            if flag:
                return g()

        f(True)
    """)
    (called,) = opened(run, root(run, "g", "result")).conditions
    assert (called.kind, called.text, called.line) == (NodeKind.CALLED, "g()", 7)
    (test,) = opened(run, called).conditions
    assert (test.text, test.taken) == ("flag", True)


def test_handlers_depend_on_what_was_raised(record: Record) -> None:
    run = record("""
        def g(x):
            raise KeyError(x)

        def f():
            try:
                g(3)
            except KeyError:
                return "missing"

        f()
    """)
    (test,) = opened(run, root(run, "f", "result")).conditions
    assert test.text == "except KeyError"
    (raised,) = opened(run, test).operands
    assert (raised.kind, raised.line) == (NodeKind.RAISED, 3)
    assert values(opened(run, raised).operands) == {"x": 3}
