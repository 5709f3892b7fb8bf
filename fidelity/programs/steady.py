"""The same events in every run, for some seconds: what is killed is compared with what was not."""

import sys


class Account:
    def __init__(self, name):
        self.name = name
        self.balance = 0
        self.history = []

    def move(self, amount):
        if self.balance + amount < 0:
            raise ValueError(f"{self.name} lacks {-amount - self.balance}")
        self.balance += amount
        self.history.append(amount)


def numbers(seed, count):
    for _ in range(count):
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed


def round_of(accounts, seed):
    refused = {}
    for number in numbers(seed, 40):
        account = accounts[number % len(accounts)]
        try:
            account.move(number % 1000 - 480)
        except ValueError as error:
            refused[account.name] = str(error)
    return refused


def main(rounds):
    accounts = [Account(f"account {i}") for i in range(20)]
    text = ""
    for i in range(rounds):
        text = (text + ",".join(sorted(round_of(accounts, i))))[-200:]
        if i % 50 == 0:
            print(i, sum(account.balance for account in accounts), flush=True)
    print("end", text)


main(int(sys.argv[1]))
