"""A function with a loop, a branch and a handler: its blocks, and which of them follow each other.

The tests of blocks and of steps have its source; the lines are those.
"""

from __future__ import annotations

BLOCKS = [[2], [3], [4], [5], [7], [], [8], [9, 10], [11, 12], [13]]
FOLLOWING = {
    0: [1, 0, 0],
    1: [2, 3, 1, 6, 3, 2],
    2: [3, 4, 1, 4, 4, 2],
    3: [5, 0, 0],
    4: [5, 0, 0],
    5: [1, 0, 0],
    6: [7, 0, 0],
    7: [9, 0, 0],
    8: [9, 0, 0],
}
