"""All ways to place n queens, backtracking on mutable lists. Scale: n."""

import sys


class Counter:
    def __init__(self) -> None:
        self.solutions = 0
        self.checksum = 0

    def add(self, board: list[int]) -> None:
        self.solutions += 1
        value = 0
        for column in board:
            value = value * 31 + column
        self.checksum = (self.checksum + value) % 1_000_003


def place(
    row: int,
    n: int,
    board: list[int],
    columns: list[bool],
    rising: list[bool],
    falling: list[bool],
    found: Counter,
) -> None:
    if row == n:
        found.add(board)
        return
    for column in range(n):
        up = row + column
        down = row - column + n - 1
        if columns[column] or rising[up] or falling[down]:
            continue
        columns[column] = rising[up] = falling[down] = True
        board.append(column)
        place(row + 1, n, board, columns, rising, falling, found)
        board.pop()
        columns[column] = rising[up] = falling[down] = False


def queens(n: int) -> Counter:
    """Count boards whose first queen is in the left half; mirrors follow."""
    found = Counter()
    for first in range(n // 2):
        columns = [False] * n
        rising = [False] * (2 * n - 1)
        falling = [False] * (2 * n - 1)
        columns[first] = rising[first] = falling[n - 1 - first] = True
        place(1, n, [first], columns, rising, falling, found)
    return found


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    found = queens(n)
    print(f"queens {n} {found.solutions} {found.checksum}")


if __name__ == "__main__":
    main()
