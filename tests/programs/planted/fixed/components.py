"""Count the islands of a map and their sizes."""


def mark(cells, row, column):
    """Clear the island at a place; return how many cells it has."""
    if row < 0 or row >= len(cells) or column < 0 or column >= len(cells[row]):
        return 0
    if cells[row][column] != "#":
        return 0
    cells[row][column] = "."
    size = 1
    for step in (-1, 1):
        size += mark(cells, row + step, column)
        size += mark(cells, row, column + step)
    return size


def components(lines):
    """Return the sizes of the islands, in reading order."""
    cells = [list(line) for line in lines]
    sizes = []
    for row in range(len(cells)):
        for column in range(len(cells[row])):
            if cells[row][column] == "#":
                sizes.append(mark(cells, row, column))
    return sizes


def main():
    print(components(["##..", ".#.#", "...#"]))


main()
