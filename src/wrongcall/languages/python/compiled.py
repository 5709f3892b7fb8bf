"""What two texts of a module have in common: the code of their functions, and what the modules define.

Code is compared as it is compiled, without the lines it stands on. So comments and formatting make no difference, and
what depends on the surroundings does: which names are free variables, how private names are mangled, what
``from __future__`` has switched on. Code contains that of the functions defined in it, and the decorators, defaults and
annotations of a function belong to the code that defines it.

Vocabulary: the *skeleton* of a module is what its body and the bodies of its classes say, without the bodies of
functions. A *loose* name is bound by the module to plain data or to something of the standard library; it is no part of
the skeleton.

Invariant: where anything is uncertain (text that can't be compiled, several functions with one name), it counts as
different.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any

from wrongcall.trace.format.program_tables import Function

_COMPREHENSION = re.compile(r"<(?:listcomp|setcomp|dictcomp|genexpr)>\.(?:<locals>\.)?")
_IN_PLACE = re.compile(r"<(?:listcomp|setcomp|dictcomp|genexpr|generic parameters of .*)>")
"""Code that runs as part of what contains it."""
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_DATA = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp)
_BARE = (ast.Load, ast.operator, ast.unaryop)
_FIXED_NAMES = frozenset({"__all__", "__path__"})
"""Names whose data the interpreter reads."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DATA = "data "
"""What the meanings of names that are bound to plain data begin with."""


@dataclass(frozen=True)
class Defined:
    """What a module defines when its body runs."""

    skeleton: str
    loose: Mapping[str, str]
    """What loose names are bound to."""
    reads: frozenset[str]
    """The names and attributes that the skeleton reads."""


