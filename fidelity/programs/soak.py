"""Works on and on at a moderate pace; each second one line: seconds, kilobytes of memory."""

import sys
import time
from collections import deque


class Order:
    def __init__(self, number, lines):
        self.number = number
        self.lines = lines
        self.state = {"paid": False}


def orders(first, count):
    for number in range(first, first + count):
        yield Order(number, [(f"article {number % 97}", k) for k in range(number % 7)])


def process(order, recent):
    total = sum(amount for _, amount in order.lines)
    order.state["paid"] = total > 3
    recent.append(order)
    if not order.lines:
        raise ValueError(f"order {order.number} is empty")
    return total


def work(first, recent, text):
    for order in orders(first, 200):
        try:
            text = (text + str(process(order, recent)))[-100:]
        except ValueError as error:
            order.problem = error
    return text


def resident():
    """The process's own memory: what it shares with the drain is of a fixed size, used bit by bit."""
    with open("/proc/self/status") as file:
        (line,) = (line for line in file if line.startswith("RssAnon:"))
    return int(line.split()[1])


def main(seconds):
    began = time.monotonic()
    recent, text, first, told = deque(maxlen=500), "", 0, 0
    while (now := time.monotonic() - began) < seconds:
        text = work(first, recent, text)
        first += 200
        if now >= told:
            print(f"{now:.0f} {resident()}", flush=True)
            told += 1
        time.sleep(0.02)


main(float(sys.argv[1]))
