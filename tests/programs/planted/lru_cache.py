"""Keep the values used last."""


class Cache:
    """At most so many values; the one that was not used for the longest time goes."""

    def __init__(self, size):
        self.size = size
        self.held = {}

    def get(self, key):
        """Return the value of a key, or None."""
        if key in self.held:
            value = self.held[key]
            return value
        return None

    def put(self, key, value):
        """Keep a value."""
        self.held.pop(key, None)
        if len(self.held) >= self.size:
            del self.held[next(iter(self.held))]
        self.held[key] = value


def replay(commands, size):
    """Return what the reading commands find."""
    cache, found = Cache(size), []
    for key, value in commands:
        if value is None:
            found.append(cache.get(key))
        else:
            cache.put(key, value)
    return found


def main():
    write = [("a", 1), ("b", 2)]
    print(replay([*write, ("a", None), ("c", 3), ("b", None), ("c", None), ("a", None)], 2))


main()