@dataclass
class Compiled:
    """One text of a module."""

    text: str
    _shapes: dict[int, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def module(self) -> CodeType | None:
        """The code of the module's body; None: the text can't be compiled."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # they are about the program, not about reading it
                tree = _on_one_line(ast.parse(self.text))
                return compile(tree, "<recorded>", "exec", dont_inherit=True, optimize=0)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def codes(self) -> dict[str, list[CodeType]]:
        """The code of all functions and classes, by qualified name."""
        found: dict[str, list[CodeType]] = {}
        for code in _nested(self.module) if self.module is not None else ():
            found.setdefault(_COMPREHENSION.sub("", code.co_qualname), []).append(code)
        return found

    def shape(self, code: CodeType) -> Any:
        """Return what a code object says, without lines and files."""
        if id(code) not in self._shapes:
            self._shapes[id(code)] = (
                code.co_name,
                code.co_flags,
                (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
                (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars),
                code.co_code,
                code.co_exceptiontable,
                tuple(map(self._constant, code.co_consts)),
            )
        return self._shapes[id(code)]

    def own_shape(self, code: CodeType) -> Any:
        """Return the same without the code of the functions and classes that it defines."""
        constants = (each for each in code.co_consts if not isinstance(each, CodeType))
        inner = (each for each in code.co_consts if isinstance(each, CodeType))
        nested = tuple(
            self.own_shape(each)
            if _IN_PLACE.match(each.co_name)
            else (each.co_name, each.co_flags, each.co_freevars)
            for each in inner
        )
        return (*self.shape(code)[:-1], tuple(map(self._constant, constants)), nested)

    def _constant(self, value: Any) -> Any:
        if isinstance(value, CodeType):
            return self.shape(value)
        if isinstance(value, tuple):
            return tuple(map(self._constant, value))
        if isinstance(value, frozenset):
            return frozenset(map(self._constant, value))
        return type(value), repr(value)  # -0.0 and 0.0 are equal, and so are 1 and True

    def uses(self, name: str) -> frozenset[str]:
        """Return the names, attributes and texts in the code of functions with a qualified name."""
        found: set[str] = set()
        for code in self.codes.get(name, ()):
            for each in (code, *_nested(code)):
                found.update(each.co_names)
                found.update(c for c in each.co_consts if isinstance(c, str))
        return frozenset(found)

    @cached_property
    def defined(self) -> Defined:
        """What the module defines."""
        tree = ast.parse(self.text)
        loose: dict[str, str] = {}
        kept: list[ast.stmt] = []
        for statement in _without_text(tree.body):
            kept += _loosened(statement, loose)
        tree.body = kept
        bare = _Bare().visit(tree)
        loads = [node for node in ast.walk(bare) if isinstance(node, ast.Name | ast.Attribute)]
        reads = (node.id if isinstance(node, ast.Name) else node.attr for node in loads)
        return Defined(ast.dump(bare), loose, frozenset(reads))


def _on_one_line(tree: ast.Module) -> ast.Module:
    """Put everything on the first line: from 3.13 on, the body of a class binds the line it begins on."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.excepthandler | ast.pattern):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
        elif (
            "lineno" in node._attributes
        ):  # arguments, keywords, names that are imported, type parameters
            vars(node).update(lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)
    return tree


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def changed_functions(
    recorded: Compiled, other: Compiled, functions: Iterable[Function]
) -> set[int]:
    """Return which functions of a recorded module have other code in another text of it."""
    known = list(functions)
    if recorded.module is None or other.module is None:
        return {function.id for function in known}
    if recorded.shape(recorded.module) == other.shape(other.module):
        return set()
    same = {
        name
        for name, codes in recorded.codes.items()
        if list(map(recorded.shape, codes)) == list(map(other.shape, other.codes.get(name, [])))
    }
    by_number = {function.id: function for function in known}

    def is_same(function: Function | None) -> bool:
        # What a function that is the same defines is the same, too, whatever it is called.
        while function is not None and function.kind != "module":
            if function.qualname in same:
                return True
            function = by_number.get(function.outer)
        return False

    return {function.id for function in known if not is_same(function)}


def changed_themselves(
    recorded: Compiled, other: Compiled, functions: Iterable[Function]
) -> set[int]:
    """Return which functions execute other statements themselves, whatever the functions that they define do."""
    known = list(functions)
    changed = changed_functions(recorded, other, known)
    if recorded.module is None or other.module is None:
        return changed
    bodies = {**recorded.codes, "<module>": [recorded.module]}
    theirs = {**other.codes, "<module>": [other.module]}

    def is_same(name: str) -> bool:
        codes = bodies.get(name)
        shapes = [other.own_shape(code) for code in theirs.get(name, [])]
        return codes is not None and [recorded.own_shape(code) for code in codes] == shapes

    return {f.id for f in known if f.id in changed and not is_same(f.qualname)}


def makes_generators(compiled: Compiled, function: Function) -> bool:
    """Return whether a function has generator expressions, which may run after it has ended."""
    name = function.qualname
    codes = [compiled.module] if function.kind == "module" else compiled.codes.get(name)
    if not codes or codes == [None]:
        return True  # not known
    return any(
        inner.co_name == "<genexpr>"
        for code in codes
        if code is not None
        for inner in _nested(code)
    )


def define_the_same(
    one: Defined, other: Defined, reads: frozenset[str], uses: frozenset[str]
) -> bool:
    """Return whether two modules define the same, as far as it matters.

    ``reads``: the names that any skeleton of the program reads; ``uses``: those in code that is the same.
    Data is state: where names are bound to other data, calls are given what was recorded.
    """
    if one.skeleton != other.skeleton:
        return False
    for name in one.loose.keys() | other.loose.keys():
        mine, its = one.loose.get(name, ""), other.loose.get(name, "")
        if mine == its:
            continue
        are_data = mine.startswith(DATA) and its.startswith(DATA)
        if name in reads or (not are_data and (name in uses or hasattr(builtins, name))):
            return False
    return True


def mentioned(text: str) -> frozenset[str]:
    """Return all parts of names of modules that a text may import."""
    found: set[str] = set()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset(re.findall(r"\w+", text))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found.update(part for name in names for part in name.split("."))
        elif isinstance(node, ast.Constant):
            text = node.value if isinstance(node.value, str) else ""
            found.update(text.split(".") if _DOTTED.fullmatch(text) else ())
    return frozenset(found)


# -- what a module defines ---------------------------------------------------------------------------


class _Bare(ast.NodeTransformer):
    """Takes the bodies of functions out of a tree, and what describes classes."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = []
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.body = []
        return self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        node.body = ast.Constant(None)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_text(node.body)
        return self.generic_visit(node)


def _without_text(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a body without its docstring."""
    first = body[0].value if body and isinstance(body[0], ast.Expr) else None
    is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return body[1:] if is_text else body


def _loosened(statement: ast.stmt, loose: dict[str, str]) -> list[ast.stmt]:
    """Note the loose names that a statement of a module binds; return what is left of it."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return _loose_imports(statement, loose)
    if isinstance(statement, ast.Assign):
        names = [each.id for each in statement.targets if isinstance(each, ast.Name)]
        if len(names) < len(statement.targets) or not _is_data(statement.value):
            return [statement]
        meaning = DATA + ast.dump(statement.value)
    else:
        return [statement]
    if _FIXED_NAMES & set(names) or loose.keys() & set(names):
        return [statement]
    loose.update(dict.fromkeys(names, meaning))
    return []


def _loose_imports(statement: ast.Import | ast.ImportFrom, loose: dict[str, str]) -> list[ast.stmt]:
    source = getattr(statement, "module", "") or ""
    for alias in statement.names:
        top = (source or alias.name).partition(".")[0]
        is_known = top in sys.stdlib_module_names and top != "__future__"
        name = alias.asname or alias.name.partition(".")[0]
        is_known &= alias.name != "*" and not getattr(statement, "level", 0)
        if not is_known or loose.get(name, "").startswith(DATA):
            return [statement]
    for alias in statement.names:
        name = alias.asname or alias.name.partition(".")[0]
        loose[name] = f"{loose.get(name, '')} {source}:{alias.name} as {alias.asname}"
    return []


def _is_data(value: ast.expr) -> bool:
    return all(isinstance(node, (*_DATA, *_BARE)) for node in ast.walk(value))
