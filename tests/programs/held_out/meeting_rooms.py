"""Assign meetings to as few rooms as possible."""

import heapq


def by_start(meetings):
    """Return the meetings by their start."""
    return sorted(meetings, key=lambda meeting: meeting[1])


def assign(meetings):
    """Return the number of the room for each meeting."""
    rooms = {}
    busy = []
    free = []
    count = 0
    for name, start, end in by_start(meetings):
        while busy and busy[0][0] <= start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            room = heapq.heappop(free)
        else:
            count += 1
            room = count
        rooms[name] = room
        heapq.heappush(busy, (start, room))
    return rooms


def main():
    meetings = [("stand-up", 9, 10), ("planning", 9, 12), ("lunch", 12, 13), ("review", 11, 14)]
    print(assign(meetings))


main()
