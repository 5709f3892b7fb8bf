"""Compile an expression that a person wrote into functions that evaluate it over recorded values.

Vocabulary: a *scope* answers what names mean at one time: variables of the program. An expression's own variables, of
its comprehensions and lambdas, come before these; builtins come after them, as in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from wrongcall.errors import NotKnownError, UsageError
from wrongcall.events import Layout
from wrongcall.languages.python.asked.budget import Budget, check_size
from wrongcall.languages.python.asked.comprehensions import Clause, loop
from wrongcall.languages.python.asked.operators import binary, compare, subscript, unary
from wrongcall.languages.python.asked.pure_calls import (
    FUNCTIONS,
    MATH,
    MATH_CONSTANTS,
    Pure,
    formatted,
    in_order,
    math_function,
)
from wrongcall.languages.python.asked.pure_methods import attribute, call_method
from wrongcall.languages.python.asked.recorded import Recorded, plain
from wrongcall.languages.python.asked.set_order import Unordered, is_unordered

ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What evaluating an expression can raise, as Python would."""
MAX_LENGTH = 10_000
"""Characters of an expression."""
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>", ast.MatMult: "@", ast.UAdd: "+", ast.USub: "-", ast.Invert: "~",
    ast.Not: "not", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_CONVERSIONS = {ord("s"): "str", ord("r"): "repr", ord("a"): "ascii"}


class Scope(Protocol):
    """What names mean at a time."""

    def lookup(self, name: str) -> object:
        """Return the value of a variable of the program; raise KeyError if there is none."""


@dataclass(slots=True)
class Env:
    """One evaluation."""

    scope: Scope
    budget: Budget
    bound: dict[str, object]
    """The expression's own variables."""

    def inner(self) -> Env:
        """Return an evaluation of something inside, with variables of its own."""
        return Env(self.scope, self.budget, dict(self.bound))

    def name(self, name: str) -> object:
        """Return what a name means."""
        try:
            return self.scope.lookup(name)
        except KeyError:
            if name in FUNCTIONS:
                return Pure(name, FUNCTIONS[name], self.budget)
        raise NameError(f"name {name!r} is not defined here")


Node = Callable[[Env], Any]


@dataclass(frozen=True)
class Expression:
    """A compiled expression."""

    text: str
    names: frozenset[str]
    """The names it reads, without its own variables."""
    _run: Node
    equals: tuple[str, object] | None = None
    """If it is ``name == constant``: the two."""

    def value(self, scope: Scope) -> object:
        """Evaluate it; raises what Python would raise (`ERRORS`), or `NotKnownError`."""
        return self._run(Env(scope, Budget(), {}))


