"""Changes that libraries make to containers of different sizes: nanoseconds per change, printed as `WHAT SIZE NS`.

    foreign_size.py [FACTOR]

Each change is made by code that is not recorded, and takes the same time for a container of any size in a plain run.
FACTOR scales the number of changes.
"""

import operator
import queue
import sys
import time
import weakref
from collections import Counter, UserDict

SIZES = (100, 1_000, 10_000, 100_000)
CHANGES = 400


class Key:
    """Something that can be referred to weakly."""


def queue_change(size):
    """Return a function that puts an item into a queue and takes another one out."""
    items = queue.Queue()
    for number in range(size):
        items.put_nowait(number)

    def change(number):
        items.put_nowait(number)
        items.get_nowait()

    return items, change


def weak_keys_change(size):
    """Return a function that replaces a value of a WeakKeyDictionary."""
    keys = [Key() for _ in range(size)]
    table = weakref.WeakKeyDictionary()
    table.update(dict.fromkeys(keys, 0))

    def change(number):
        table[keys[number * 7919 % size]] = number

    return (keys, table), change


def weak_values_change(size):
    """Return a function that removes an entry of a WeakValueDictionary and adds it again."""
    values = [Key() for _ in range(size)]
    table = weakref.WeakValueDictionary()
    table.update(enumerate(values))

    def change(number):
        at = number * 7919 % size
        table.pop(at)
        table[at] = values[at]

    return (values, table), change


def weak_set_change(size):
    """Return a function that removes a member of a WeakSet and adds it again."""
    members = [Key() for _ in range(size)]
    table = weakref.WeakSet()
    table.update(members)

    def change(number):
        member = members[number * 7919 % size]
        table.discard(member)
        table.add(member)

    return (members, table), change


def user_dict_change(size):
    """Return a function that replaces a value of a UserDict."""
    table = UserDict()
    table.update(dict.fromkeys(range(size), 0))

    def change(number):
        table[number * 7919 % size] = number

    return table, change


def counter_change(size):
    """Return a function that counts two keys."""
    counts = Counter(range(size))

    def change(number):
        counts.update((number * 7919 % size, number * 31 % size))

    return counts, change


def list_change(size):
    """Return a function that lets C code replace an item of a list."""
    items = list(range(size))

    def change(number):
        operator.setitem(items, number * 7919 % size, number)

    return items, change


KINDS = {
    "queue": queue_change,
    "weak-keys": weak_keys_change,
    "weak-values": weak_values_change,
    "weak-set": weak_set_change,
    "user-dict": user_dict_change,
    "counter": counter_change,
    "list": list_change,
}


def main():
    """Print a line for each kind and size."""
    changes = max(20, int(CHANGES * float(sys.argv[1]))) if len(sys.argv) > 1 else CHANGES
    for name, make in KINDS.items():
        for size in SIZES:
            kept, change = make(size)
            for number in range(changes // 4):
                change(number)
            began = time.process_time()
            for number in range(changes):
                change(number)
            print(name, size, (time.process_time() - began) / changes * 1e9)
            del kept


main()
