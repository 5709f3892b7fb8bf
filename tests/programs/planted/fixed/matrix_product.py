"""Multiply matrices."""


def product(left, right):
    """Return the product of two matrices."""
    inner = len(right)
    return [
        [
            sum(left[row][i] * right[i][column] for i in range(inner))
            for column in range(len(right[0]))
        ]
        for row in range(len(left))
    ]


def main():
    print(product([[1, 2], [3, 4]], [[0, 1], [5, 6]]))


main()
