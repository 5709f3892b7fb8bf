"""A search tree with operator methods, properties, class methods, and iteration."""

import functools


@functools.total_ordering
class Key:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    def __hash__(self):
        return hash(self.n)


class Node:
    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.left = self.right = None

    @property
    def height(self):
        return 1 + max(height_of(self.left), height_of(self.right))


def height_of(node):
    return node.height if node else 0


class Tree:
    def __init__(self):
        self.root = None
        self.size = 0

    @classmethod
    def of(cls, pairs):
        tree = cls()
        for key, value in pairs:
            tree[key] = value
        return tree

    @staticmethod
    def make_key(key):
        return key if isinstance(key, Key) else Key(key)

    def __setitem__(self, key, value):
        key = self.make_key(key)
        self.root = self._insert(self.root, key, value)

    def _insert(self, node, key, value):
        if node is None:
            self.size += 1
            return Node(key, value)
        if key == node.key:
            node.value = value
        elif key < node.key:
            node.left = self._insert(node.left, key, value)
        else:
            node.right = self._insert(node.right, key, value)
        return node

    def __getitem__(self, key):
        node, key = self.root, self.make_key(key)
        while node is not None:
            if key == node.key:
                return node.value
            node = node.left if key < node.key else node.right
        raise KeyError(key.n)

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __len__(self):
        return self.size

    def __iter__(self):
        yield from self._walk(self.root)

    def _walk(self, node):
        if node is not None:
            yield from self._walk(node.left)
            yield node.key.n
            yield from self._walk(node.right)


tree = Tree.of((n, n * n) for n in (5, 2, 8, 1, 9, 3))
tree[2] = "two"
print(len(tree), tree[2], 7 in tree, 9 in tree)
print([key for key in tree], tree.root.height)
print(Key(3) >= Key(2), len({Key(1), Key(1), Key(2)}))
