"""Draw a field of mines with the number of mines around each place."""


def around(row, column):
    """Return the places around a place."""
    found = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                found.append((row + down, column + right))
    return found


def count(mines, row, column):
    """Return how many mines are around a place."""
    total = 0
    for place in around(row, column):
        if place in mines:
            total += 1
    return total


def board(mines, height, width):
    """Return the rows of the board."""
    rows = []
    for row in range(height):
        line = ""
        for column in range(width):
            if (row, column) in mines:
                line += "*"
            else:
                line += str(count(mines, row, column))
        rows.append(line)
    return rows


def main():
    for row in board({(0, 1), (2, 2), (2, 3)}, 3, 5):
        print(row)


main()
