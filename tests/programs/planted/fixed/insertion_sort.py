"""Sort numbers by inserting each one into the sorted part before it."""


def sorted_copy(numbers):
    """Return the numbers in ascending order."""
    ordered = list(numbers)
    for i in range(1, len(ordered)):
        current = ordered[i]
        j = i
        while j > 0 and ordered[j - 1] > current:
            ordered[j] = ordered[j - 1]
            j -= 1
        ordered[j] = current
    return ordered


def main():
    print(sorted_copy([5, 2, 8, 1, 9, 3]))


main()
