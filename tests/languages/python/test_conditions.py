"""Conditions of contract libraries: when they are checked."""

from __future__ import annotations

import pytest

from wrongcall.languages.python.conditions import Checked, Condition, condition_at
from wrongcall.languages.python.syntax import Source

SOURCE = """\
import icontract as ic
from icontract import require as needs
from ours import checked

@ic.require(lambda n: n > 0)
@ic.ensure(
    lambda result: result > 0,
    "positive",
)
@needs(lambda n: n)
@checked(lambda n, OLD: n > OLD.n)
@checked(lambda n: n)
@ic.snapshot(lambda n: n)
@plain
def f(n):
    return n

@ic.invariant(lambda self: self.n)
class C:
    @deal.pre(lambda self: True)
    async def g(self):
        pass
"""


@pytest.mark.parametrize(
    "line, expected",
    [
        (5, Condition("f", Checked.BEFORE)),
        (6, Condition("f", Checked.AFTER)),
        (8, Condition("f", Checked.AFTER)),
        (10, Condition("f", Checked.BEFORE)),
        (11, Condition("f", Checked.AFTER)),
        # Nobody knows when a decorator of the program checks this.
        (12, None),
        (13, None),
        (14, None),
        (15, None),
        (18, Condition("C", Checked.ALWAYS)),
        (20, Condition("g", Checked.BEFORE)),
        (99, None),
    ],
)
def test_decorators_say_when_a_condition_is_checked(line: int, expected: Condition | None) -> None:
    assert condition_at(Source(SOURCE), line) == expected


def test_a_source_that_cannot_be_parsed_has_no_conditions() -> None:
    assert condition_at(Source("def ("), 1) is None
