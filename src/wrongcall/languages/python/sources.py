"""The source files of a program, and what its functions read and use according to their source."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Iterator

from wrongcall.languages.python.python_file import PythonFile
from wrongcall.languages.python.syntax import SCOPED, Read, loads, walk
from wrongcall.trace.format.program_tables import Function, Program, Site

MAX_KEPT_TEXT = 1 << 21
"""Characters of source whose syntax trees are kept; a tree takes up to a hundred times as many bytes."""
MIN_KEPT_FILES = 32
"""Files whose trees are kept however long they are: one query looks at several at a time."""


class Sources:
    """The files of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._files: OrderedDict[int, PythonFile] = OrderedDict()
        self._reads: dict[int, tuple[Read, ...]] = {}
        self._uses: dict[int, dict[int, frozenset[str]]] = {}
        self._attributes: dict[int, tuple[str, ...]] = {}
        self._used_attributes: dict[int, frozenset[str]] = {}

    def of_file(self, number: int) -> PythonFile:
        """Return the source of a file."""
        if number not in self._files:
            self._files[number] = PythonFile(self._program.files[number].source)
            self._make_room()
        self._files.move_to_end(number)
        return self._files[number]

    def _make_room(self) -> None:
        """Drop the syntax trees that were not used for longest; what was found in them stays."""
        size = sum(len(file.text) for file in self._files.values())
        while len(self._files) > MIN_KEPT_FILES and size > MAX_KEPT_TEXT:
            size -= len(self._files.popitem(last=False)[1].text)

    def of_function(self, function: Function) -> PythonFile:
        """Return the source of the file that a function is in."""
        return self.of_file(function.file)

    def of_site(self, site: Site) -> PythonFile:
        """Return the source of the file that a site is in."""
        return self.of_function(self._program.functions[site.function])

    def definition(self, function: Function) -> ast.AST | None:
        """Return the node that defines a function."""
        source = self.of_function(function)
        if function.kind == "module":
            return source.tree
        entry = self._program.sites.get(function.entry)
        nodes = source.at(entry) if entry is not None else []
        return next((node for node in nodes if isinstance(node, SCOPED)), None)

    def docstring(self, function: Function) -> str:
        """Return the dedented docstring of a function, class or module; empty if it has none."""
        node = self.definition(function)
        documented = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
        return (ast.get_docstring(node) or "") if isinstance(node, documented) else ""

    def reads(self, function: Function) -> tuple[Read, ...]:
        """Return the names that a function reads from its module and from enclosing functions, in order."""
        if function.id not in self._reads:
            self._reads[function.id] = tuple(self._find_reads(function))
        return self._reads[function.id]

    def uses(self, function: Function) -> dict[int, frozenset[str]]:
        """Return the names that the statements of a function load, by first line."""
        if function.id not in self._uses:
            node = self.definition(function)
            found: dict[int, set[str]] = {}
            for name, _, line in loads(node) if node is not None else ():
                found.setdefault(line or function.line, set()).add(name)
            self._uses[function.id] = {line: frozenset(names) for line, names in found.items()}
        return self._uses[function.id]

    def attributes(self, function: Function) -> tuple[str, ...]:
        """Return the names of all attributes that a function loads, in order."""
        if function.id not in self._attributes:
            self._note_attributes(function)
        return self._attributes[function.id]

    def used_attributes(self, function: Function) -> frozenset[str]:
        """Return the names of all attributes that a function loads, also those that it only adds to (``+=``)."""
        if function.id not in self._used_attributes:
            self._note_attributes(function)
        return self._used_attributes[function.id]

    def _note_attributes(self, function: Function) -> None:
        node = self.definition(function) if function.kind != "module" else None
        loaded, added = [], set()
        for found in walk(node) if node is not None else ():
            if isinstance(found, ast.Attribute):
                if isinstance(found.ctx, ast.Load):
                    loaded.append(found)
            elif isinstance(found, ast.AugAssign) and isinstance(found.target, ast.Attribute):
                added.add(found.target.attr)
        loaded.sort(key=lambda found: (found.end_lineno or 0, found.end_col_offset or 0))
        names = self._attributes[function.id] = tuple(dict.fromkeys(each.attr for each in loaded))
        self._used_attributes[function.id] = frozenset(added.union(names))

    def _find_reads(self, function: Function) -> Iterator[Read]:
        node = self.definition(function) if function.kind != "module" else None
        if node is None:
            return
        own = set(function.locals) | set(function.params)
        seen = set()
        for name, attr, line in loads(node):
            read = Read(name, attr, line or function.line)
            if name not in own and read not in seen:
                seen.add(read)
                yield read
