"""A slow and obvious witness: an interpreter whose numbers carry the lines that they were computed on.

It runs straight code, `if` and `for` on numbers and one list, by walking the syntax tree; nothing of the recorder is
involved. The lines of a value are those of all assignments, tests and loops that it depended on.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
}


@dataclass(frozen=True)
class Tracked:
    """A number, and the lines that it was computed on."""

    value: int
    lines: frozenset[int] = frozenset()


class Interpreter:
    """Runs the statements of a function."""

    def __init__(self) -> None:
        self.names: dict[str, Tracked] = {}
        self.items: list[Tracked] = []
        self.read: dict[int, dict[str, int]] = {}
        """What the last execution of each line read."""
        self._control: frozenset[int] = frozenset()

    def run(self, body: list[ast.stmt]) -> None:
        """Run statements."""
        for node in body:
            self.read[node.lineno] = {}
            if isinstance(node, ast.Assign):
                self._assign(node, node.targets[0], self._value(node.value))
            elif isinstance(node, ast.AugAssign):
                old = self._value(ast.copy_location(_read(node.target), node.target))
                self._assign(node, node.target, _joined(ast.Add, old, self._value(node.value)))
            elif isinstance(node, ast.If):
                self._if(node)
            elif isinstance(node, ast.For):
                self._for(node)

    def _assign(self, node: ast.stmt, target: ast.expr, value: Tracked) -> None:
        lines = value.lines | {node.lineno} | self._control
        if (
            isinstance(target, ast.Name)
            and isinstance(node, ast.Assign)
            and isinstance(node.value, ast.List)
        ):
            self.items = [Tracked(each.value, lines) for each in map(self._value, node.value.elts)]
        elif isinstance(target, ast.Name):
            self.names[target.id] = Tracked(value.value, lines)
        elif isinstance(target, ast.Subscript):
            index = self._value(target.slice)
            self.items[index.value] = Tracked(value.value, lines | index.lines)

    def _if(self, node: ast.If) -> None:
        assert isinstance(node.test, ast.Compare)
        left, right = self._value(node.test.left), self._value(node.test.comparators[0])
        lines = left.lines | right.lines | {node.lineno}
        self._inside(lines, node.body if left.value < right.value else node.orelse)

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        for number in range(self._value(node.iter.args[0]).value):
            lines = frozenset({node.lineno})
            self.names[node.target.id] = Tracked(number, lines | self._control)
            self._inside(lines, node.body)

    def _inside(self, lines: frozenset[int], body: list[ast.stmt]) -> None:
        before = self._control
        self._control = before | lines
        self.run(body)
        self._control = before

    def _value(self, node: ast.expr) -> Tracked:
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int)
            return Tracked(node.value)
        if isinstance(node, ast.BinOp):
            return _joined(type(node.op), self._value(node.left), self._value(node.right))
        if isinstance(node, ast.Subscript):
            index = self._value(node.slice)
            item = self.items[index.value]
            self.read[node.lineno][ast.unparse(node)] = item.value
            return Tracked(item.value, item.lines | index.lines)
        if isinstance(node, ast.Name):
            self.read[node.lineno][node.id] = self.names[node.id].value
            return self.names[node.id]
        return Tracked(0)


def _joined(kind: type[ast.operator], left: Tracked, right: Tracked) -> Tracked:
    return Tracked(_OPERATORS[kind](left.value, right.value), left.lines | right.lines)


def _read(node: ast.expr) -> ast.expr:
    """Return a target as it is read."""
    found = ast.parse(ast.unparse(node), mode="eval").body
    for part in ast.walk(found):
        if hasattr(part, "lineno"):
            part.lineno = node.lineno
    return found
