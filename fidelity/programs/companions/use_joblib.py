"""Functions of the program that joblib sends to its worker processes by value, and its cache."""

from __future__ import annotations

import tempfile

from joblib import Memory, Parallel, delayed

OFFSET = 100


class Point:
    """A class of __main__: workers know it by value only."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


def square(n):
    """Reads a global and calls another function of the program."""
    return helper(n) ** 2 + OFFSET


def helper(n):
    return n if n >= 0 else -n


def make_adder(by):
    def add(point):
        return point + by

    return add


def fail(n):
    if n == 2:
        raise ValueError(f"{n} is not wanted")
    return n


def main():
    run = Parallel(n_jobs=2)
    print(run(delayed(square)(n) for n in range(-3, 4)))
    print(run(delayed(make_adder(Point(1, 1)))(Point(n, -n)) for n in range(3)))
    print(run(delayed(lambda n: [n, *range(n)])(n) for n in range(3)))
    try:
        run(delayed(fail)(n) for n in range(4))
    except ValueError as error:
        print("ValueError", error)
    with tempfile.TemporaryDirectory() as folder:
        cached = Memory(folder, verbose=0).cache(square)
        print(cached(7), cached(7), cached.check_call_in_cache(7))
    print(Parallel(n_jobs=2, backend="threading")(delayed(square)(n) for n in range(3)))


if __name__ == "__main__":
    main()
