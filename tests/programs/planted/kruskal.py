"""Find the cheapest edges that connect all nodes."""


class Components:
    """Which nodes are connected already."""

    def __init__(self, nodes):
        self.parent = {node: node for node in nodes}

    def root(self, node):
        """Return the node that stands for a component."""
        while self.parent[node] != node:
            node = self.parent[node]
        return node

    def join(self, one, other):
        """Connect two components; return whether they were apart."""
        first, second = self.root(one), self.root(other)
        if first == second:
            return False
        self.parent[one] = second
        return True


def spanning_tree(edges):
    """Return the edges that are kept, and what they cost."""
    components = Components({node for _, one, other in edges for node in (one, other)})
    kept = [edge for edge in sorted(edges) if components.join(edge[1], edge[2])]
    return kept, sum(cost for cost, _, _ in kept)


def main():
    edges = [(4, "a", "b"), (1, "b", "c"), (3, "a", "c"), (2, "b", "d"), (5, "c", "d")]
    print(spanning_tree(edges))


main()
