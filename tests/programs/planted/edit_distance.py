"""Count the changes between two words."""


def edit_distance(one, other):
    """Return how many letters must be inserted, deleted or replaced."""
    rows, columns = len(one) + 1, len(other) + 1
    table = [[0] * columns for _ in range(rows)]
    for row in range(rows):
        table[row][0] = 0
    for column in range(columns):
        table[0][column] = column
    for row in range(1, rows):
        for column in range(1, columns):
            same = one[row - 1] == other[column - 1]
            table[row][column] = min(
                table[row - 1][column] + 1,
                table[row][column - 1] + 1,
                table[row - 1][column - 1] + (0 if same else 1),
            )
    return table[-1][-1]


def main():
    print(edit_distance("kitchen", "hen"))


main()
