"""Generators that delegate to themselves: n queens, permutations, a pipeline."""


def is_safe(board, column):
    row = len(board)
    return all(differs(c, r, column, row) for r, c in enumerate(board))


def differs(c, r, column, row):
    return c != column and abs(c - column) != row - r


def queens(n, board=()):
    if len(board) == n:
        yield board
        return
    for column in range(n):
        if is_safe(board, column):
            yield from queens(n, (*board, column))


def permutations(items):
    if not items:
        yield []
    for i, first in enumerate(items):
        for rest in permutations(items[:i] + items[i + 1 :]):
            yield [first, *rest]


def numbers(n):
    for i in range(n):
        yield twice(i)


def twice(i):
    return i + i


def running_total():
    total = 0
    while True:
        x = yield total
        if x is None:
            return total
        total = plus(total, x)


def plus(a, b):
    return a + b


def drive():
    g = running_total()
    next(g)
    for x in numbers(4):
        g.send(x)
    try:
        g.send(None)
    except StopIteration as stop:
        return stop.value


def first(n):
    for board in queens(n):
        return board


print(list(queens(5))[:2], first(4))
print(len(list(permutations([1, 2, 3]))))
print(drive(), sum(twice(x) for x in numbers(3)))
