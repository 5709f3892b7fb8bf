"""A loop of many rounds, and a million calls, for expressions and searches: asking.py ROUNDS."""

import sys


class Account:
    def __init__(self):
        self.total = 0


def rounds(n):
    account = Account()
    recent = [0] * 1000
    best = 0
    for i in range(n):
        recent[i % 1000] += i
        account.total += recent[i % 1000]
        if i % 7 == 0:
            best = max(best, i)
    return account, best


def step(account, k):
    y = k * 2
    if k % 3:
        y += 1
    account.total = y
    return y


def last_digits(k):
    return k % 1000


def main(n):
    rounds(n)
    account = Account()
    for k in range(n):
        step(account, k)
    total = 0
    for k in range(10 * n):
        total += last_digits(k)
    return total


main(int(sys.argv[1]))
