"""Statements that may resume a generator or coroutine."""

from __future__ import annotations

from wrongcall.languages.python.handing_over import resuming_lines
from wrongcall.languages.python.syntax import Source

TEXT = """\
x = 1
y = next(g)
for a in g:
    pass
a, b = g
if x in g:
    x += 1
while x:
    x = None
with cm:
    del x
z = [*g]
w = [i for i in g]
async def f():
    await t
    yield from g
    return x
def h():
    x = lambda: next(g)
class C:
    n = 3
"""


def test_lines_are_told_apart_by_their_syntax() -> None:
    assert sorted(resuming_lines(Source(TEXT.replace("yield from g", "yield g")))) == [
        2, 3, 5, 6, 10, 12, 13, 15,
    ]  # fmt: skip
    assert 1 in resuming_lines(Source("x = yield from g\n"))


def test_source_that_cannot_be_parsed_has_none() -> None:
    assert resuming_lines(Source("def (")) == frozenset()
