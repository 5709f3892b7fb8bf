"""Find the expression of a call that gave a parameter its value.

Pure functions on syntax trees. The recorder says how the arguments reached the parameters (`Passing`); where something
is not certain, the result is None.

Vocabulary: a parameter's value was *written* at the call, is an element of what the call *spread* with ``*`` or ``**``,
is the *receiver* that was inserted before the arguments, or is the *default*.
"""

from __future__ import annotations

import ast

from wrongcall.events import Passing
from wrongcall.languages.expressions import Argument, Default, Receiver, Spread, Unpacked, Written
from wrongcall.trace.read.places import Entry, Item, Place

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def source_of(
    call: ast.Call,
    definition: ast.AST,
    passing: int,
    name: str,
    part: Place | None,
    unpacked: Unpacked,
) -> Argument | None:
    """Return where the value of a parameter came from; None if not certain.

    ``part``: the place inside ``*args`` or ``**kwargs`` to look up.
    """
    if not isinstance(definition, _FUNCTIONS) or passing == Passing.UNKNOWN:
        return None
    args = definition.args
    ordered = [p.arg for p in (*args.posonlyargs, *args.args)]
    ahead = 1 if passing == Passing.BOUND else 0
    if args.vararg is not None and args.vararg.arg == name:
        if not isinstance(part, Item):
            return None
        return _at(call, len(ordered) - ahead + part.index, unpacked)[0]
    if args.kwarg is not None and args.kwarg.arg == name:
        if not isinstance(part, Entry) or not isinstance(part.key, str):
            return None
        return _named(call, part.key, unpacked)[0]
    if name in ordered:
        found, sure = _at(call, ordered.index(name) - ahead, unpacked)
        if found is not None or not sure:
            return found
    elif name not in [p.arg for p in args.kwonlyargs]:
        return None
    if name not in [p.arg for p in args.posonlyargs]:
        found, sure = _named(call, name, unpacked)
        if found is not None or not sure:
            return found
    value = default(definition, name)
    return None if value is None else Default(value)


def _at(call: ast.Call, position: int, unpacked: Unpacked) -> tuple[Argument | None, bool]:
    """Return the argument at a position, and whether its absence is certain."""
    if position < 0:
        return Receiver(), True
    before = 0
    for node in call.args:
        if not isinstance(node, ast.Starred):
            if before == position:
                return Written(node), True
            before += 1
            continue
        length = unpacked.length(node.value)
        if length is None:
            return None, False
        if position < before + length:
            return _element(node.value, position - before), True
        before += length
    return None, True


def _element(node: ast.expr, index: int) -> Argument:
    if isinstance(node, ast.Tuple | ast.List):
        return Written(node.elts[index])
    return Spread(node, Item(index))


def _named(call: ast.Call, name: str, unpacked: Unpacked) -> tuple[Argument | None, bool]:
    """Return the argument that is passed by name, and whether its absence is certain."""
    sure = True
    for keyword in call.keywords:
        if keyword.arg == name:
            return Written(keyword.value), True
        if keyword.arg is None:
            holds = unpacked.holds(keyword.value, name)
            if holds:
                return Spread(keyword.value, Entry(name)), True
            sure = sure and holds is not None
    return None, sure


def collects(definition: ast.AST, name: str) -> bool:
    """Return whether a parameter is ``*name`` or ``**name``."""
    if not isinstance(definition, _FUNCTIONS):
        return False
    collecting = (definition.args.vararg, definition.args.kwarg)
    return any(param is not None and param.arg == name for param in collecting)


def default(definition: ast.AST, name: str) -> ast.expr | None:
    """Return the default value of a parameter."""
    if not isinstance(definition, _FUNCTIONS):
        return None
    args = definition.args
    params = [p.arg for p in (*args.posonlyargs, *args.args)]
    if name in params:
        at = params.index(name) - (len(params) - len(args.defaults))
        return args.defaults[at] if at >= 0 else None
    named = dict(zip((p.arg for p in args.kwonlyargs), args.kw_defaults, strict=True))
    return named.get(name)
