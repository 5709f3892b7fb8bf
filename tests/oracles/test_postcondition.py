"""Postconditions: what can be evaluated, and what is refused."""

from __future__ import annotations

import pytest

from wrongcall.oracles.postcondition import holds, is_safe


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("result == sorted(items)", True),
        ("len(result) == len(items) and all(a <= b for a, b in zip(result, result[1:]))", True),
        ("result[0] > 1", False),
        ("set(result) == {1, 2, 3} if limit is None else False", True),
        ("sum(n for n in items if n > 1) == 5", True),
    ],
)
def test_conditions_are_evaluated_over_arguments_and_result(
    expression: str, expected: bool
) -> None:
    assert holds(expression, "items=[3, 1, 2], limit=None", "[1, 2, 3]") is expected


def test_calls_without_arguments_have_conditions_too() -> None:
    assert holds("result == 3", "()", "3") is True


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "result.__class__",
        "(lambda: 1)()",
        "open('/etc/passwd')",
        "eval('1')",
        "unknown > 3",
        "(x := 3) == 3 and x.real",
        "f'{result.__class__}'",
        "items.append(1)",
        "[c for c in ().__class__.__bases__]",
        "not valid (",
        "",
    ],
)
def test_everything_else_is_refused(expression: str) -> None:
    assert not is_safe(expression, ["items"])
    assert holds(expression, "items=[1]", "[1]") is None


@pytest.mark.parametrize(
    "expression", ["result[9] == 1", "9**9**9**9 > 1", "len([0] * 10**10) > 1"]
)
def test_conditions_that_fail_or_take_too_much_say_nothing(expression: str) -> None:
    assert holds(expression, "items=[1]", "[1]") is None


@pytest.mark.parametrize(
    "arguments, result",
    [("items=print(1)", "1"), ("items=[1]", "print(1)"), ("items=[", "1"), ("a=1", "")],
)
def test_values_have_to_be_plain(arguments: str, result: str) -> None:
    assert holds("True", arguments, result) is None
