"""What expressions of all kinds read."""

from __future__ import annotations

import pytest

from tests.analysis.origins.origin_tests import opened, root
from tests.trace.conftest import Record
from wrongcall.recording import Role

PROGRAM = """
def g(x):
    return x + 1

def f():
    a, b, s, xs, d = 2, 3, "text", [7, 8, 9], {"k": 4}
    r = 1
    EXPRESSION
    return r

f()
"""


@pytest.mark.parametrize(
    "statement, read",
    [
        ("r = a * b", {"a": 2, "b": 3}),
        ("r = -a", {"a": 2}),
        ("r = a < b", {"a": 2, "b": 3}),
        ("r = a if b > 5 else xs[0]", {"b": 3, "xs[0]": 7}),
        ("r = a and b", {"a": 2, "b": 3}),
        ("r = a or b", {"a": 2}),
        ("r = f'{a}-{b}'", {"a": 2, "b": 3}),
        ("r = max(a, b)", {"a": 2, "b": 3}),
        ("r = s[a]", {"s": "text", "a": 2}),
        ("r = s.upper()", {"s": "text"}),
        ("r = d['k'] + a", {"d['k']": 4, "a": 2}),
        ("r = g(a) + b", {"g(a)": 3, "b": 3}),
        ("r += a", {"r": 1, "a": 2}),
        ("r = (q := a) + b", {"a": 2, "b": 3}),
        ("r, q = b, a", {"b": 3}),
        ("r = a < b < r", {"a": 2, "b": 3, "r": 1}),
        ("r = d.get('k')", {"d.get('k')": 4}),
        ("r = 5", {}),
    ],
)
def test_an_expression_reads(record: Record, statement: str, read: dict[str, object]) -> None:
    run = record(PROGRAM.replace("EXPRESSION", statement))
    (r,) = opened(run, root(run, "f", "result")).operands
    found = opened(run, r).operands
    assert {
        n.text: n.value for n in found if n.role is not Role.CONTAINER and n.text not in ("d", "q")
    } == read


def test_what_a_library_calls_back(record: Record) -> None:
    run = record("""
        def key(x):
            return -x

        def f(xs):
            ordered = sorted(xs, key=key)
            return ordered

        f([1, 3, 2])
    """)
    (ordered,) = opened(run, root(run, "f", "result")).operands
    found = [n for n in opened(run, ordered).operands if n.text == "key(...)"]
    assert sorted(n.value for n in found) == [-3, -2, -1]  # type: ignore[type-var]
