"""Recursion to the interpreter's own limit, again and again, and beyond a higher one."""

import sys


def down(n):
    return down(n + 1)


def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


class Endless:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __repr__(self):
        return f"<{self!r}>"


def attempts():
    for _ in range(20):
        try:
            down(0)
        except RecursionError as error:
            yield str(error)[:32]


print(set(attempts()), depth() == depth())
for action in (lambda: Endless().a, lambda: repr(Endless())):
    try:
        action()
    except RecursionError:
        print("too deep")
sys.setrecursionlimit(20_000)


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


print(count(15_000))
