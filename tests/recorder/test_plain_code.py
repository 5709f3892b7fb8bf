"""Which plain code object each instrumented one stands for."""

from __future__ import annotations

from types import CodeType

import pytest

from wrongcall.recorder import _native, plain_code

PLAIN = """
def f():
    def inner(): return 1
    return inner
class C:
    def f(self): return 2
pair = (lambda: 3), (lambda: 4)
twins = (lambda: 5), (lambda: 5)
"""


def _instrumented(source: str) -> CodeType:
    """The same file with more in each function, on the same lines."""
    hooked = source.replace("return ", "hook; return ").replace("lambda: ", "lambda: hook and ")
    return compile(hooked, "prog.py", "exec")


@pytest.fixture
def pairs(monkeypatch: pytest.MonkeyPatch) -> dict[CodeType, CodeType]:
    found: dict[CodeType, CodeType] = {}
    monkeypatch.setattr(_native, "pair", found.__setitem__)
    return found


def test_functions_are_paired_by_name_and_line(pairs: dict[CodeType, CodeType]) -> None:
    plain, instrumented = compile(PLAIN, "prog.py", "exec"), _instrumented(PLAIN)
    plain_code.pair(instrumented, plain)
    assert pairs[instrumented] is plain
    places = {(c.co_qualname, c.co_firstlineno) for c in pairs}
    assert {("f", 2), ("f.<locals>.inner", 3), ("C", 5), ("C.f", 6), ("<lambda>", 7)} <= places
    for made, original in pairs.items():
        assert (made.co_qualname, made.co_firstlineno) == (
            original.co_qualname,
            original.co_firstlineno,
        )


def test_lambdas_on_one_line_are_paired_in_order(pairs: dict[CodeType, CodeType]) -> None:
    plain_code.pair(_instrumented(PLAIN), compile(PLAIN, "prog.py", "exec"))
    returned = {
        original.co_consts[-1]: made.co_consts[-1]
        for made, original in pairs.items()
        if made.co_name == "<lambda>"
    }
    assert returned == {3: 3, 4: 4, 5: 5}


def test_a_function_without_certain_counterpart_is_left_alone(
    pairs: dict[CodeType, CodeType],
) -> None:
    plain = compile("three = (lambda: 1), (lambda: 2), (lambda: 3)", "prog.py", "exec")
    instrumented = compile("three = (lambda: 1), (lambda: 3)", "prog.py", "exec")
    plain_code.pair(instrumented, plain)
    assert pairs == {instrumented: plain}
