"""Which modules are recorded: those of the project, not those it uses.

A module is recorded if its source is under the project's root and not in a library folder, or if it belongs to a
package named by ``--include``; ``--exclude`` patterns (of paths below the root, or of module names) win over both.
"""

from __future__ import annotations

import os

from wrongcall.recorder._native import realpath
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

LIBRARY_FOLDERS = frozenset({"site-packages", "dist-packages"})
SEPARATOR = os.sep
OWN_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Selection:
    """Decides for each module whether it is recorded."""

    def __init__(self, root: str, include: list[str], exclude: list[str]) -> None:
        self.root = os.path.realpath(root)
        self.include = include
        self.exclude = exclude
        self.standard = os.path.dirname(os.path.realpath(os.__file__))

    def __call__(self, module: str, path: str) -> bool:
        """Return whether this module, from this file, is recorded."""
        real = realpath(path)
        below = _below(real, self.root)
        if self.excludes(module, path):
            return False
        if any(module == name or module.startswith(name + ".") for name in self.include):
            return True
        if below is None or LIBRARY_FOLDERS.intersection(real.split(SEPARATOR)):
            return False
        return _below(real, self.standard) is None and _below(real, OWN_FOLDER) is None

    def excludes(self, module: str, path: str) -> bool:
        """Return whether a pattern leaves it out."""
        below = _below(realpath(path), self.root)
        for pattern in self.exclude:
            if matches(pattern, module) or (below is not None and matches(pattern, below)):
                return True
        return False


def _below(path: str, folder: str) -> str | None:
    """Return the path relative to a folder, if it is inside."""
    prefix = folder.rstrip(SEPARATOR) + SEPARATOR
    return path[len(prefix) :] if path.startswith(prefix) else None


def matches(pattern: str, text: str) -> bool:
    """Match a shell pattern with ``*`` (also across folders) and ``?``; a folder's name matches everything below it."""
    pattern = pattern.removesuffix(SEPARATOR)
    ends = [i for i, letter in enumerate(text) if letter == SEPARATOR]
    return any(_matches_all(pattern, text[:end]) for end in [len(text), *ends])


def _matches_all(pattern: str, text: str) -> bool:
    """Match greedily, backtracking to the last star only: linear in practice, never recursive."""
    p = t = 0
    star, mark = -1, 0
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star, mark = p, t
            p += 1
        elif p < len(pattern) and pattern[p] in ("?", text[t]):
            p += 1
            t += 1
        elif star >= 0:
            p, mark = star + 1, mark + 1
            t = mark
        else:
            return False
    return all(letter == "*" for letter in pattern[p:])
