"""Read a matrix in a spiral."""


def spiral(rows):
    """Return the numbers of a matrix from the outside in, clockwise."""
    top, bottom, left, right = 0, len(rows) - 1, 0, len(rows[0]) - 1
    found = []
    while top <= bottom and left <= right:
        for column in range(left, right + 1):
            found.append(rows[top][column])
        top += 1
        for row in range(top, bottom + 1):
            found.append(rows[row][right])
        right -= 1
        for column in range(right, left, -1):
            found.append(rows[bottom][column])
        bottom -= 1
        for row in range(bottom, top - 1, -1):
            found.append(rows[row][left])
        left += 1
    return found


def main():
    print(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))


main()
