import sys


class Account:
    def __init__(self, name):
        self.name = name
        self.balance = 0
        self.moves = []

    def add(self, amount):
        self.balance += amount
        self.moves.append(amount)
        return self.balance


def amounts(n):
    value = 7
    for i in range(n):
        value = (value * 31 + i) % 1000
        yield value


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def sort(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = sort(items[:middle]), sort(items[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def main(scale):
    accounts = [Account(str(i)) for i in range(10)]
    total = 0
    for round in range(scale * 40):
        for number, amount in enumerate(amounts(200)):
            account = accounts[number % 10]
            total += account.add(amount)
        fib(13)
        total += sum(sort(list(amounts(200))))
    return total


main(int(sys.argv[1]))
