"""Hold many small objects, to compare peak memory. Scale: their number.

A quarter each of instances, lists, dicts and tuples, all alive at the end.
"""

import sys


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y


def build(count: int) -> list[object]:
    held: list[object] = []
    for i in range(count // 4):
        held.append(Point(i, i + 1))
        held.append([i, i + 1])
        held.append({"x": i, "y": i + 1})
        held.append((i, i + 1))
    return held


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"memory {len(build(count))}")


if __name__ == "__main__":
    main()
