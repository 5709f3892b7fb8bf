"""Evaluate simple expressions from the trace, without running the program.

Names, constants, attributes, subscripts, and arithmetic on small integers (for indices); anything else is `UNKNOWN`.
Nothing of the program runs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from wrongcall.errors import UsageError
from wrongcall.languages.expressions import (
    Arithmetic,
    Attribute,
    Literal,
    Name,
    Negative,
    Node,
    Sequence,
    Subscript,
)
from wrongcall.languages.paths import Key, Path
from wrongcall.languages.source_file import SourceFile
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import Places, Round
from wrongcall.replay.resolve import Source as Read
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.values import UNKNOWN, Value

_LIMIT = 1 << 63
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


class Evaluator:
    """Evaluates expressions of a call's function as of a time."""

    def __init__(
        self, places: Places, variables: Variables, source: SourceFile, call: Call, time: int
    ) -> None:
        self._places = places
        self._variables = variables
        self.source = source
        self._call = call
        self.time = time

    def value(self, node: Node) -> Value:
        """Return the value of an expression, or `UNKNOWN` if the trace does not have it."""
        view = self.source.view(node)
        if isinstance(view, Literal):
            return view.value
        if isinstance(view, Arithmetic):
            return self._arithmetic(view)
        if isinstance(view, Negative):
            operand = _number(self.value(view.operand))
            return UNKNOWN if operand is None else -operand
        found = self.place(node)
        return UNKNOWN if found is None else found[1]

    def place(self, node: Node) -> tuple[Read, Value] | None:
        """Return the place that an expression names, and its value."""
        try:
            return self._place(node)
        except UsageError:
            return None  # a builtin, a class attribute, a computed key

    def _place(self, node: Node) -> tuple[Read, Value] | None:
        view = self.source.view(node)
        if isinstance(view, Name):
            return self._name(node, view.name)
        if not isinstance(view, Attribute | Subscript):
            return None
        step = Attr(view.name) if isinstance(view, Attribute) else self._key(view.key)
        base = None if step is None else self._place(view.base)
        if step is None or base is None:
            return None
        return self._places.follow(self._call, base[1], step, self.time, Path("it"))

    def _key(self, node: Node) -> Key | None:
        view = self.source.view(node)
        if isinstance(view, Sequence) and view.is_tuple:
            parts = [self._key(part) for part in view.elements]
            known = tuple(part for part in parts if part is not None)
            return Key(parts=known) if len(known) == len(parts) else None
        key = self.value(node)
        return None if key is UNKNOWN else Key(key)

    def _name(self, node: Node, name: str) -> tuple[Read, Value] | None:
        loop = self.source.binding_loop(node)
        if loop is None:
            return self._places.find(self._call, Path(name), self.time)
        time = self._variables.round(self._call.id, name, loop.target_span, self.time)
        if time is None:
            return None
        target = Round(self._call.id, name, time)
        return target, self._places.value(target, time)

    def _arithmetic(self, view: Arithmetic) -> Value:
        left, right = _number(self.value(view.left)), _number(self.value(view.right))
        if left is None or right is None or (right == 0 and view.operator in ("//", "%")):
            return UNKNOWN
        return _OPERATORS[view.operator](left, right)


def _number(value: Value) -> int | None:
    """Return a value that is an integer of moderate size, or None."""
    fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LIMIT
    return value if fits and isinstance(value, int) else None
