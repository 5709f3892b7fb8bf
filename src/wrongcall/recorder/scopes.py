"""Which names are local, global or nonlocal, and which variables inner functions share.

There is one `Scope` per module, class body, function and lambda. Comprehensions belong to their function; their own
variables are kept separate. The rules are the language's (Reference, 4.2.2).
"""

from __future__ import annotations

import _ast as ast

from wrongcall.recorder.nodes import (
    COMPREHENSIONS,
    FUNCTIONS,
    children,
    own_nodes,
    parameters,
    target_names,
)
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

LOCAL, GLOBAL, NONLOCAL = 0, 1, 2  # as in events.Scope

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
NAMING = (
    *DEFINITIONS,
    *IMPORTS,
    *(ast.Global, ast.Nonlocal, ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
)
"""The nodes, apart from Name, that say something about names."""


class Scope:
    """The names of one module, class body, function or lambda."""

    def __init__(self, kind: str, node: ast.AST, outer: Scope | None) -> None:
        self.kind = kind  # module, class, function
        self.node = node
        self.outer = outer
        self.bound: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.used: set[str] = set()
        self.inner: list[Scope] = []
        self.free: list[str] = []  # variables of enclosing functions that it uses
        self.cells: list[str] = []  # its own variables that inner functions use
        self.rebound: set[str] = set()  # its own variables that inner functions bind or delete
        self.star_import = False
        self.declared: set[str] = (
            set()
        )  # of a module: the names that functions in it declare global
        if outer is not None:
            outer.inner.append(self)

    def place(self, name: str) -> int:
        """Return where a name that this scope binds lives."""
        if name in self.globals or (self.kind == "module"):
            return GLOBAL
        if name in self.nonlocals:
            return NONLOCAL
        return LOCAL

    def forget(self) -> None:
        """Drop the references to enclosing and inner scopes."""
        self.outer = None
        self.inner.clear()

    def stays(self, name: str) -> bool:
        """Return whether only the function's own statements bind or delete this variable of a function."""
        return self.kind == "function" and name in self.bound and name not in self.rebound

    def module(self) -> Scope:
        """Return the module's scope."""
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope

    def sees_builtin(self, name: str) -> bool:
        """Return whether the name means the builtin here, as far as the source shows."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound or (scope.kind == "module" and scope.star_import):
                return False
            scope = scope.outer
        return name not in self.module().declared


def analyse(tree: ast.Module) -> dict[ast.AST, Scope]:
    """Return the scopes of a module, by the node that opens them."""
    scopes: dict[ast.AST, Scope] = {}
    root = Scope("module", tree, None)
    scopes[tree] = root
    _fill(root, tree.body, scopes)
    _resolve(root)
    for scope in scopes.values():
        _note_rebound(scope)
        root.declared |= scope.globals
    return scopes


def _fill(scope: Scope, body: list[ast.stmt] | ast.expr, scopes: dict[ast.AST, Scope]) -> None:
    nodes = list(own_nodes(body))
    hidden = _comprehension_variables(nodes)
    for node in nodes:
        _note(scope, node, hidden)
        if isinstance(node, FUNCTIONS):
            inner = Scope("function", node, scope)
            inner.bound.update(parameters(node.args))
            scopes[node] = inner
            _fill(inner, node.body, scopes)
        elif isinstance(node, ast.ClassDef):
            scopes[node] = Scope("class", node, scope)
            _fill(scopes[node], node.body, scopes)
    scope.bound -= scope.globals | scope.nonlocals


def _note(scope: Scope, node: ast.AST, hidden: dict[ast.AST, bool]) -> None:
    """Note what one node says about names."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            scope.used.add(node.id)
        elif node not in hidden:
            scope.bound.add(node.id)
    elif not isinstance(node, NAMING):
        return
    elif isinstance(node, DEFINITIONS):
        scope.bound.add(node.name)
    elif isinstance(node, ast.Global):
        scope.globals.update(node.names)
    elif isinstance(node, ast.Nonlocal):
        scope.nonlocals.update(node.names)
        scope.used.update(node.names)
    elif isinstance(node, IMPORTS):
        _note_import(scope, node)
    elif (isinstance(node, ast.ExceptHandler) and node.name is not None) or (
        isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None
    ):
        scope.bound.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest is not None:
        scope.bound.add(node.rest)


def _note_import(scope: Scope, node: ast.Import | ast.ImportFrom) -> None:
    for alias in node.names:
        if alias.name == "*":
            scope.star_import = True
        else:
            scope.bound.add(alias.asname or alias.name.partition(".")[0])


def _comprehension_variables(nodes: list[ast.AST]) -> dict[ast.AST, bool]:
    """Return those of a scope's nodes that are Names and bind a comprehension's own variables."""
    found: dict[ast.AST, bool] = {}
    for node in nodes:
        if isinstance(node, COMPREHENSIONS):
            for generator in node.generators:
                _collect_names(generator.target, found)
    return found


def _collect_names(target: ast.AST, found: dict[ast.AST, bool]) -> None:
    if target_names(target):
        stack = [target]
        while stack:
            node = stack.pop()
            if isinstance(node, ast.Name):
                found[node] = True
            elif isinstance(node, (ast.Tuple, ast.List, ast.Starred)):
                stack.extend(children(node))


def _resolve(scope: Scope) -> set[str]:
    """Settle free and cell variables; return the names still to be found outside."""
    wanted = set(scope.used) - scope.globals
    own_wanted = wanted - scope.bound if scope.kind == "function" else set(wanted)
    below: set[str] = set()
    for inner in scope.inner:
        below |= _resolve(inner)
    if scope.kind == "module":
        return set()
    if scope.kind == "function":
        scope.cells = sorted(below & scope.bound)
        below -= scope.bound
        own_wanted |= below
    else:  # a class body passes on the names of its methods, not its own
        own_wanted = (own_wanted - scope.bound) | below | scope.nonlocals
    visible = _enclosing(scope.outer)
    scope.free = sorted(n for n in own_wanted if n in visible and n != "__class__")
    return own_wanted


def _note_rebound(scope: Scope) -> None:
    """Tell the enclosing functions of a scope which of their variables it declares nonlocal."""
    for name in scope.nonlocals:
        owner = scope.outer
        while owner is not None and not (owner.kind == "function" and name in owner.bound):
            owner = owner.outer
        if owner is not None:
            owner.rebound.add(name)


def _enclosing(scope: Scope | None) -> set[str]:
    """Return the variables of the functions around a scope."""
    found: set[str] = set()
    while scope is not None:
        if scope.kind == "function":
            found |= scope.bound
        scope = scope.outer
    return found
