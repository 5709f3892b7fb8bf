"""Twelve threads that count words, sort numbers and share an account. Scale: rounds of each thread."""

import sys
import threading

THREADS = 12
LOCK = threading.Lock()
BEGIN = threading.Barrier(THREADS)


class Account:
    def __init__(self) -> None:
        self.balance = 0
        self.log: list[int] = []

    def deposit(self, amount: int) -> int:
        with LOCK:
            self.balance += amount
            if amount % 50 == 0:
                self.log.append(amount)
            return self.balance


def insert(ordered: list[int], number: int) -> None:
    place = 0
    while place < len(ordered) and ordered[place] < number:
        place += 1
    ordered.insert(place, number)


def sort(numbers: list[int]) -> list[int]:
    ordered: list[int] = []
    for number in numbers:
        insert(ordered, number)
    return ordered


def work(name: int, shared: Account, results: dict[int, int], rounds: int) -> None:
    own = Account()
    results[name] = total = name + 1
    BEGIN.wait()
    for number in range(rounds):
        total = (total * 31 + number) % 1_000_003
        ordered = sort([(total * step) % 97 for step in range(1, 9)])
        own.deposit(ordered[3])
        shared.deposit(number)
        results[name] = total


def main() -> None:
    rounds = int(sys.argv[1])
    shared, results = Account(), {}
    threads = [
        threading.Thread(target=work, args=(name, shared, results, rounds))
        for name in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(shared.balance, sum(results.values()))


main()
