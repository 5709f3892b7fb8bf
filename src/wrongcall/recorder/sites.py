"""The tables that describe an instrumented file: its functions and the places that are recorded.

They are sent once, as JSON, when the file is instrumented (docs/reference/trace-format.md). Numbers are unique over the
whole run.
"""

from __future__ import annotations

import _ast as ast
from _json import encode_basestring_ascii as quoted

from wrongcall.recorder import _native
from wrongcall.recorder.blocks import NOWHERE, Blocks
from wrongcall.recorder.scopes import LOCAL
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

ENTRY, PARAM, RETURN, WRITE, DELETE, ATTR, ITEM, CALL, CAUGHT, BLOCK, YIELD, RESUME, TARGET = range(
    1, 14
)  # as in events.SiteKind

_next_file = 1
_next_function = 1
_next_site = 1

FROM = "from"  # the name of the YIELD site of a `yield from`, as in events.py


class FunctionInfo:
    """One function of the file."""

    def __init__(self, number: int, name: str, qualname: str, kind: str, outer: int) -> None:
        self.number = number
        self.name = name
        self.qualname = qualname
        self.kind = kind
        self.outer = outer
        self.line = self.end_line = 0
        self.entry = 0
        self.params: list[str] = []
        self.free: list[str] = []
        self.locals: list[str] = []
        self.blocks = Blocks()


class FileTable:
    """Functions and sites of one file, in the order of their numbers."""

    def __init__(self, path: str, module: str) -> None:
        self.path = path
        self.module = module
        self.first_function = _next_function
        self.first_site = _next_site
        self.functions: list[FunctionInfo] = []
        self.columns: dict[str, list[int]] = {
            key: []
            for key in ("kind", "function", "line", "col", "end_line", "end_col", "scope", "block")
        }
        self.names: list[str | None] = []

    def function(self, name: str, qualname: str, kind: str, outer: int) -> FunctionInfo:
        """Add a function."""
        number = self.first_function + len(self.functions)
        info = FunctionInfo(number, name, qualname, kind, outer)
        self.functions.append(info)
        return info

    def site(
        self, kind: int, node: ast.AST, function: int, block: int, name: str | None, scope: int = 0
    ) -> int:
        """Add a place; return its number."""
        row = {
            "kind": kind,
            "function": function,
            "line": getattr(node, "lineno", 0) or 0,
            "col": getattr(node, "col_offset", 0) or 0,
            "end_line": getattr(node, "end_lineno", 0) or 0,
            "end_col": getattr(node, "end_col_offset", 0) or 0,
            "scope": scope,
            "block": block,
        }
        for key, value in row.items():
            self.columns[key].append(value)
        self.names.append(name)
        return self.first_site + len(self.names) - 1

    def claim(self) -> int:
        """Reserve the numbers used so far for good; return the file's number."""
        global _next_file, _next_function, _next_site
        number = _next_file
        _next_file += 1
        _next_function = self.first_function + len(self.functions)
        _next_site = self.first_site + len(self.names)
        return number

    def lines(self) -> dict[object, dict[int, int]]:
        """Return, for each function, the lines it has sites on, each with one of them."""
        found: dict[object, dict[int, int]] = {f.number: {} for f in self.functions}
        columns = (self.columns[key] for key in ("kind", "function", "line"))
        for i, (kind, function, line) in enumerate(zip(*columns, strict=True)):
            if kind not in (ENTRY, PARAM):
                found[function].setdefault(line, self.first_site + i)
        return found

    def to_json(self, number: int, source: str) -> str:
        """Return the text of the META event."""
        head = {
            "file": str(number),
            "path": quoted(self.path),
            "module": quoted(self.module),
            "source": quoted(source),
            "first_function": str(self.first_function),
            "first_site": str(self.first_site),
            "functions": _array(_function_json(f) for f in self.functions),
            "sites": _object({**self._site_columns(), "name": _array(map(_text, self.names))}),
        }
        return _object(head)

    def _site_columns(self) -> dict[str, str]:
        return {key: _array(map(str, column)) for key, column in self.columns.items()}


def late_site(key: tuple[int, str, int]) -> int:
    """Make a site while the program runs, for a write to a variable from outside its function."""
    global _next_site
    function, name, line = key
    number = _next_site
    _next_site += 1
    row = {"kind": WRITE, "function": function, "line": line, "col": 0, "end_line": line}
    row |= {"end_col": 0, "scope": LOCAL, "block": NOWHERE}
    columns = {column: _array([str(value)]) for column, value in row.items()}
    sites = _object({**columns, "name": _array([quoted(name)])})
    _native.meta(_object({"first_site": str(number), "sites": sites}))
    return number


def unrecorded_json(path: str, module: str, reason: str) -> str:
    """Return the text of the META event for a module that runs unrecorded."""
    facts = {"path": quoted(path), "module": quoted(module), "reason": quoted(reason)}
    return _object({"unrecorded": _object(facts)})


def _function_json(f: FunctionInfo) -> str:
    return _object(
        {
            "name": quoted(f.name),
            "qualname": quoted(f.qualname),
            "kind": quoted(f.kind),
            "line": str(f.line),
            "end_line": str(f.end_line),
            "outer": str(f.outer),
            "params": _array(map(quoted, f.params)),
            "free": _array(map(quoted, f.free)),
            "locals": _array(map(quoted, f.locals)),
            "entry": str(f.entry),
            "blocks": _numbers(f.blocks.lines),
            "flow": _flow_json(f.blocks),
        }
    )


def _flow_json(blocks: Blocks) -> str:
    return _object(
        {
            "silent": _array(str(int(silent)) for silent in blocks.silent),
            "begin": _array(map(str, blocks.begin)),
            "next": _numbers(blocks.next),
            "resume": _numbers(blocks.resume),
        }
    )


def _numbers(lists: list[list[int]]) -> str:
    return _array(_array(map(str, numbers)) for numbers in lists)


def _text(value: str | None) -> str:
    return "null" if value is None else quoted(value)


def _array(items) -> str:  # type: ignore[no-untyped-def]
    return "[" + ",".join(items) + "]"


def _object(fields: dict[str, str]) -> str:
    return "{" + ",".join(f'"{key}":{value}' for key, value in fields.items()) + "}"
