"""Solve linear equations by elimination."""

from fractions import Fraction


def swap_in(rows, column):
    """Put a row whose number in a column is not 0 at the place of that column."""
    for other in range(column, len(rows)):
        if rows[other][column] != 0:
            rows[column], rows[other] = rows[other], rows[column]
            return


def solve(equations):
    """Return the solution of equations, whose last number is the right side."""
    rows = [[Fraction(each) for each in row] for row in equations]
    size = len(rows)
    for column in range(size):
        swap_in(rows, column)
        for other in range(column + 1, size):
            factor = rows[other][column] / rows[column][column]
            for at in range(column, size + 1):
                rows[other][at] -= factor * rows[column][at]
    found = [Fraction(0)] * size
    for row in reversed(range(size)):
        rest = rows[row][size]
        for at in range(row + 1, size):
            rest -= rows[row][at] * found[at]
        found[row] = rest / rows[row][row]
    return [int(each) for each in found]


def main():
    print(solve([[2, 1, -1, 8], [-3, -1, 2, -11], [-2, 1, 2, -3]]))


main()