def parse(text: str) -> Expression:
    """Compile an expression, or raise a `UsageError` that says what is not supported."""
    if len(text) > MAX_LENGTH:
        raise UsageError(f"the expression has more than {MAX_LENGTH:,} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        compiler = _Compiler(text)
        run = compiler.of(tree, frozenset())
    except SyntaxError as exc:
        raise UsageError(f"{text!r} is not an expression: {exc.msg}") from exc
    except (ValueError, RecursionError, MemoryError) as exc:
        raise UsageError(f"{text[:60]!r} is not an expression: {str(exc) or 'too deep'}") from exc
    return Expression(text, frozenset(compiler.names), run, _equality(tree))


def _equality(tree: ast.expr) -> tuple[str, object] | None:
    """Return the name and the constant, if an expression compares just these for equality."""
    if not isinstance(tree, ast.Compare) or [type(op) for op in tree.ops] != [ast.Eq]:
        return None
    for name, other in ((tree.left, tree.comparators[0]), (tree.comparators[0], tree.left)):
        if isinstance(name, ast.Name):
            try:
                return name.id, ast.literal_eval(other)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                return None
    return None


class _Compiler:
    """Compiles the nodes of one expression."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.names: set[str] = set()

    def of(self, node: ast.AST, own: frozenset[str]) -> Node:
        """Compile a node; ``own``: the expression's own variables there."""
        compiled = _COMPILE.get(type(node))
        if compiled is None:
            raise self._unsupported(node)
        run = compiled(self, node, own)

        def counted(env: Env) -> Any:
            env.budget.spend()
            return run(env)

        return counted if isinstance(node, ast.Call | ast.BinOp) else run

    def _unsupported(self, node: ast.AST) -> UsageError:
        what = _NAMES.get(type(node), type(node).__name__)
        return UsageError(f"{what} can't be evaluated over a recording: {self._text!r}")

    def all_(self, nodes: list[ast.expr], own: frozenset[str]) -> list[Node]:
        return [self.of(node, own) for node in nodes]

    # -- atoms -------------------------------------------------------------------------------------

    def constant(self, node: ast.Constant, own: frozenset[str]) -> Node:
        value = node.value
        return lambda env: value

    def name(self, node: ast.Name, own: frozenset[str]) -> Node:
        name = node.id
        if name in own:
            return lambda env: env.bound[name]
        self.names.add(name)
        return lambda env: env.name(name)

    # -- operators ---------------------------------------------------------------------------------

    def binary(self, node: ast.BinOp, own: frozenset[str]) -> Node:
        sign, left, right = _OPERATORS[type(node.op)], *self.all_([node.left, node.right], own)
        return lambda env: binary(sign, left(env), right(env))

    def unary(self, node: ast.UnaryOp, own: frozenset[str]) -> Node:
        sign, operand = _OPERATORS[type(node.op)], self.of(node.operand, own)
        return lambda env: unary(sign, operand(env))

    def compare(self, node: ast.Compare, own: frozenset[str]) -> Node:
        first = self.of(node.left, own)
        rest = [
            (_OPERATORS[type(op)], self.of(each, own))
            for op, each in zip(node.ops, node.comparators, strict=True)
        ]

        def run(env: Env) -> Any:
            left, found = first(env), True
            for sign, operand in rest:
                right = operand(env)
                found = compare(sign, left, right)
                if not found:
                    return found
                left = right
            return found

        return run

    def logic(self, node: ast.BoolOp, own: frozenset[str]) -> Node:
        stops, operands = isinstance(node.op, ast.Or), self.all_(node.values, own)

        def run(env: Env) -> Any:
            for operand in operands[:-1]:
                value = operand(env)
                if bool(value) == stops:
                    return value
            return operands[-1](env)

        return run

    def conditional(self, node: ast.IfExp, own: frozenset[str]) -> Node:
        test, yes, no = self.all_([node.test, node.body, node.orelse], own)
        return lambda env: yes(env) if test(env) else no(env)

    # -- parts -------------------------------------------------------------------------------------

    def attribute(self, node: ast.Attribute, own: frozenset[str]) -> Node:
        base, name = self.of(node.value, own), node.attr

        def run(env: Env) -> Any:
            value = base(env)
            if name in MATH_CONSTANTS and _is_math(value):
                return MATH_CONSTANTS[name]
            return attribute(value, name)

        return run

    def subscript(self, node: ast.Subscript, own: frozenset[str]) -> Node:
        base, key = self.of(node.value, own), self.of(node.slice, own)
        return lambda env: subscript(base(env), key(env))

    def slice_(self, node: ast.Slice, own: frozenset[str]) -> Node:
        parts = [
            None if part is None else self.of(part, own)
            for part in (node.lower, node.upper, node.step)
        ]
        return lambda env: slice(*(None if part is None else part(env) for part in parts))

    # -- displays ----------------------------------------------------------------------------------

    def _elements(self, nodes: list[ast.expr], own: frozenset[str]) -> Callable[[Env], list[Any]]:
        made = [
            (self.of(n.value if isinstance(n, ast.Starred) else n, own), isinstance(n, ast.Starred))
            for n in nodes
        ]

        def run(env: Env) -> list[Any]:
            found: list[Any] = []
            for value, spreads in made:
                if spreads:
                    found.extend(in_order(env.budget, value(env)))
                    check_size(len(found))
                else:
                    found.append(value(env))
            return found

        return run

    def list_(self, node: ast.List, own: frozenset[str]) -> Node:
        return self._elements(node.elts, own)

    def tuple_(self, node: ast.Tuple, own: frozenset[str]) -> Node:
        elements = self._elements(node.elts, own)
        return lambda env: tuple(elements(env))

    def set_(self, node: ast.Set, own: frozenset[str]) -> Node:
        elements = self._elements(node.elts, own)
        return lambda env: set(elements(env))

    def dict_(self, node: ast.Dict, own: frozenset[str]) -> Node:
        pairs = [
            (None if key is None else self.of(key, own), self.of(value, own))
            for key, value in zip(node.keys, node.values, strict=True)
        ]

        def run(env: Env) -> dict[Any, Any]:
            found: dict[Any, Any] = {}
            for key, value in pairs:
                if key is None:
                    found.update(plain(value(env), "**"))
                else:
                    found[key(env)] = value(env)
            return found

        return run

    # -- texts -------------------------------------------------------------------------------------

    def joined(self, node: ast.JoinedStr, own: frozenset[str]) -> Node:
        parts = self.all_(node.values, own)

        def run(env: Env) -> str:
            texts = [part(env) for part in parts]
            check_size(sum(map(len, texts)))
            return "".join(texts)

        return run

    def formatted(self, node: ast.FormattedValue, own: frozenset[str]) -> Node:
        value = self.of(node.value, own)
        spec = None if node.format_spec is None else self.of(node.format_spec, own)
        convert = _CONVERSIONS.get(node.conversion)

        def run(env: Env) -> str:
            found = value(env)
            if convert is not None:
                found = FUNCTIONS[convert](env.budget, found)
            return formatted(found, "" if spec is None else spec(env))

        return run

    # -- calls -------------------------------------------------------------------------------------

    def call(self, node: ast.Call, own: frozenset[str]) -> Node:
        args = self._elements(node.args, own)
        if any(keyword.arg is None for keyword in node.keywords):
            raise UsageError(f"** can't be evaluated in a call over a recording: {self._text!r}")
        named = {str(keyword.arg): self.of(keyword.value, own) for keyword in node.keywords}
        target = node.func
        if isinstance(target, ast.Attribute):
            return self._method(self.of(target.value, own), target.attr, args, named)
        function, text = self.of(target, own), ast.unparse(target)

        def run(env: Env) -> Any:
            found = function(env)
            if not isinstance(found, Pure | _Lambda):
                raise NotKnownError(_not_run(text, found))
            return found(*args(env), **{name: value(env) for name, value in named.items()})

        return run

    def _method(
        self, base: Node, name: str, args: Callable[[Env], list[Any]], named: dict[str, Node]
    ) -> Node:
        def run(env: Env) -> Any:
            holder = base(env)
            given = {key: value(env) for key, value in named.items()}
            if name in MATH and _is_math(holder):
                return math_function(name)(env.budget, *args(env), **given)
            return call_method(env.budget, holder, name, args(env), given)

        return run

    def lambda_(self, node: ast.Lambda, own: frozenset[str]) -> Node:
        spec = node.args
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.defaults:
            raise UsageError(f"only plain parameters of a lambda are supported: {self._text!r}")
        names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
        body = self.of(node.body, own | set(names))
        return lambda env: _Lambda(env, names, body)

    # -- comprehensions ----------------------------------------------------------------------------

    def _clauses(
        self, nodes: list[ast.comprehension], own: frozenset[str]
    ) -> tuple[list[Clause], frozenset[str]]:
        clauses = []
        for node in nodes:
            if node.is_async:
                raise UsageError(f"async can't be evaluated over a recording: {self._text!r}")
            values = self.of(node.iter, own)
            target, names = self._target(node.target)
            own = own | names
            clauses.append(Clause(target, values, self.all_(node.ifs, own)))
        return clauses, own

    def _target(self, node: ast.expr) -> tuple[Any, frozenset[str]]:
        """Return a target as a name or a nested tuple of targets, and its names."""
        if isinstance(node, ast.Name):
            return node.id, frozenset({node.id})
        if not isinstance(node, ast.Tuple | ast.List):
            raise self._unsupported(node)
        parts = [self._target(each) for each in node.elts]
        return tuple(part for part, _ in parts), frozenset().union(*(names for _, names in parts))

    def list_of(self, node: ast.ListComp, own: frozenset[str]) -> Node:
        rounds = self._rounds(node.elt, node.generators, own)

        def run(env: Env) -> list[Any]:
            found = rounds(env)
            return list(found if len(found) < 2 else _in_order(found))

        return run

    def set_of(self, node: ast.SetComp, own: frozenset[str]) -> Node:
        rounds = self._rounds(node.elt, node.generators, own)
        return lambda env: set(rounds(env))

    def dict_of(self, node: ast.DictComp, own: frozenset[str]) -> Node:
        pair = ast.Tuple([node.key, node.value], ast.Load())
        rounds = self._rounds(pair, node.generators, own)

        def run(env: Env) -> dict[Any, Any]:
            found = rounds(env)
            return dict(found if len(found) < 2 else _in_order(found))

        return run

    def generated(self, node: ast.GeneratorExp, own: frozenset[str]) -> Node:
        clauses, inner = self._clauses(node.generators, own)
        body = self.of(node.elt, inner)

        def run(env: Env) -> object:
            first = plain(clauses[0].values(env), "iteration")
            found = loop(clauses, body, env, None, first)
            return Unordered(found) if is_unordered(first) else found

        return run

    def _rounds(
        self, element: ast.expr, nodes: list[ast.comprehension], own: frozenset[str]
    ) -> Callable[[Env], _Rounds]:
        clauses, inner = self._clauses(nodes, own)
        body = self.of(element, inner)

        def run(env: Env) -> _Rounds:
            order: list[bool] = []
            found = _Rounds(loop(clauses, body, env, order))
            check_size(len(found))
            found.unordered = bool(order)
            return found

        return run


class _Rounds(list[Any]):
    """What the rounds of a comprehension gave."""

    unordered = False


def _in_order(found: _Rounds) -> _Rounds:
    if found.unordered:
        raise NotKnownError("the order of a set is not recorded; use sorted(...)")
    return found


class _Lambda:
    """A function of the expression's own."""

    def __init__(self, env: Env, names: list[str], body: Node) -> None:
        self._env = env
        self._names = names
        self._body = body

    def __repr__(self) -> str:
        raise NotKnownError("the text of a function has its address, which is not known")

    def __call__(self, *args: Any) -> Any:
        if len(args) != len(self._names):
            raise TypeError(f"<lambda>() takes {len(self._names)} arguments, not {len(args)}")
        env = self._env.inner()
        env.budget.spend()
        env.bound.update(zip(self._names, args, strict=True))
        return self._body(env)


def _is_math(value: object) -> bool:
    return (
        isinstance(value, Recorded)
        and value.layout == Layout.MODULE
        and value.attribute("__name__") == "math"
    )


def _not_run(text: str, found: object) -> str:
    if isinstance(found, Recorded):
        return (
            f"{text}() would run code of the program or of a library; only builtins are evaluated"
        )
    return f"{text}() can't be called: it is not a function"


_NAMES: dict[type[ast.AST], str] = {
    ast.NamedExpr: "an assignment (:=)",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Starred: "*",
}


def _method_names() -> Iterator[tuple[type[ast.AST], Callable[..., Node]]]:
    yield ast.Constant, _Compiler.constant
    yield ast.Name, _Compiler.name
    yield ast.BinOp, _Compiler.binary
    yield ast.UnaryOp, _Compiler.unary
    yield ast.Compare, _Compiler.compare
    yield ast.BoolOp, _Compiler.logic
    yield ast.IfExp, _Compiler.conditional
    yield ast.Attribute, _Compiler.attribute
    yield ast.Subscript, _Compiler.subscript
    yield ast.Slice, _Compiler.slice_
    yield ast.List, _Compiler.list_
    yield ast.Tuple, _Compiler.tuple_
    yield ast.Set, _Compiler.set_
    yield ast.Dict, _Compiler.dict_
    yield ast.JoinedStr, _Compiler.joined
    yield ast.FormattedValue, _Compiler.formatted
    yield ast.Call, _Compiler.call
    yield ast.Lambda, _Compiler.lambda_
    yield ast.ListComp, _Compiler.list_of
    yield ast.SetComp, _Compiler.set_of
    yield ast.DictComp, _Compiler.dict_of
    yield ast.GeneratorExp, _Compiler.generated


_COMPILE = dict(_method_names())
