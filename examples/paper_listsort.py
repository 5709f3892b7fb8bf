"""Merge sort by recursion; from Haskell.

Example 1.1 of D. Insa, J. Silva: Hacia una Estrategia Óptima para la Depuración Algorítmica.
"""


def merge(left, right):
    """Return the numbers of two sorted lists in one."""
    if not left:
        return right
    if not right:
        return left
    (x, *xs), (y, *ys) = left, right
    if x <= y:
        return [x, *merge(xs, right)]
    return merge(left, ys)


def merge_sort(numbers):
    """Return the numbers in ascending order."""
    if len(numbers) < 2:
        return numbers
    half = len(numbers) // 2
    return merge(merge_sort(numbers[:half]), merge_sort(numbers[half:]))


def main():
    print(merge_sort([2, 1, 3]))


if __name__ == "__main__":
    main()
