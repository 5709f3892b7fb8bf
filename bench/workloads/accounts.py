"""Accounts and numbers: some 2,200 small calls for each unit of scale."""

import sys


class Account:
    def __init__(self, owner):
        self.owner = owner
        self.balance = 0
        self.log = []

    def deposit(self, amount):
        self.balance = add(self.balance, amount)
        self.log.append(amount)
        return self.balance


def add(a, b):
    return a + b


def fib(n):
    if n < 2:
        return n
    return add(fib(n - 1), fib(n - 2))


def batch(accounts, n):
    total = 0
    for i in range(n):
        account = accounts[i % len(accounts)]
        total = add(total, account.deposit(i % 7))
    return total


def main(scale):
    accounts = [Account(f"owner{i}") for i in range(20)]
    totals = []
    for k in range(scale):
        totals.append(batch(accounts, 500))
        totals.append(fib(12))
    return totals


print(len(main(int(sys.argv[1]))))
