"""A run for lookups: a search tree, sorting, an index that everything uses, and a value
that is passed on from round to round. Scale: the number of rounds."""

from __future__ import annotations

import random
import sys


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self.count = 1
        self.left: Node | None = None
        self.right: Node | None = None


class Tree:
    def __init__(self) -> None:
        self.root: Node | None = None
        self.size = 0
        self.steps = 0

    def add(self, key: int) -> None:
        self.root = self._insert(self.root, key)

    def _insert(self, node: Node | None, key: int) -> Node:
        self.steps += 1
        if node is None:
            self.size += 1
            return Node(key)
        if key < node.key:
            node.left = self._insert(node.left, key)
        elif key > node.key:
            node.right = self._insert(node.right, key)
        else:
            node.count += 1
        return node


def merge(left: list[int], right: list[int]) -> list[int]:
    merged: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def sort(numbers: list[int]) -> list[int]:
    if len(numbers) < 2:
        return numbers
    middle = len(numbers) // 2
    return merge(sort(numbers[:middle]), sort(numbers[middle:]))


class Index:
    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.total = 0

    def note(self, word: str) -> int:
        self.words[word] = self.words.get(word, 0) + 1
        self.total += 1
        return self.words[word]


def hand_on(relay: list[int | None], place: int) -> int | None:
    held = relay[place]
    relay[place + 1] = held
    return held


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 4_200
    source = random.Random(3)
    tree, index = Tree(), Index()
    relay: list[int | None] = [None] * 12
    relay[0] = rounds * 1000 + 7
    checksum = 0
    for number in range(rounds):
        ordered = sort([source.randrange(1000) for _ in range(64)])
        checksum = (checksum * 31 + ordered[5]) % 1_000_003
        for _ in range(12):
            tree.add(source.randrange(100_000))
            index.note(f"word {source.randrange(500)}")
        if number * 10 % rounds < 10:
            hand_on(relay, number * 10 // rounds)
    print(f"reading {rounds} {tree.size} {index.total} {relay[10]} {checksum}")


if __name__ == "__main__":
    main()
