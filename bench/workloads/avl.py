"""Insertions into an AVL tree of node objects. Scale: the number of keys."""

from __future__ import annotations

import sys


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self.height = 1
        self.left: Node | None = None
        self.right: Node | None = None

    def balance(self) -> int:
        return height(self.left) - height(self.right)

    def update(self) -> None:
        self.height = 1 + max(height(self.left), height(self.right))

    def rotate_left(self) -> Node:
        pivot = self.right
        assert pivot is not None
        self.right = pivot.left
        pivot.left = self
        self.update()
        pivot.update()
        return pivot

    def rotate_right(self) -> Node:
        pivot = self.left
        assert pivot is not None
        self.left = pivot.right
        pivot.right = self
        self.update()
        pivot.update()
        return pivot


def height(node: Node | None) -> int:
    return node.height if node is not None else 0


class Tree:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0
        self.rotations = 0

    def add(self, key: int) -> None:
        self.root = self._insert(self.root, key)

    def _insert(self, node: Node | None, key: int) -> Node:
        if node is None:
            self.size += 1
            return Node(key)
        if key < node.key:
            node.left = self._insert(node.left, key)
        elif key > node.key:
            node.right = self._insert(node.right, key)
        else:
            return node
        node.update()
        return self._rebalance(node)

    def _rebalance(self, node: Node) -> Node:
        balance = node.balance()
        if balance > 1:
            assert node.left is not None
            if node.left.balance() < 0:
                node.left = node.left.rotate_left()
                self.rotations += 1
            self.rotations += 1
            return node.rotate_right()
        if balance < -1:
            assert node.right is not None
            if node.right.balance() > 0:
                node.right = node.right.rotate_right()
                self.rotations += 1
            self.rotations += 1
            return node.rotate_left()
        return node


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    tree = Tree()
    state = 7
    for _ in range(count):
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        tree.add(state >> 8)
    print(f"avl {tree.size} {height(tree.root)} {tree.rotations}")


if __name__ == "__main__":
    main()
