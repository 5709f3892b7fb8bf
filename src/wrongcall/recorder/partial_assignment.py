"""What a statement had done when it failed.

``c, o.x = 1, 2`` may bind c and then fail. Such a statement becomes::

    try:
        c, o.x = 1, 2
    except BaseException:
        if bound(.h):            # was the exception raised after c, before the value?
            locals(.h, c)
        raise

which costs nothing unless it fails. The position where the exception was raised is known exactly: each instruction has
that of its syntax node (PEP 657). This module says which statements can stop half way and which positions to check;
`statements` builds the code.
"""

from __future__ import annotations

import _ast as ast
from _collections_abc import Iterator

from wrongcall.recorder.nodes import own_nodes
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())


def names_at_risk(targets: list[ast.expr]) -> list[ast.Name]:
    """Return the names that are bound before something that may fail, in the order of binding."""
    found = [step for target in targets for step in _steps(target)]
    while found and isinstance(found[-1], ast.Name):
        found.pop()
    return [step for step in found if isinstance(step, ast.Name)]


def _steps(target: ast.expr) -> Iterator[ast.expr]:
    """Yield what storing to a target does, in order: bind a name, unpack, store to a container."""
    if isinstance(target, ast.Starred):
        yield from _steps(target.value)
        return
    yield target
    if isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from _steps(item)


def behind(name: ast.Name, last: ast.expr) -> tuple[int, ...]:
    """Return the span from the end of a name to the end of the last target: line, column, line, column."""
    return (*_end(name), *_end(last))


def operations(node: ast.AugAssign) -> tuple[int, ...]:
    """Return the positions of what ``t += e`` does when t and e have been evaluated.

    Reading and storing an attribute or element have the same position: both come after the names in it.
    """
    if isinstance(node.target, ast.Name):
        return _whole(node)
    return (*_whole(node), *_whole(node.target))


def may_stop(node: ast.AugAssign) -> bool:
    """Return whether ``t += e`` can fail after it changed something; not if e is a constant: nothing is iterated."""
    return not isinstance(node.value, ast.Constant) or isinstance(node.target, ast.Subscript)


def walrus_names(value: ast.expr) -> frozenset[str]:
    """Return the names that evaluating an expression binds in its function."""
    walruses = [node for node in own_nodes(value) if isinstance(node, ast.NamedExpr)]
    return frozenset(node.target.id for node in walruses)


def leaves(targets: list[ast.expr]) -> Iterator[ast.expr]:
    """Yield the single targets of ``del a, (b, [c])``."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from leaves(target.elts)
        else:
            yield target


def _end(node: ast.expr) -> tuple[int, int]:
    return (node.end_lineno or node.lineno, node.end_col_offset or 0)


def _whole(node: ast.expr | ast.stmt) -> tuple[int, int, int, int]:
    line, column = node.lineno, node.col_offset
    return (line, column, node.end_lineno or line, node.end_col_offset or 0)
