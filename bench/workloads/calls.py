"""A tree of calls of mixed shape: deep, wide and bushy parts. Scale: about how many calls."""

import sys


class Counter:
    def __init__(self):
        self.count = 0

    def add(self):
        self.count += 1


def leaf(n):
    return n


def wide(n):
    total = 0
    for i in range(min(n - 1, 60)):
        total += leaf(i)
    return total + (split(n - 61) if n > 61 else 0)


def deep(n):
    return split(n - 1) if n % 7 else deep(n - 1)


def split(n):
    if n < 2:
        return leaf(n)
    if n < 120:
        return wide(n)
    third = n // 3
    return split(third) + deep(third) + split(n - 1 - 2 * third)


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    counter = Counter()
    for _ in range(size // 100):
        counter.add()
    sys.setrecursionlimit(10_000)
    print(size, split(size - size // 100 - 5))


if __name__ == "__main__":
    main()
