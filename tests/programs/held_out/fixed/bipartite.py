"""Divide people into two groups so that no two in a group know each other."""

from collections import deque


def colours(graph):
    """Return a colour, 0 or 1, for each node."""
    found = {}
    for first in graph:
        if first in found:
            continue
        found[first] = 0
        queue = deque([first])
        while queue:
            node = queue.popleft()
            for neighbour in graph[node]:
                if neighbour not in found:
                    found[neighbour] = 1 - found[node]
                    queue.append(neighbour)
    return found


def two_groups(graph):
    """Return the names in both groups."""
    groups = [[], []]
    for node, colour in colours(graph).items():
        groups[colour].append(node)
    return groups


def main():
    print(
        two_groups({"ann": ["bob", "dan"], "bob": ["ann", "eve"], "dan": ["ann"], "eve": ["bob"]})
    )


main()
