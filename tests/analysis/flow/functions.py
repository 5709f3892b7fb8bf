"""Functions with blocks, made by hand."""

from __future__ import annotations

from wrongcall.trace.format.program_tables import BlockFlow, Following, Function, Resumed

Blocks = list[list[int]]
Nexts = dict[int, list[tuple[int, int, bool]]]


def function(
    blocks: Blocks,
    following: Nexts | None = None,
    silent: tuple[int, ...] = (),
    resume: dict[int, list[tuple[int, int, int]]] | None = None,
    begin: dict[int, int] | None = None,
) -> Function:
    """Return a function: the lines of its blocks, and how they follow each other."""
    flow = tuple(
        BlockFlow(
            silent=number in silent,
            begin=(begin or {}).get(number, 0),
            next=tuple(Following(*each) for each in (following or {}).get(number, [])),
            resume=tuple(Resumed(*each) for each in (resume or {}).get(number, [])),
        )
        for number in range(len(blocks))
    )
    lines = tuple(map(tuple, blocks))
    return Function(1, 1, "f", "f", "function", 1, 20, 0, (), (), (), 1, lines, flow)


LOOP = function(
    # 2: total = 0 / 3: for x in xs: / 4: if x: / 5: total += x / 6: return total
    [[2], [3], [4], [5], [6]],
    {
        0: [(1, 0, False)],
        1: [(2, 3, True), (4, 3, False)],
        2: [(3, 4, True), (1, 4, False)],
        3: [(1, 0, False)],
    },
    silent=(1,),
    begin={2: 3},
)
"""A loop whose test is silent: what was passed there follows from the blocks around it."""
