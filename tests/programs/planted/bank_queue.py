"""Simulate a queue in front of counters."""


def serve(customers, counters):
    """Return how long each customer (arrival, duration) waits."""
    free_at = [0] * counters
    waits = []
    for arrival, duration in customers:
        counter = free_at.index(max(free_at))
        begin = max(arrival, free_at[counter])
        waits.append(begin - arrival)
        free_at[counter] = begin + duration
    return waits


def main():
    print(serve([(0, 5), (1, 3), (2, 4), (3, 1)], 2))


main()
