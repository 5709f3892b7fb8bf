"""Functions that numba compiles: by itself, as a closure, with a callback to the interpreter."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@numba.njit
def coprime_pairs(n):
    count = 0
    for i in range(1, n):
        for j in range(i + 1, n):
            if gcd(i, j) == 1:
                count += 1
    return count


@numba.vectorize([numba.float64(numba.float64, numba.float64)])
def smooth(a, b):
    return 0.25 * a + 0.75 * b


def make_scaler(factor):
    @numba.njit
    def scale(values):
        return [value * factor for value in values]

    return scale


@numba.jit(forceobj=True)
def describe(values):
    return {str(value): type(value).__name__ for value in values}


def report():
    """Plain Python around what is compiled."""
    table = np.arange(6.0).reshape(2, 3)
    print(coprime_pairs(60), gcd.py_func(84, 36), gcd(84, 36))
    print(smooth(table, table + 1).tolist())
    print(list(make_scaler(3)(numba.typed.List([1, 2, 3]))))
    print(describe([1, 2.5, "x"]))
    print(gcd.signatures, coprime_pairs.inspect_types.__name__)
    try:
        numba.njit(lambda a: a.nothing)(1)
    except numba.TypingError as error:
        print(type(error).__name__, "nothing" in str(error))


report()
