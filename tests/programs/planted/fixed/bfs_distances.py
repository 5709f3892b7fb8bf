"""Find how many edges away the nodes of a graph are."""

from collections import deque


def distances(graph, start):
    """Return the distance of every node that can be reached."""
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for neighbour in graph[node]:
            if neighbour not in found:
                found[neighbour] = found[node] + 1
                waiting.append(neighbour)
    return found


def main():
    graph = {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": ["e"], "e": []}
    for node, distance in distances(graph, "a").items():
        print(node, distance)


main()
