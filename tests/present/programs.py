"""Programs that several tests record."""

from __future__ import annotations

EQUAL = """
def twice(x):
    return 2 * x

def grown(xs):
    xs.append(len(xs))
    return xs

for x in (1, 2, 1, 1, 3, 2):
    twice(x)
for _ in range(12):
    grown([1, 2])
"""
"""Calls that are equal, and calls that are not."""

TRAIL = """
def make(n):
    return n + 1

def keep(box):
    box["x"] = make(4)
    box["y"] = box["x"]
    del box["x"]
    if box["y"] > 3:
        box["z"] = "\\x1b[2J"
    box["x"] = 0
    return box

keep({"x": 1})
"""
"""A value that is made by one call and moved by another; a place that is removed and comes back."""
