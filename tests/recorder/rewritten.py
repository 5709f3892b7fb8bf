"""Sources rewritten with hooks, without running them: their tables and the hooks they ask for."""

from __future__ import annotations

import ast
import warnings
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any

from wrongcall.events import SiteKind
from wrongcall.recorder.scopes import analyse
from wrongcall.recorder.sites import FileTable, FunctionInfo
from wrongcall.recorder.statements import Statements

MODULES = ("contextlib", "functools", "textwrap", "heapq", "string", "csv")
"""Modules of the standard library, as examples of programs."""


class Rewritten:
    """One file."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self.table = FileTable()
        self.statements = Statements(self.table, analyse(self.tree), set())
        self.statements.module(self.tree)

    @classmethod
    def of_module(cls, name: str) -> Rewritten:
        """Rewrite a module of the standard library."""
        found = find_spec(name)  # some are packages on some versions
        assert found is not None
        assert found.origin is not None
        return cls(Path(found.origin).read_text())

    def code(self) -> CodeType:
        """Compile it, with strings in the places of hooks."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the strings are called
            made: CodeType = compile(self.tree, "prog.py", "exec")
        return made

    @property
    def hooks(self) -> list[str]:
        """The kinds of hooks, in the order in which they were asked for."""
        return [str(hook[1]) for hook in self.statements.hooks if hook[0] in ("hook", "tell")]

    def sites(self, *kinds: SiteKind) -> list[tuple[int, str | None]]:
        """Lines and names of sites."""
        rows = zip(self.table.rows, self.table.names, strict=True)
        return [(line, name) for (kind, _, line, *_), name in rows if kind in kinds]

    def spans(self, kind: SiteKind) -> set[tuple[int, ...]]:
        """The places of sites."""
        return {tuple(place[:4]) for found, _, *place in self.table.rows if found == kind}

    def function(self, qualname: str) -> FunctionInfo:
        """A function by its name."""
        (found,) = (f for f in self.table.functions if f.qualname == qualname)
        return found


def span(node: Any) -> tuple[int, int, int, int]:
    """The place of a node."""
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def functions_in(code: CodeType) -> list[CodeType]:
    """The code objects inside of one, at any depth."""
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return inner + [deeper for c in inner for deeper in functions_in(c)]
