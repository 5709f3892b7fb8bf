"""Events of a program that was really recorded."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from wrongcall.cli.main import main
from wrongcall.trace.format.checksums import unseal
from wrongcall.trace.format.event_records import Events, join_events
from wrongcall.trace.format.segment import unpack

PROGRAM = """
class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right = key, left, right
        self.seen = []

def insert(node, key):
    if node is None:
        return Node(key)
    node.seen.append(key)
    if key < node.key:
        node.left = insert(node.left, key)
    else:
        node.right = insert(node.right, key)
    return node

def walk(node):
    if node is not None:
        yield from walk(node.left)
        yield node.key
        yield from walk(node.right)

words, root = {}, None
for i in range(300):
    root = insert(root, i * 7919 % 101)
    word = f"word {i % 13}"
    words[word] = words.get(word, 0) + 1
assert list(walk(root)) == sorted(walk(root))
"""


def recorded_events(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Events:
    """Record the program in a folder and return all its events."""
    monkeypatch.chdir(folder)
    Path("prog.py").write_text(PROGRAM)
    assert main(["record", "--quiet", "-o", "t.wrongcall", "prog.py"]) == 0
    with closing(sqlite3.connect("t.wrongcall")) as db:
        rows = db.execute("SELECT id, packed FROM segments ORDER BY id").fetchall()
    parts = [unpack(unseal(packed, "segments", "packed", number)) for number, packed in rows]
    return np.ascontiguousarray(join_events(parts))
