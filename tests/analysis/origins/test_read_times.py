"""Operands are shown as they were when they were read, though calls in the same expression changed them."""

from __future__ import annotations

import pytest

from tests.analysis.origins.origin_tests import opened, root
from tests.trace.conftest import Record

PROGRAM = """
def grow(box):
    box[0] += 10
    return 1

def f():
    box = [1]
    return {expression}

f()
"""


@pytest.mark.parametrize(
    "expression, read",
    [
        ("box[0] + grow(box)", [1]),
        ("grow(box) + box[0]", [11]),
        ("box[0] + grow(box) * box[0]", [1, 11]),
        ("max(box[0], grow(box))", [1]),
        ("(grow(box), box[0])[1]", [11]),
        ("[box[0], box.append(5), box[-1]][0] + box[-1]", [1, 5]),
    ],
)
def test_what_was_read(record: Record, expression: str, read: list[int]) -> None:
    run = record(PROGRAM.replace("{expression}", expression))
    found = opened(run, root(run, "f", "result")).operands
    assert [n.value for n in found if n.text.startswith("box[")][: len(read)] == read
