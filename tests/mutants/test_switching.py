"""Programs that switch from the mutated code to the original when a call is entered."""

from __future__ import annotations

from typing import Any

import pytest
from mutants.switching import NoSwitchError, Place, text_of, with_both_bodies, with_entry

pytestmark = pytest.mark.once

ORIGINAL = b'''
count = 0

def scale(n):
    """Double."""
    global count
    count += 1
    return n * 2

def total(numbers):
    return sum(scale(n) for n in numbers)

pick = lambda n: n + 1
'''
MUTATED = ORIGINAL.replace(b"n * 2", b"n + 2").replace(b"n + 1", b"n - 1")


def _run(text: bytes, until: int) -> dict[str, Any]:
    entered = 0

    def enter() -> None:
        nonlocal entered
        entered += 1

    space: dict[str, Any] = {
        "__mutant_is_on__": lambda: entered < until,
        "__mutant_enter__": enter,
    }
    exec(compile(text, "m", "exec"), space)
    return space


@pytest.mark.parametrize("until", range(1, 6))
def test_the_original_runs_from_the_chosen_call_on(until: int) -> None:
    module = with_both_bodies(ORIGINAL, MUTATED, Place("scale", 7))
    space = _run(text_of(with_entry(module, Place("scale", 7))), until)
    found = [space["scale"](10) for _ in range(5)]
    assert found == [12] * (until - 1) + [20] * (6 - until)
    assert space["count"] == 5


def test_everything_that_the_chosen_call_calls_is_original() -> None:
    module = with_both_bodies(ORIGINAL, MUTATED, Place("scale", 7))
    space = _run(text_of(with_entry(module, Place("total", 11))), 2)
    assert [space["total"]([10, 20]) for _ in range(2)] == [34, 60]


def test_lambdas_are_switched_too() -> None:
    module = with_both_bodies(ORIGINAL, MUTATED, Place("<lambda>", 13))
    space = _run(text_of(with_entry(module, Place("<lambda>", 13))), 2)
    assert [space["pick"](5) for _ in range(2)] == [4, 6]


def test_a_function_that_is_not_there_can_not_be_switched() -> None:
    with pytest.raises(NoSwitchError):
        with_both_bodies(ORIGINAL, MUTATED, Place("other", 7))
