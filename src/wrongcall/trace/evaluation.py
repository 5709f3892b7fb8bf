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
from wrongcall.trace.loops import binding_loop
from wrongcall.trace.paths import Key, Path, Step
from wrongcall.trace.places import Places, Round
from wrongcall.trace.places import Source as Read
from wrongcall.trace.replay import Attr
from wrongcall.trace.source import Source, span_of
from wrongcall.trace.values import UNKNOWN, Value
from wrongcall.trace.variables import Variables

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

    def __init__(
        self, places: Places, variables: Variables, source: Source, call: Call, time: int
    ) -> None:
        self._places = places
        self._variables = variables
        self._source = source
        self._call = call
        self.time = time

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

    def place(self, node: ast.AST) -> tuple[Read, Value] | None:
        """Return the place that an expression names, and what is there."""
        try:
            return self._place(node)
        except UsageError:
            return None  # a builtin, a class attribute, a key that was computed

    def _place(self, node: ast.AST) -> tuple[Read, Value] | None:
        if isinstance(node, ast.Name):
            return self._name(node)
        step: Step | None = None
        if isinstance(node, ast.Attribute):
            step = Attr(node.attr)
        elif isinstance(node, ast.Subscript):
            step = self._key(node.slice)
        if step is None or not isinstance(node, ast.Attribute | ast.Subscript):
            return None
        base = self._place(node.value)
        if base is None:
            return None
        return self._places.follow(self._call, base[1], step, self.time, Path("it"))

    def _key(self, node: ast.expr) -> Key | None:
        if isinstance(node, ast.Tuple):
            parts = [self._key(part) for part in node.elts]
            known = tuple(part for part in parts if part is not None)
            return Key(parts=known) if len(known) == len(parts) else None
        key = self.value(node)
        return None if key is UNKNOWN else Key(key)

    def _name(self, node: ast.Name) -> tuple[Read, Value] | None:
        loop = binding_loop(node, self._source.parents)
        if loop is None:
            return self._places.find(self._call, Path(node.id), self.time)
        time = self._variables.round(self._call.id, node.id, span_of(loop.target), self.time)
        if time is None:
            return None
        target = Round(self._call.id, node.id, time)
        return target, self._places.value(target, time)

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
