"""Place queens on a board so that none attacks another."""


def is_free(queens, column):
    """Return whether a queen may stand in a column of the next row."""
    row = len(queens)
    for other, taken in enumerate(queens):
        if taken == column or taken - column == row - other:
            return False
    return True


def solve(size, queens=()):
    """Return the columns of the queens by row, the first solution."""
    if len(queens) == size:
        return list(queens)
    for column in range(size):
        if is_free(queens, column):
            found = solve(size, (*queens, column))
            if found:
                return found
    return None


def main():
    print(solve(5))


main()
