"""A million objects are made and dropped, one in a hundred with a finalizer."""

import weakref


class Plain:
    def __init__(self, number):
        self.number = number


class Loud(Plain):
    ended = []

    def __del__(self):
        self.ended.append(self.number)


def churn(count):
    kept = []
    for i in range(count):
        thing = Loud(i) if i % 100 == 0 else Plain([i])
        if i % 1000 == 0:
            kept.append(thing)
    return kept


alive = weakref.WeakSet()
kept = churn(1_000_000)
alive.update(kept)
print(len(kept), len(alive), len(Loud.ended), Loud.ended[:3], Loud.ended[-3:])
kept.reverse()
del kept[:500]
print(len(alive), Loud.ended[-3:])
kept.clear()
print(len(alive), len(Loud.ended), Loud.ended == sorted(Loud.ended), Loud.ended[-1])
