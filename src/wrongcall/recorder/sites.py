"""The tables that describe an instrumented file: its functions and the places that are recorded.

They are sent once, as JSON, when the file is loaded (docs/reference/trace-format.md). In the tables, functions and
sites are numbered from 1 in each file, so that they can be kept for the next run; in the run, a file gets a range of
numbers (`Numbers`).
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

COLUMNS = ("kind", "function", "line", "col", "end_line", "end_col", "scope", "block")

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


class Numbers:
    """The numbers of a file, of its first function and of its first site in this run."""

    def __init__(self, functions: int, sites: int) -> None:
        """Claim numbers for a file with so many functions and sites."""
        global _next_file, _next_function, _next_site
        self.file, self.function, self.site = _next_file, _next_function, _next_site
        _next_file += 1
        _next_function += functions
        _next_site += sites

    def of_site(self, number: int) -> int:
        """Return the number in this run of a site of the file; 0 stays 0."""
        return number and self.site + number - 1

    def of_function(self, number: int) -> int:
        """Return the number in this run of a function of the file."""
        return self.function + number - 1


class FileTable:
    """Functions and sites of one file, in the order of their numbers."""

    def __init__(self) -> None:
        self.functions: list[FunctionInfo] = []
        self.rows: list[tuple[int, ...]] = []  # see COLUMNS
        self.names: list[str | None] = []

    def function(self, name: str, qualname: str, kind: str, outer: int) -> FunctionInfo:
        """Add a function."""
        info = FunctionInfo(len(self.functions) + 1, name, qualname, kind, outer)
        self.functions.append(info)
        return info

    def site(
        self, kind: int, node: ast.AST, function: int, block: int, name: str | None, scope: int = 0
    ) -> int:
        """Add a place; return its number."""
        values = node.__dict__
        line, column = values.get("lineno") or 0, values.get("col_offset") or 0
        end = values.get("end_lineno") or 0, values.get("end_col_offset") or 0
        self.rows.append((kind, function, line, column, *end, scope, block))
        self.names.append(name)
        return len(self.names)

    def lines(self) -> dict[int, dict[int, int]]:
        """Return, for each function, the lines it has sites on, each with one of them."""
        found: dict[int, dict[int, int]] = {f.number: {} for f in self.functions}
        for i, (kind, function, line, *_) in enumerate(self.rows, 1):
            if kind not in (ENTRY, PARAM):
                found[function].setdefault(line, i)
        return found

    def to_json(self) -> str:
        """Return the tables, as the last fields of the text of a META event."""
        tables = {
            "functions": _array(_function_json(f) for f in self.functions),
            "sites": as_object({**self._site_columns(), "name": _array(map(_text, self.names))}),
        }
        return _fields(tables)

    def _site_columns(self) -> dict[str, str]:
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(COLUMNS)
        return {key: _array(map(str, c)) for key, c in zip(COLUMNS, columns, strict=True)}


def file_json(path: str, module: str, source: str, numbers: Numbers, tables: str) -> str:
    """Return the text of the META event for a file with these tables."""
    head = {
        "file": str(numbers.file),
        "path": quoted(path),
        "module": quoted(module),
        "source": quoted(source),
        "first_function": str(numbers.function),
        "first_site": str(numbers.site),
    }
    return "{" + _fields(head) + "," + tables + "}"


def late_site(key: tuple[int, str, int]) -> int:
    """Make a site while the program runs, for a write to a variable from outside its function."""
    global _next_site
    function, name, line = key
    number = _next_site
    _next_site += 1
    row = {"kind": WRITE, "function": function, "line": line, "col": 0, "end_line": line}
    row |= {"end_col": 0, "scope": LOCAL, "block": NOWHERE}
    columns = {column: _array([str(value)]) for column, value in row.items()}
    sites = as_object({**columns, "name": _array([quoted(name)])})
    _native.meta(as_object({"first_site": str(number), "sites": sites}))
    return number


def unrecorded_json(path: str, module: str, reason: str) -> str:
    """Return the text of the META event for a module that runs unrecorded."""
    facts = {"path": quoted(path), "module": quoted(module), "reason": quoted(reason)}
    return as_object({"unrecorded": as_object(facts)})


def _function_json(f: FunctionInfo) -> str:
    return as_object(
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
    return as_object(
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


def as_object(fields: dict[str, str]) -> str:
    """Return JSON: an object whose values are JSON already."""
    return "{" + _fields(fields) + "}"


def _fields(fields: dict[str, str]) -> str:
    return ",".join(f'"{key}":{value}' for key, value in fields.items())
