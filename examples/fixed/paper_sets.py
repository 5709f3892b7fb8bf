"""Equality of sets that are kept as lists; from Haskell.

Example 1.1 of D. Insa, J. Silva: Implementation of an Optimal Strategy for Algorithmic Debugging.
"""


def element(wanted, numbers):
    """Is it one of the numbers?"""
    if not numbers:
        return False
    first, *rest = numbers
    return wanted == first or element(wanted, rest)


def subset(numbers, others):
    """Are all the numbers among the others?"""
    if not numbers:
        return True
    first, *rest = numbers
    return element(first, others) and subset(rest, others)


def equal_sets(numbers, others):
    """Do both have the same elements?"""
    return subset(numbers, others) and subset(others, numbers)


def main():
    print(equal_sets([1, 3], [3]))


if __name__ == "__main__":
    main()
