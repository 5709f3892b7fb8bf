"""One long call that ends: it fills a table, counts words, and writes to everything it was given.

Scale: the number of rounds; some 8 events each.
"""

import sys


class Stats:
    def __init__(self) -> None:
        self.total = 0
        self.largest = 0


def fill(table: list[int], counts: dict[str, int], stats: Stats, rounds: int) -> int:
    words = [f"word {number}" for number in range(100)]
    value = 1
    for number in range(rounds):
        value = (value * 1103515245 + 12345) % 2147483648
        place = value % 1000
        if value % 3:
            table[place] = value
        else:
            table[place] += 1
        counts[words[number % 100]] = value
        stats.total += 1
        if value > stats.largest:
            stats.largest = value
    return stats.total


def main() -> None:
    table, counts, stats = [0] * 1000, {}, Stats()
    print(fill(table, counts, stats, int(sys.argv[1])))


main()
