"""Find shortest ways in a graph that may have negative edges."""


def nodes_of(edges):
    """Return the names of all nodes, in alphabetical order."""
    found = set()
    for start, end, _ in edges:
        found.add(start)
        found.add(end)
    return sorted(found)


def distances(edges, source):
    """Return the length of the shortest way to each node."""
    nodes = nodes_of(edges)
    best = {node: None for node in nodes}
    best[source] = 0
    for _ in range(len(nodes) - 2):
        for start, end, length in edges:
            if best[start] is None:
                continue
            if best[end] is None or best[start] + length < best[end]:
                best[end] = best[start] + length
    return best


def main():
    edges = [("c", "d", 2), ("b", "c", -3), ("a", "b", 4), ("a", "c", 5)]
    print(distances(edges, "a"))


main()
