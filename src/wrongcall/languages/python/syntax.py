"""The program's source as syntax trees: what stands at a site, and which names a function reads.

The text is that of the trace; nothing of the program is imported or run. Source that this Python cannot parse (it may
have been recorded by a newer one) has no nodes, and queries that need them return nothing rather than something wrong.

Vocabulary: a *span* is the position of a node: line, column, end line, end column. A *read* is a name that a function
takes from its module or from an enclosing function.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from wrongcall.languages.expressions import Node
from wrongcall.trace.format.program_tables import Site, Span, site_span
from wrongcall.trace.read.gc_pause import uncollected

SCOPED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_HEADER = (ast.stmt, ast.ExceptHandler, ast.match_case)
_WITHOUT_PARTS = frozenset({"ctx", "op", "ops", "id", "attr", "kind", "type_comment"})
"""Fields of nodes with names, contexts or operators."""
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The other fields of each kind of node."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Read(NamedTuple):
    """A name that a function reads and does not own."""

    name: str
    attr: str
    """``config.debug`` reads the attribute ``debug``, if ``config`` is a module; else empty."""
    line: int
    """The first line of the statement."""


class Source:
    """One file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[Span, list[ast.AST]] = {}

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends; lines are what Python takes for lines."""
        return ["", *self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]

    def line(self, number: int) -> str:
        """Return a line of the text, or an empty string if there is none."""
        return self.lines[number] if 0 < number < len(self.lines) else ""

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree, or None if the text cannot be parsed."""
        return self._parsed[0]

    @property
    def problem(self) -> str:
        """Why the text cannot be parsed; empty if it can."""
        return self._parsed[1]

    @cached_property
    def _parsed(self) -> tuple[ast.Module | None, str]:
        try:
            with warnings.catch_warnings(), uncollected():
                warnings.simplefilter("ignore")  # they are about the program, not about reading it
                return ast.parse(self.text), ""
        except SyntaxError as error:
            return None, f"line {error.lineno}: {error.msg}" if error.lineno else error.msg
        except (ValueError, RecursionError, MemoryError) as error:
            return None, str(error) or "nested too deep"

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node is part of."""
        if self.tree is None:
            return {}
        nodes = ast.walk(self.tree)
        return {child: node for node in nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def _by_span(self) -> dict[Span, list[ast.AST]]:
        found: dict[Span, list[ast.AST]] = {}
        for node in ast.walk(self.tree) if self.tree is not None else ():
            if hasattr(node, "lineno"):
                found.setdefault(span_of(node), []).append(node)
        return found

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names that ``import`` statements bind to modules."""
        nodes = ast.walk(self.tree) if self.tree is not None else ()
        imports = (alias for node in nodes if isinstance(node, ast.Import) for alias in node.names)
        return frozenset(alias.asname or alias.name.partition(".")[0] for alias in imports)

    @cached_property
    def imported(self) -> dict[str, str]:
        """The meanings of names bound by ``import`` statements: ``m.f`` for ``from m import f``."""
        found: dict[str, str] = {}
        for node in ast.walk(self.tree) if self.tree is not None else ():
            if isinstance(node, ast.Import):
                found |= {alias.asname: alias.name for alias in node.names if alias.asname}
                found |= {a.name: a.name for a in node.names if not a.asname and "." not in a.name}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        return found

    def at(self, site: Site) -> list[ast.AST]:
        """Return the nodes that have the span of a site, outer ones first."""
        span = site_span(site)
        if span not in self._found:
            around = _around(self.tree, site.line) if self.tree is not None else ()
            self._found[span] = [node for node in around if span_of(node) == span]
            if not self._found[span]:
                # Parts of f-strings do not always have a position.
                self._found[span] = self._by_span.get(span, [])
        return self._found[span]

    def statement(self, node: ast.AST) -> ast.AST | None:
        """Return the statement that contains a node."""
        found: ast.AST | None = node
        while found is not None and not isinstance(found, ast.stmt):
            found = self.parents.get(found)
        return found

    def text_of(self, node: Node) -> str:
        """Return the source of a node on one line; for a compound statement, only its header."""
        if not isinstance(node, ast.AST) or not hasattr(node, "lineno"):
            return ""
        if isinstance(node, ast.stmt) and getattr(node, "body", None):
            return self._header(node)
        return " ".join(self._segment(node).split())

    def _segment(self, node: ast.AST) -> str:
        """Return the source of a node: `ast.get_source_segment` would split the whole file again."""
        line, column, end_line, end_column = span_of(node)
        if not 0 < line <= end_line < len(self.lines):
            return ""
        lines = self.lines[line : end_line + 1]
        lines[-1] = lines[-1].encode()[:end_column].decode(errors="replace")
        lines[0] = lines[0].encode()[column:].decode(errors="replace")
        return "\n".join(lines)

    def _header(self, node: ast.stmt) -> str:
        body: list[ast.stmt] = node.body  # type: ignore[attr-defined]
        lines = self.lines[node.lineno : body[0].lineno + 1]
        lines[-1] = lines[-1].encode()[: body[0].col_offset].decode()
        lines[0] = lines[0].encode()[node.col_offset :].decode()
        return " ".join(" ".join(lines).split()).rstrip(": ")


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the parts of a node, like `ast.iter_child_nodes`, but for contexts and operators."""
    for name in _parts_of(node):
        part = getattr(node, name, None)
        if isinstance(part, list):
            for each in part:
                if isinstance(each, ast.AST):
                    yield each
        elif isinstance(part, ast.AST):
            yield part


def _parts_of(node: ast.AST) -> tuple[str, ...]:
    """Return the fields of a node that may hold nodes with parts or positions of their own."""
    kind = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(name for name in kind._fields if name not in _WITHOUT_PARTS)
    return _PARTS[kind]


def walk(node: ast.AST) -> list[ast.AST]:
    """Return a node and all that is in it in the order of `ast.walk`, but for contexts and operators."""
    found = [node]
    for each in found:
        found.extend(_children(each))
    return found


def _around(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    """Iterate over the nodes like `ast.walk`, skipping statements that do not contain the line."""
    queue: deque[ast.AST] = deque([tree])
    while queue:
        node = queue.popleft()
        if hasattr(node, "lineno"):
            yield node
        for name in _parts_of(node):
            part = getattr(node, name, None)
            if isinstance(part, list) and part and isinstance(part[0], ast.stmt):
                queue.extend(_containing(part, line))
            elif isinstance(part, list):
                queue.extend(each for each in part if isinstance(each, ast.AST))
            elif isinstance(part, ast.AST):
                queue.append(part)


def _containing(statements: list[ast.stmt], line: int) -> Iterator[ast.stmt]:
    """Iterate over the statements of a block that contain a line: one, or several on the same line."""
    for place in range(bisect_left(statements, line, key=_end_of), len(statements)):
        statement = statements[place]
        if statement.lineno > line and not _is_decorated(statement, line):
            return
        yield statement


def _end_of(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _is_decorated(node: ast.stmt, line: int) -> bool:
    """Return whether a statement has decorators on a line or before it."""
    return any(decorator.lineno <= line for decorator in getattr(node, "decorator_list", ()))


def span_of(node: ast.AST) -> Span:
    """Return the span of a node."""
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return (
        line,
        column,
        getattr(node, "end_lineno", line) or line,
        getattr(node, "end_col_offset", column) or column,
    )


def loads(definition: ast.AST) -> list[tuple[str, str, int]]:
    """Return the names that a function's own body loads, in order, with the line of the statement."""
    body = getattr(definition, "body", [])
    found: list[tuple[str, str, int]] = []
    for node in body if isinstance(body, list) else [body]:
        _note_loads(node, 0, frozenset(), "", found)
    return found


def _note_loads(
    node: ast.AST,
    line: int,
    hidden: frozenset[str],
    attr: str,
    found: list[tuple[str, str, int]],
) -> None:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in hidden:
            found.append((node.id, attr, line))
        return
    if isinstance(node, _HEADER):
        line = getattr(node, "lineno", line)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            found.append((node.target.id, "", line))
    elif isinstance(node, _COMPREHENSIONS):
        targets = (n for g in node.generators for n in ast.walk(g.target))
        hidden = hidden | {n.id for n in targets if isinstance(n, ast.Name)}
    is_loaded = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    attr = node.attr if is_loaded and isinstance(node, ast.Attribute) else ""
    for child in _evaluated(node):
        if child._fields:  # an operator has no parts
            _note_loads(child, line, hidden, attr, found)


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Return the parts of a node that run in place, without the bodies of inner functions."""
    if not isinstance(node, SCOPED):
        yield from _children(node)
        return
    yield from getattr(node, "decorator_list", [])
    if isinstance(node, ast.ClassDef):
        yield from (*node.bases, *(keyword.value for keyword in node.keywords))
        return
    yield from node.args.defaults
    yield from (default for default in node.args.kw_defaults if default is not None)
