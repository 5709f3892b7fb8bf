"""Nodes open into what they came from."""

from __future__ import annotations

from tests.analysis.origins.origin_tests import lines, opened, root, values
from tests.trace.conftest import Record
from wrongcall.recording import NodeKind, Role


def test_an_expression_opens_into_its_operands_as_they_were(record: Record) -> None:
    run = record("""
        def f():
            a, xs, i = 2, [5, 6], 1
            total = a * 10 + xs[i]
            a = xs[1] = i = 0
            return total

        f()
    """)
    (copy,) = opened(run, root(run, "f", "result")).operands
    assert (copy.text, copy.value, copy.line) == ("total", 26, 4)
    parts = opened(run, copy).operands
    assert [(p.text, p.value, p.role) for p in parts[:3]] == [
        ("a", 2, Role.OPERAND),
        ("xs[i]", 6, Role.OPERAND),
        ("i", 1, Role.KEY),
    ]
    assert {p.line for p in parts} == {3}
    assert parts[3].role is Role.CONTAINER


def test_results_lead_into_calls_and_parameters_back_out(record: Record) -> None:
    run = record("""
        def double(n):
            return n * 2

        def f(x):
            return double(x + 1) - 3

        f(4)
    """)
    top = root(run, "f", "result")
    (result,) = opened(run, top).operands
    assert (result.kind, result.text, result.value) == (NodeKind.RETURNED, "double(x + 1)", 10)
    (n,) = opened(run, result).operands
    assert (n.kind, n.text, n.value, n.source) == (NodeKind.PASSED, "n", 5, "x + 1")
    (x,) = opened(run, n).operands
    assert (x.kind, x.text, x.value) == (NodeKind.PASSED, "x", 4)
    assert opened(run, x).operands == ()


def test_elements_of_comprehensions_lead_to_their_round(record: Record) -> None:
    run = record("""
        def f(xs, ys):
            return [
                [x * y
                 for y in ys]
                for x in xs
            ]

        f([1, 2, 3], [10, 20])
    """)
    (part,) = opened(run, root(run, "f", "result[2][1]")).operands
    assert (part.kind, part.text, part.line) == (NodeKind.COMPUTED, "x * y", 4)
    assert values(opened(run, part).operands) == {"x": 3, "y": 20}
    (x, y) = opened(run, part).operands
    assert [p.text for p in opened(run, x).operands][:1] == ["xs[2]"]
    assert [p.text for p in opened(run, y).operands][:1] == ["ys[1]"]


def test_contents_are_explained_by_the_changes_that_made_them(record: Record) -> None:
    run = record("""
        def f():
            seen = set()
            names = []
            for name in ("b", "a", "b"):
                if name not in seen:
                    seen.add(name)
                    names.append(name)
            names.sort()
            names.remove("b")
            return len(names), sorted(seen)

        f()
    """)
    top = root(run, "f", "result[0]")
    assert lines(run, top) >= {4, 5, 6, 7, 8, 9, 10}
    (names,) = [n for n in opened(run, top).operands if n.text == "names"]
    kinds = {node.kind for node in opened(run, names).operands}
    assert NodeKind.REMOVED in kinds
    assert NodeKind.CHANGED in kinds


def test_generators_and_exceptions(record: Record) -> None:
    run = record("""
        def squares(n):
            for i in range(n):
                yield i * i

        def check(x):
            if x > 3:
                raise ValueError(f"too large: {x}")
            return x

        def f():
            total = 0
            said = ""
            for s in squares(3):
                try:
                    total += check(s)
                except ValueError as error:
                    said = str(error)
            return total, said

        f()
    """)
    assert lines(run, root(run, "f", "result[0]")) >= {3, 4, 9, 14, 16}
    said = lines(run, root(run, "f", "result[1]"))
    assert said >= {4, 7, 8, 17, 18}


def test_what_is_not_known_is_said(record: Record) -> None:
    run = record("""
        import sys

        def f(argv):
            return argv[0]

        f(sys.argv)
    """)
    (argv, *_) = opened(run, root(run, "f", "result")).operands
    (unknown,) = opened(run, argv).operands
    assert (unknown.kind, unknown.text) == (NodeKind.UNKNOWN, "sys.argv")
    assert unknown.note == "its value is not recorded"


def test_defaults_closures_and_globals(record: Record) -> None:
    run = record("""
        RATE = 3

        def outer(k):
            def inner(x, more=7):
                return x * k + RATE + more
            return inner

        def f():
            return outer(5)(2)

        f()
    """)
    (call,) = [n for n in opened(run, root(run, "f", "result")).operands if n.value == 20]
    found = values(opened(run, call).operands)
    assert found == {"x": 2, "k": 5, "RATE": 3, "more": 7}
    (more,) = [n for n in opened(run, call).operands if n.text == "more"]
    assert "default" in opened(run, more).note
