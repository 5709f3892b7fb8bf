"""One call that fills a list, a dict and a queue with millions of elements. Scale: the number of rounds."""

import sys
from collections import deque


def build(found: list[int], seen: dict[int, str], waiting: deque[int], rounds: int) -> list[int]:
    taken = []
    for number in range(rounds):
        found.append(number * 7919 % 100_003)
        waiting.append(number)
        if number % 3 == 0:
            waiting.popleft()
        if number % 10 == 0:
            seen[number] = "even" if number % 20 == 0 else "odd"
            taken.append(number)
        elif number % 50 == 7:
            taken.pop()
    return taken


def main() -> None:
    found, seen, waiting = [], {}, deque()
    print(len(build(found, seen, waiting, int(sys.argv[1]))))


main()
