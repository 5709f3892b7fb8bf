"""Solve a Sudoku of four by four."""


def is_free(grid, row, column, digit):
    """Return whether a digit may be put somewhere."""
    if digit in grid[row]:
        return False
    if digit in [line[column] for line in grid]:
        return False
    top, left = row - row % 2, column - column % 2
    for i in range(2):
        for j in range(2):
            if grid[top + i][left + j] == digit:
                return False
    return True


def solve(grid):
    """Fill the grid in; return whether that is possible."""
    for row in range(4):
        for column in range(4):
            if grid[row][column] == 0:
                for digit in range(1, 5):
                    if is_free(grid, row, column, digit):
                        grid[row][column] = digit
                        if solve(grid):
                            return True
                        grid[row][column] = 0
                return False
    return True


def main():
    grid = [[1, 0, 0, 4], [0, 0, 1, 0], [2, 0, 0, 0], [0, 3, 0, 1]]
    print(solve(grid), grid)


main()
