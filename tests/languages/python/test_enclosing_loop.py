"""The loop around a line."""

from __future__ import annotations

import pytest

from wrongcall.languages.python.enclosing_loop import enclosing_loop, loop_variables
from wrongcall.languages.python.syntax import Source

SOURCE = Source(
    """\
def f(n):
    for i in range(n):
        if i:
            while i:
                i -= 1
            else:
                i = 3
        try:
            x = [y for y in (1, 2)]
        except ValueError:
            x = 1
        def g():
            return 1
    else:
        n = 1
    return n
"""
)


@pytest.mark.parametrize(
    "line,expected",
    [
        (1, None),
        (2, (2, 13)),
        (3, (2, 13)),
        (4, (4, 5)),
        (5, (4, 5)),
        (7, (2, 13)),
        (9, (2, 13)),
        (11, (2, 13)),
        (12, (2, 13)),
        (13, None),
        (15, None),
        (16, None),
    ],
)
def test_the_innermost_loop_of_the_same_function_is_found(
    line: int, expected: tuple[int, int] | None
) -> None:
    assert enclosing_loop(SOURCE, line) == expected


def test_source_that_cannot_be_parsed_has_no_loops() -> None:
    assert enclosing_loop(Source("for ("), 1) is None


NESTED = """\
for a, (b, c) in pairs:
    while a:
        for d.x, e[i] in a:
            f(d)
    def g():
        for h in a:
            pass
    last
else:
    after
"""


@pytest.mark.parametrize(
    "line, names",
    [
        (1, ["a", "b", "c"]),
        (2, ["a", "b", "c"]),
        (4, ["a", "b", "c"]),
        (7, ["h"]),
        (8, ["a", "b", "c"]),
        (10, []),
    ],
)
def test_the_variables_of_all_loops_around_a_line_are_found(line: int, names: list[str]) -> None:
    assert loop_variables(Source(NESTED), line) == names
