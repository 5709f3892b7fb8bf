"""Mutations: changes of one place in the body of a function, as edits of the text that keep all line numbers.

An edit replaces one range of the source. Operators are replaced by a related one, constants by a neighbour, conditions
by their opposite; an argument is dropped or swapped with the next one, and a simple statement is deleted. Docstrings,
annotations, decorators and default values are left alone: the last two run when the function is defined, so they are
no part of its body.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
_DELETED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Break, ast.Continue, ast.Delete)


@dataclass(frozen=True)
class Mutation:
    """One edit."""

    kind: str
    """operator, constant, condition, argument or statement."""
    function: str
    """The qualified name of the innermost function it is in."""
    function_line: int
    """The line of its ``def`` or ``lambda``."""
    line: int
    start: int
    """The first byte of the file that is replaced, and the first that is not."""
    end: int
    new: str

    def apply(self, text: bytes) -> bytes:
        """Return the mutated text of the file."""
        old = text[self.start : self.end]
        lost = old.count(b"\n") - self.new.encode().count(b"\n")
        return text[: self.start] + self.new.encode() + b"\n" * lost + text[self.end :]

    def describe(self, text: bytes) -> str:
        """Return what is replaced by what, on one line."""
        old = " ".join(text[self.start : self.end].decode().split())
        return f"{old or '(nothing)'} -> {self.new}"


def mutations(text: bytes) -> list[Mutation]:
    """Return all mutations of a module that leave it a module, in the order of its text."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    finder = _Finder(text)
    finder.visit(tree)
    return sorted(finder.found, key=lambda each: (each.start, each.end, each.kind, each.new))


def is_valid(mutation: Mutation, text: bytes) -> bool:
    """Return whether the mutated text is a module other than the original, line by line."""
    mutated = mutation.apply(text)
    try:
        same = ast.dump(ast.parse(mutated)) == ast.dump(ast.parse(text))
        compile(mutated, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return not same and mutated.count(b"\n") == text.count(b"\n")


class _Finder(ast.NodeVisitor):
    """Finds mutations in the bodies of functions."""

    def __init__(self, text: bytes) -> None:
        self.found: list[Mutation] = []
        self._text = text
        self._lines = [0]
        for line in text.split(b"\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self._names: list[str] = []
        self._functions: list[tuple[str, int]] = []

    # -- scopes ------------------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        outer, self._functions = self._functions, []
        for statement in node.body:
            self.visit(statement)
        self._functions = outer
        self._names.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._enter(node.name, node.lineno)
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        for statement in body:
            self.visit(statement)
        self._leave()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._enter("<lambda>", node.lineno)
        self.visit(node.body)
        self._leave()

    def _enter(self, name: str, line: int) -> None:
        self._functions.append((".".join([*self._names, name]), line))
        self._names += [name, "<locals>"]

    def _leave(self) -> None:
        self._functions.pop()
        del self._names[-2:]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave formatted strings alone: before Python 3.12, their parts have no exact positions."""

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        """Leave patterns alone: few expressions are allowed in them."""

    # -- mutations ---------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        if self._functions:
            for kinds, find in _FINDERS:
                if isinstance(node, kinds):
                    find(self, node)
        super().visit(node)

    def _operator(self, node: ast.BinOp | ast.AugAssign) -> None:
        if isinstance(node, ast.BinOp):
            self._replace_operator(node.op, node.left, node.right)
        else:
            self._replace_operator(node.op, node.target, node.value)

    def _logical(self, node: ast.BoolOp) -> None:
        if len(node.values) == 2:
            self._replace_operator(node.op, *node.values)

    def _comparison(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            self._replace_operator(node.ops[0], node.left, node.comparators[0])

    def _replace_operator(self, op: ast.AST, left: ast.expr, right: ast.expr) -> None:
        old, new = _OPERATORS.get(type(op), ("", ""))
        start, end = self._end(left), self._start(right)
        at = self._text.find(old.encode(), start, end) if old else -1
        if at >= 0 and b"#" not in self._text[start:end]:
            self._add("operator", op, at, at + len(old), new, line=self._line_of(at))

    def _constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            new = repr(not value)
        elif isinstance(value, int | float):
            new = repr(value + 1)
        elif isinstance(value, str):
            new = repr(f"{value}X") if value else "'X'"
        else:
            return
        self._add("constant", node, self._start(node), self._end(node), new)

    def _condition(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> None:
        start, end = self._start(node.test), self._end(node.test)
        text = self._text[start:end].decode()
        self._add("condition", node.test, start, end, f"(not ({text}))")

    def _argument(self, node: ast.Call) -> None:
        plain = [each for each in node.args if not isinstance(each, ast.Starred)]
        if len(plain) != len(node.args):
            return
        for one, other in zip(node.args, node.args[1:], strict=False):
            first, between, second = (
                self._text[start:end].decode()
                for start, end in (
                    (self._start(one), self._end(one)),
                    (self._end(one), self._start(other)),
                    (self._start(other), self._end(other)),
                )
            )
            if "(" not in between and ")" not in between and "#" not in between:
                new = f"{second}{between}{first}"
                self._add("argument", one, self._start(one), self._end(other), new)
        for keyword in node.keywords:
            if keyword.arg is not None:
                value = keyword.value
                self._add("argument", value, self._start(value), self._end(value), "None")
        if node.args and not isinstance(node.args[-1], ast.Constant):
            last = node.args[-1]
            self._add("argument", last, self._start(last), self._end(last), "None")

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        self._add("statement", node, self._start(node), self._end(node), "pass")

    def _return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self._add("statement", node, self._start(node), self._end(node), "return None")

    def _add(self, kind: str, node: ast.AST, start: int, end: int, new: str, line: int = 0) -> None:
        name, function_line = self._functions[-1]
        line = line or getattr(node, "lineno", 0)
        self.found.append(Mutation(kind, name, function_line, line, start, end, new))

    # -- positions ---------------------------------------------------------------------------------

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def _line_of(self, position: int) -> int:
        return self._text.count(b"\n", 0, position) + 1


_FINDERS: tuple[tuple[type | tuple[type, ...], Callable[..., None]], ...] = (
    ((ast.BinOp, ast.AugAssign), _Finder._operator),
    (ast.BoolOp, _Finder._logical),
    (ast.Compare, _Finder._comparison),
    (ast.Constant, _Finder._constant),
    ((ast.If, ast.While, ast.IfExp, ast.Assert), _Finder._condition),
    (ast.Call, _Finder._argument),
    (_DELETED, _Finder._statement),
    (ast.Return, _Finder._return),
)
