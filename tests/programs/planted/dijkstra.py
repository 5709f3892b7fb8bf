"""Find the lengths of the shortest ways from a town to all others."""

import heapq


def shortest(roads, start):
    """Return the length of the shortest way to each town."""
    best = {start: 0}
    waiting = [(0, start)]
    while waiting:
        length, town = heapq.heappop(waiting)
        if length > best[town]:
            continue
        for other, more in roads[town]:
            total = length + more
            if other not in best:
                best[other] = total
                heapq.heappush(waiting, (total, other))
    return best


def main():
    roads = {
        "a": [("b", 7), ("c", 3)],
        "b": [("d", 2)],
        "c": [("b", 1), ("d", 8)],
        "d": [],
    }
    print(shortest(roads, "a"))


main()
