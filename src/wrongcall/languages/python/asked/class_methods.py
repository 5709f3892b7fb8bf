"""The special methods that classes of the program define, read off their source.

A class without `__eq__`, `__bool__` and the like treats its objects as Python does by default, so operators on them are
known without running anything. Where the source does not tell (a base class of a library, a decorator that may add
methods, two classes of one name), nothing is concluded.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from wrongcall.languages.python.sources import Sources
from wrongcall.trace.format.program_tables import Program

_HARMLESS_BASES = frozenset(
    {"ABC", "Generic", "Protocol", "NamedTuple", "Enum", "IntEnum", "IntFlag", "StrEnum"}
)
_FLAG = frozenset({"__bool__", "__contains__", "__iter__", "__len__"})
_BUILTIN_BASES = frozenset(
    {"object", "list", "dict", "set", "frozenset", "tuple", "int", "float", "str", "bytes"}
    | {
        name
        for name, found in vars(builtins).items()
        if isinstance(found, type) and issubclass(found, BaseException)
    }
)
_HARMLESS_DECORATORS = frozenset({"final", "unique", "runtime_checkable", "abstractmethod"})
_DATACLASS = frozenset({"__eq__", "__repr__", "__hash__"})
_ORDER = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})
_DEEPEST = 20


class ClassMethods:
    """Knows the special methods of classes."""

    def __init__(self, program: Program, sources: Sources) -> None:
        self._program = program
        self._sources = sources
        self._known: dict[tuple[str, str], frozenset[str] | None] = {}

    def of(self, module: str, qualname: str) -> frozenset[str] | None:
        """Return the names of the special methods that a class defines or inherits; None if not known."""
        key = (module, qualname)
        if key not in self._known:
            self._known[key] = self._find(module, qualname, 0)
        return self._known[key]

    def defines(self, module: str, qualname: str) -> bool:
        """Return whether the program's source may have a class of this name."""
        files = [f.id for f in self._program.files.values() if f.module == module]
        parsed = all(self._sources.of_file(number).tree is not None for number in files)
        return not parsed or bool(self._classes(module, qualname))

    def _classes(self, module: str, qualname: str) -> list[ast.ClassDef]:
        files = (file.id for file in self._program.files.values() if file.module == module)
        trees = (self._sources.of_file(number).tree for number in files)
        parts = qualname.split(".")
        return [node for tree in trees if tree is not None for node in _classes(tree, parts)]

    def _find(self, module: str, qualname: str, depth: int) -> frozenset[str] | None:
        found = self._classes(module, qualname)
        if len(found) != 1 or depth > _DEEPEST:
            return None
        return self._methods(module, found[0], depth)

    def _methods(self, module: str, node: ast.ClassDef, depth: int) -> frozenset[str] | None:
        names = {*_own(node)}
        for decorator in node.decorator_list:
            added = _added(decorator)
            if added is None:
                return None
            names |= added
        if any(
            keyword.arg != "metaclass" or _last(keyword.value) != "ABCMeta"
            for keyword in node.keywords
        ):
            return None
        for base in node.bases:
            inherited = self._base(module, base, depth)
            if inherited is None:
                return None
            names |= inherited
        return frozenset(names)

    def _base(self, module: str, base: ast.expr, depth: int) -> frozenset[str] | None:
        if isinstance(base, ast.Subscript):
            base = base.value
        name = _last(base)
        if name in _HARMLESS_BASES:
            return frozenset()
        if name == "Flag":
            return _FLAG
        if not isinstance(base, ast.Name):
            return None
        mine = self._find(module, name, depth + 1)
        if mine is not None:
            return mine
        number = next((f.id for f in self._program.files.values() if f.module == module), 0)
        origin = _imported(self._sources.of_file(number).tree, name) if number else None
        if origin is not None:
            return self._find(*origin, depth + 1)
        return frozenset() if name in _BUILTIN_BASES else None


def _classes(tree: ast.AST, names: list[str]) -> Iterator[ast.ClassDef]:
    """Iterate over the classes of a qualified name, inside functions too."""
    if not names:
        return
    if names[0] == "<locals>":
        names = names[1:]
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == names[0]:
                if len(names) == 1 and isinstance(node, ast.ClassDef):
                    yield node
                yield from _classes(node, names[1:])
        elif isinstance(node, ast.stmt | ast.ExceptHandler):
            yield from _classes(node, names)


def _own(node: ast.ClassDef) -> Iterator[str]:
    """Iterate over the special names that the body of a class binds."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
            name = inner.name
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            name = inner.id
        else:
            continue
        if name.startswith("__") and name.endswith("__"):
            yield name


def _added(decorator: ast.expr) -> frozenset[str] | None:
    """Return the special methods that a decorator may add; None if not known."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = _last(call)
    if name == "dataclass":
        return _DATACLASS | _ORDER
    if name == "total_ordering":
        return _ORDER
    return frozenset() if name in _HARMLESS_DECORATORS else None


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _imported(tree: ast.Module | None, name: str) -> tuple[str, str] | None:
    """Return the module and the name that an import at the top of a file binds a name to."""
    for node in tree.body if tree is not None else ():
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return node.module or "", alias.name
    return None
