"""Keep the last values of a series."""


class Ring:
    """A buffer of fixed size that overwrites its oldest value."""

    def __init__(self, size):
        self.slots = [None] * size
        self.start = 0
        self.count = 0

    def push(self, value):
        """Add a value."""
        at = (self.start + self.count) % len(self.slots)
        self.slots[at] = value
        if self.count < len(self.slots):
            self.count += 1
        else:
            self.start = (self.start + 1) % len(self.slots)

    def values(self):
        """Return the values, the oldest first."""
        size = len(self.slots)
        return [self.slots[(self.start + i) % size] for i in range(self.count)]


def last_values(series, size):
    """Return the last values of a series."""
    ring = Ring(size)
    for value in series:
        ring.push(value)
    return ring.values()


def main():
    print(last_values([4, 8, 15, 16, 23], 3))


main()
