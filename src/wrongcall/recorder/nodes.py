"""Building syntax trees: small constructors, and walking within one scope.

A hook is a constant of the code object. The compiler does not accept such constants, so the tree holds a placeholder
string for each, and `instrument` puts the hooks in after compiling.
"""

from __future__ import annotations

import _ast as ast
from _collections_abc import Iterator

from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

HANDLE = ".h"  # the hidden local; no name of a program has a dot
MARK = "\0wrongcall "  # the prefix of a placeholder

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

FUNCTION_KINDS = frozenset(FUNCTIONS)
PLAIN_FIELDS = frozenset(
    {"asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level"}
    | {"module", "op", "ops", "rest", "simple", "type_comment"}
)
"""Fields of nodes that hold text, numbers, operators or contexts, in whatever node they occur."""

PARTS: dict[type[ast.AST], tuple[str, ...]] = {}
"""The other fields, for each class of nodes met so far."""

LOAD = ast.Load()
STORE = ast.Store()
DELETE = ast.Del()


def at(node: ast.AST, like: ast.AST) -> ast.AST:
    """Give a new node, and its parts, the position of an existing one."""
    where = {
        "lineno": like.lineno,  # type: ignore[attr-defined]
        "col_offset": like.col_offset,  # type: ignore[attr-defined]
        "end_lineno": like.end_lineno,  # type: ignore[attr-defined]
        "end_col_offset": like.end_col_offset,  # type: ignore[attr-defined]
    }
    stack = [node]
    while stack:
        new = stack.pop()
        values = new.__dict__
        if "lineno" not in values and new._attributes:
            values.update(where)
            stack.extend(children(new))
    return node


def children(node: ast.AST) -> list[ast.AST]:
    """Return the nodes directly below a node, but for operators and contexts, which have no parts."""
    found = []
    values = node.__dict__
    fields = PARTS.get(type(node))
    for field in _parts(type(node)) if fields is None else fields:
        value = values.get(field)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def _parts(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a class of nodes that may hold nodes."""
    PARTS[kind] = tuple(field for field in kind._fields if field not in PLAIN_FIELDS)
    return PARTS[kind]


def placeholder(number: int) -> ast.Constant:
    """Return the constant that stands for hook `number` until the code is compiled."""
    return ast.Constant(value=f"{MARK}{number}", kind=None)


def name(identifier: str) -> ast.Name:
    """Load a variable."""
    return ast.Name(id=identifier, ctx=LOAD)


def call(function: ast.expr, *args: ast.expr) -> ast.Call:
    """Call with positional arguments."""
    return ast.Call(func=function, args=list(args), keywords=[])


def none() -> ast.Constant:
    """Return the constant None."""
    return ast.Constant(value=None, kind=None)


def expression(value: ast.expr) -> ast.Expr:
    """Wrap an expression as a statement."""
    return ast.Expr(value=value)


def thunk(names: list[str]) -> ast.Lambda:
    """Return ``lambda: (a, b)``: never called, but its closure has the cells of these variables."""
    empty = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    return ast.Lambda(args=empty, body=ast.Tuple(elts=[name(n) for n in names], ctx=LOAD))


def is_docstring(statement: ast.stmt) -> bool:
    """Return whether this statement would be a docstring if it came first."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def is_future(statement: ast.stmt) -> bool:
    """Return whether this is ``from __future__ import ...``."""
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def own_nodes(body: list[ast.stmt] | ast.expr) -> Iterator[ast.AST]:
    """Yield every node that belongs to this scope: inner functions and classes are included, not entered.

    Comprehensions are entered: they count as part of their function.
    """
    stack: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while stack:
        node = stack.pop()
        yield node
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant:
            continue
        if kind in FUNCTION_KINDS:
            stack.extend(outside_of_function(node))
        elif isinstance(node, ast.ClassDef):
            stack.extend(node.decorator_list)
            stack.extend(node.bases)
            stack.extend(k.value for k in node.keywords)
        else:
            stack.extend(children(node))


def outside_of_function(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a function that are evaluated where it is defined: decorators and defaults."""
    found: list[ast.AST] = list(getattr(node, "decorator_list", []))
    arguments: ast.arguments = node.args  # type: ignore[attr-defined]
    found.extend(arguments.defaults)
    found.extend(d for d in arguments.kw_defaults if d is not None)
    return found


def parameters(arguments: ast.arguments) -> list[str]:
    """Return the names of a function's parameters, in the order of its signature."""
    found = [a.arg for a in arguments.posonlyargs + arguments.args]
    if arguments.vararg is not None:
        found.append(arguments.vararg.arg)
    found.extend(a.arg for a in arguments.kwonlyargs)
    if arguments.kwarg is not None:
        found.append(arguments.kwarg.arg)
    return found


def target_names(target: ast.AST) -> list[str]:
    """Return the names that an assignment target binds, left to right."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [n for item in target.elts for n in target_names(item)]
    if isinstance(target, ast.Starred):
        return target_names(target.value)
    return []


def pattern_names(pattern: ast.AST) -> list[str]:
    """Return the names that a ``case`` pattern binds."""
    found: list[str] = []
    for field in ("name", "rest"):
        value = getattr(pattern, field, None)
        if isinstance(value, str):
            found.append(value)
    for child in children(pattern):
        if isinstance(child, ast.pattern):
            found.extend(n for n in pattern_names(child) if n not in found)
    return found
