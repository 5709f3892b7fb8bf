"""One endless call: a loop that adds up numbers until it is killed after some rounds."""

import os
import signal
import sys


def add(numbers: list[int], rounds: int) -> int:
    i = total = 0
    while True:
        i = (i + 1) % 1000
        total += numbers[i]
        rounds -= 1
        if not rounds:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    print(add(list(range(1000)), int(sys.argv[1])))


main()
