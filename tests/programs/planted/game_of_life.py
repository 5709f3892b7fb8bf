"""Conway's game of life."""


def neighbours(cells, row, column):
    """Return how many living cells are around a place."""
    return sum(
        (row + down, column + right) in cells
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down, right) != (0, 0)
    )


def next_state(cells, size):
    """Return the living cells of the next generation."""
    living = set()
    for row in range(size):
        for column in range(size):
            count = neighbours(cells, row, column)
            if count == 3 or (row, column) in cells and count >= 2:
                living.add((row, column))
    return living


def after(lines, generations):
    """Return the board after so many generations."""
    size = len(lines)
    cells = {(r, c) for r in range(size) for c in range(size) if lines[r][c] == "#"}
    for _ in range(generations):
        cells = next_state(cells, size)
    return ["".join("#" if (r, c) in cells else "." for c in range(size)) for r in range(size)]


def main():
    for line in after([".#..", "###.", ".#..", "...."], 1):
        print(line)


main()
