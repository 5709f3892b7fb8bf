"""Comprehensions of every kind, nested, with calls, conditions and walruses in them."""


def cell(i, j):
    return i * 10 + j


def is_odd(n):
    return n % 2 == 1


def row(matrix, i):
    return matrix[i]


def column(matrix, j):
    return [row(matrix, i)[j] for i in range(len(matrix))]


def product(a, b):
    size = range(len(a))
    return [[dot(row(a, i), column(b, j)) for j in size] for i in size]


def dot(u, v):
    return sum(times(x, y) for x, y in zip(u, v))


def times(x, y):
    return x * y


class Table:
    size = 3
    cells = [cell(i, 0) for i in range(3)]
    names = {i: str(cell(i, i)) for i in range(2)}


def main():
    matrix = [[cell(i, j) for j in range(3)] for i in range(3)]
    odd = {n for line in matrix for n in line if is_odd(n)}
    index = {n: (i, j) for i, line in enumerate(matrix) for j, n in enumerate(line) if is_odd(n)}
    large = [y for n in odd if (y := times(n, n)) > 100]
    functions = [lambda n, k=k: times(n, k) for k in range(3)]
    print(len(odd), len(index), len(large), [f(2) for f in functions])
    print(product(matrix, matrix)[2], any(is_odd(n) for n in matrix[0]))
    print(dict(zip(*[map(str, column(matrix, j)) for j in (0, 1)])))


main()
