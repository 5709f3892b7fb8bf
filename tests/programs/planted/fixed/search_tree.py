"""Keep keys in a binary search tree."""


class Node:
    """A key, and the smaller and larger ones below it."""

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def insert(self, key):
        """Put a key in its place."""
        if key < self.key:
            if self.left is None:
                self.left = Node(key)
            else:
                self.left.insert(key)
        elif self.right is None:
            self.right = Node(key)
        else:
            self.right.insert(key)


def in_order(node):
    """Return the keys below a node in ascending order."""
    if node is None:
        return []
    return in_order(node.left) + [node.key] + in_order(node.right)


def main():
    root = Node(5)
    for key in (3, 8, 9, 1):
        root.insert(key)
    print(in_order(root))


main()
