"""What there is."""

from . import normal


def initial():
    return {"a": 3, "b": 2, "c": 0}


AMOUNTS = initial()


def take(title, n):
    title = normal(title)
    taken = min(n, AMOUNTS[title])
    AMOUNTS[title] -= taken
    return taken
