"""Cost of one write into containers of different sizes: it should not grow.

Prints `OPERATION SIZE NANOSECONDS` for each operation and container size.
Building the containers is not timed. Scale: a factor on the number of writes.
"""

import sys
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush

SIZES = (10, 1_000, 1_000_000)
WRITES = 100_000


def set_items(a: list[int], writes: int) -> int:
    """Store by index, from the front and round again."""
    size = len(a)
    for i in range(writes):
        a[i % size] = i
    return writes


def append_and_pop(a: list[int], writes: int) -> int:
    """Grow and shrink the end of the list; each pair counts as two writes."""
    for i in range(writes // 2):
        a.append(i)
        a.pop()
    return writes // 2 * 2


def store_keys(d: dict[int, int], writes: int) -> int:
    """Replace the values of keys, from the first and round again."""
    size = len(d)
    for i in range(writes):
        d[i % size] = i
    return writes


def push_and_pop(h: list[int], writes: int) -> int:
    """Push onto a heap and pop; each pair counts as two writes."""
    for i in range(writes // 2):
        heappush(h, i)
        heappop(h)
    return writes // 2 * 2


def queue(d: deque[int], writes: int) -> int:
    """Append at one end and take from the other; each pair counts as two writes."""
    for i in range(writes // 2):
        d.append(i)
        d.popleft()
    return writes // 2 * 2


def add_and_discard(s: set[int], writes: int) -> int:
    """Add to a set and take out again; each pair counts as two writes."""
    for i in range(writes // 2):
        s.add(-i)
        s.discard(-i)
    return writes // 2 * 2


def timed(write: Callable[[], int]) -> float:
    """Return the nanoseconds of CPU time of one of the writes done."""
    start = time.process_time()
    writes = write()
    return (time.process_time() - start) / writes * 1e9


def main() -> None:
    factor = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    count = int(WRITES * factor)
    for size in SIZES:
        a = list(range(size))
        d = dict.fromkeys(range(size), 0)
        # A recorder explores a container when it first meets it. These calls pay for that once, so that only the writes
        # are timed.
        h, q, s = list(range(size)), deque(range(size)), set(range(size))
        set_items(a, 2)
        store_keys(d, 2)
        push_and_pop(h, 2)
        queue(q, 2)
        add_and_discard(s, 2)
        print(f"list-set {size} {timed(lambda: set_items(a, count)):.1f}")
        print(f"append-pop {size} {timed(lambda: append_and_pop(a, count)):.1f}")
        print(f"dict-set {size} {timed(lambda: store_keys(d, count)):.1f}")
        print(f"heap {size} {timed(lambda: push_and_pop(h, count // 4)):.1f}")
        print(f"queue {size} {timed(lambda: queue(q, count)):.1f}")
        print(f"set {size} {timed(lambda: add_and_discard(s, count)):.1f}")


if __name__ == "__main__":
    main()
