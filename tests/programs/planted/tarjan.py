"""Find the strongly connected components of a graph."""


class Search:
    """A search through a graph, and the components found."""

    def __init__(self, graph):
        self.graph = graph
        self.index = {}
        self.low = {}
        self.stack = []
        self.found = []

    def visit(self, node):
        """Go through everything that can be reached from a node."""
        self.index[node] = self.low[node] = len(self.index)
        self.stack.append(node)
        for other in self.graph[node]:
            if other not in self.index:
                self.visit(other)
                self.low[node] = min(self.low[node], self.index[other])
            elif other in self.stack:
                self.low[node] = min(self.low[node], self.index[other])
        if self.low[node] == self.index[node]:
            at = self.stack.index(node)
            self.found.append(sorted(self.stack[at:]))
            del self.stack[at:]

    def run(self):
        """Return the components."""
        for node in self.graph:
            if node not in self.index:
                self.visit(node)
        return self.found


def main():
    graph = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["e"], "e": ["d"]}
    print(Search(graph).run())


main()
