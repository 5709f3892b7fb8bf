"""Values of simple expressions, read off the trace instead of computed by the program.

Names, constants, attributes, subscripts, and arithmetic on small integers (which indices are
made of); anything else is `UNKNOWN`. Nothing of the program runs.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from wrongcall.errors import UsageError
from wrongcall.trace.call import Call
from wrongcall.trace.paths import Key, Path
from wrongcall.trace.places import Places, Target
from wrongcall.trace.replay import Attr
from wrongcall.trace.values import UNKNOWN, Value

_LIMIT = 1 << 63
_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class Evaluator:
    """Evaluates expressions of a call's function as of a time."""

    def __init__(self, places: Places, call: Call, time: int) -> None:
        self._places = places
        self._call = call
        self._time = time

    def value(self, node: ast.AST) -> Value:
        """Return the value of an expression, `UNKNOWN` if the trace does not tell."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            operand = _number(self.value(node.operand))
            return UNKNOWN if operand is None else -operand
        found = self.place(node)
        return UNKNOWN if found is None else found[1]

    def place(self, node: ast.AST) -> tuple[Target, Value] | None:
        """Return the place that an expression names, and what is there."""
        path = self._path(node)
        if path is None:
            return None
        try:
            return self._places.find(self._call, path, self._time)
        except UsageError:
            return None  # a builtin, a class attribute, a key that was computed

    def _path(self, node: ast.AST) -> Path | None:
        if isinstance(node, ast.Name):
            return Path(node.id)
        if isinstance(node, ast.Attribute):
            base = self._path(node.value)
            return None if base is None else base.to(Attr(node.attr))
        if isinstance(node, ast.Subscript):
            base, key = self._path(node.value), self.value(node.slice)
            return None if base is None or key is UNKNOWN else base.to(Key(key))
        return None

    def _arithmetic(self, node: ast.BinOp) -> Value:
        compute = _OPERATORS.get(type(node.op))
        left, right = _number(self.value(node.left)), _number(self.value(node.right))
        if compute is None or left is None or right is None:
            return UNKNOWN
        if right == 0 and isinstance(node.op, ast.FloorDiv | ast.Mod):
            return UNKNOWN
        return compute(left, right)


def _number(value: Value) -> int | None:
    """Return a value that is an integer of moderate size."""
    fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LIMIT
    return value if fits and isinstance(value, int) else None
