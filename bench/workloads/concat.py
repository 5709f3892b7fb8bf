"""Time of n string concatenations: it should double with n, not quadruple.

CPython extends a string in place while the local variable is its only owner.
A recorder that keeps a reference to it turns every `s += x` into a copy.
Prints `concat N SECONDS` for each N, the best of three. Scale: a factor on N.
"""

import sys
import time

COUNTS = (60_000, 120_000)
REPEATS = 3
PIECE = "wrongcall "


def concatenate(count: int) -> str:
    s = ""
    for _ in range(count):
        s += PIECE
    return s


def timed(count: int) -> float:
    start = time.process_time()
    length = len(concatenate(count))
    seconds = time.process_time() - start
    if length != count * len(PIECE):
        raise SystemExit(f"concat: {length} characters for {count} pieces")
    return seconds


def main() -> None:
    factor = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for count in COUNTS:
        count = int(count * factor)
        print(f"concat {count} {min(timed(count) for _ in range(REPEATS)):.6f}")


if __name__ == "__main__":
    main()
