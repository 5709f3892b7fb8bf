"""Type annotations as forms that recorded values can be compared with.

Names are resolved by the imports and definitions of their file alone, and only where that is safe: a builtin name that
the file binds anywhere, a class that may have instances of builtin types (a protocol, an abstract class, a typed
dictionary) and everything imported from elsewhere become `Anything`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from wrongcall.languages.python.syntax import Source
from wrongcall.languages.type_forms import (
    Anything,
    Named,
    OfProgram,
    OneOf,
    Promise,
    Promises,
    TypeForm,
    Values,
)

ANYTHING = Anything()
NONE = Named("None")
_BUILTINS = frozenset(
    {
        *("int", "float", "complex", "str", "bytes", "bool", "bytearray"),
        *("list", "tuple", "dict", "set", "frozenset"),
    }
)
_TYPING = frozenset({"typing", "typing_extensions", "collections.abc"})
_RENAMED = {
    "List": "list",
    "Dict": "dict",
    "Tuple": "tuple",
    "FrozenSet": "frozenset",
    "Text": "str",
    "LiteralString": "str",
    "TypeGuard": "bool",
    "TypeIs": "bool",
    "ByteString": "bytes",
}
_COLLECTIONS = frozenset(
    {
        *(
            "Sequence",
            "MutableSequence",
            "Iterable",
            "Iterator",
            "Collection",
            "Container",
            "Sized",
        ),
        *("Reversible", "Mapping", "MutableMapping", "AbstractSet", "MutableSet", "Callable"),
    }
)
_SAFE_BASES = frozenset(
    {
        "object",
        "Exception",
        "ValueError",
        "TypeError",
        "KeyError",
        "RuntimeError",
        "NamedTuple",
        "Enum",
    }
)
_SAFE_DECORATORS = frozenset({"dataclass", "define", "frozen", "total_ordering", "final"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEEPEST = 10


def promises_of(source: Source, definition: object) -> Promises:
    """Return what the annotations of a function say."""
    if not isinstance(definition, _FUNCTIONS) or source.tree is None:
        return Promises({}, None)
    names = _names_in(source.tree)
    parameters = {
        name: promise
        for name, annotation, is_optional, wrap in _parameters(definition.args)
        if (promise := _promise(names, annotation, is_optional, wrap)) is not None
    }
    result = None
    if not _is_generator(definition):
        result = _promise(names, definition.returns, False, "")
    return Promises(parameters, result)


@lru_cache(maxsize=32)
def _names_in(tree: ast.AST) -> _Names:
    """Return what names mean in a file; the functions of a file are asked about one after the other."""
    return _Names(tree)


def checks_parameters_only(definition: object, line: int) -> bool | None:
    """Return whether the ``assert`` at a line tests parameters and nothing else; None: there is no assert."""
    if not isinstance(definition, _FUNCTIONS):
        return None
    nodes = list(ast.walk(definition))
    for node in nodes:
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            used = {name.id for name in ast.walk(node.test) if isinstance(name, ast.Name)}
            names = [name for name in nodes if isinstance(name, ast.Name)]
            assigned = {name.id for name in names if isinstance(name.ctx, ast.Store)}
            params = {name for name, *_ in _parameters(definition.args)} - assigned
            allowed = params | {"isinstance", "len", "callable", "all", "any", *_BUILTINS}
            return bool(used & params) and used <= allowed
    return None


def _promise(
    names: _Names, annotation: ast.expr | None, is_optional: bool, wrap: str
) -> Promise | None:
    if annotation is None:
        return None
    form = names.form(annotation)
    if isinstance(form, Anything):
        return None
    if wrap == "tuple":
        form = Named("tuple", (form,), is_uniform=True)
    elif wrap == "dict":
        form = Named("dict", (ANYTHING, form))
    if is_optional:
        form = OneOf((form, NONE))
    text = annotation.value if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
    return Promise(form, " ".join(str(text).split()))


def _parameters(args: ast.arguments) -> Iterator[tuple[str, ast.expr | None, bool, str]]:
    """Iterate over parameters: name, annotation, whether None is the default, what collects several."""
    ordered = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(ordered) - len(args.defaults))
    pairs = [
        *zip(ordered, [*defaults, *args.defaults], strict=True),
        *zip(args.kwonlyargs, args.kw_defaults, strict=True),
    ]
    for arg, default in pairs:
        yield (
            arg.arg,
            arg.annotation,
            isinstance(default, ast.Constant) and default.value is None,
            "",
        )
    for several, wrap in ((args.vararg, "tuple"), (args.kwarg, "dict")):
        if several is not None:
            yield several.arg, several.annotation, False, wrap


def _is_generator(definition: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    waiting: list[ast.AST] = list(definition.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
    return False


class _Names:
    """What names mean in a file."""

    def __init__(self, tree: ast.AST) -> None:
        self._imported: dict[str, str] = {}
        """Names of `typing` and the like."""
        self._modules: set[str] = set()
        self._classes: dict[str, ast.ClassDef] = {}
        self._bound: dict[str, int] = {}
        for node in ast.walk(tree):
            self._note(node)

    def _note(self, node: ast.AST) -> None:
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                names.append(name)
                if node.module in _TYPING and not node.level:
                    is_set = node.module == "collections.abc" and alias.name == "Set"
                    self._imported[name] = "AbstractSet" if is_set else alias.name
        elif isinstance(node, ast.Import):
            names = [alias.asname or alias.name for alias in node.names]
            self._modules |= {n.asname or n.name for n in node.names if n.name in _TYPING}
        elif isinstance(node, ast.ClassDef):
            names = [node.name]
            self._classes[node.name] = node
        elif isinstance(node, _FUNCTIONS):
            names = [node.name]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names = [node.id]
        names += [each.name for each in getattr(node, "type_params", ())]
        for name in names:
            self._bound[name] = self._bound.get(name, 0) + 1

    # -- forms -------------------------------------------------------------------------------------

    def form(self, node: ast.expr, depth: int = 0) -> TypeForm:
        """Return the form of an annotation."""
        if depth > _DEEPEST:
            return ANYTHING
        if isinstance(node, ast.Constant):
            return self._constant(node.value, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return _one_of([self.form(node.left, depth + 1), self.form(node.right, depth + 1)])
        if isinstance(node, ast.Subscript):
            inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return self._generic(self._name(node.value), inside, depth + 1)
        name = self._name(node)
        if name in _BUILTINS | _COLLECTIONS:
            return Named(name)
        return OfProgram(name) if self._is_plain_class(name) else ANYTHING

    def _constant(self, value: object, depth: int) -> TypeForm:
        if value is None:
            return NONE
        if isinstance(value, str):
            try:
                return self.form(ast.parse(value.strip(), mode="eval").body, depth + 1)
            except (SyntaxError, ValueError):
                return ANYTHING
        return ANYTHING

    def _generic(self, name: str, inside: list[ast.expr], depth: int) -> TypeForm:
        if name == "Optional":
            return _one_of([self.form(inside[0], depth), NONE])
        if name == "Union":
            return _one_of([self.form(each, depth) for each in inside])
        if name == "Annotated":
            return self.form(inside[0], depth)
        if name == "Literal":
            values = [each.value for each in inside if isinstance(each, ast.Constant)]
            return Values(tuple(values)) if len(values) == len(inside) else ANYTHING
        if name == "tuple":
            return self._tuple(inside, depth)
        if name == "bool":  # TypeGuard[...]
            return Named(name)
        if name in _BUILTINS | _COLLECTIONS:
            has_parts = name in ("list", "dict", "set", "frozenset", "Sequence", "Mapping")
            parts = tuple(self.form(each, depth) for each in inside) if has_parts else ()
            return Named(name, parts)
        return ANYTHING

    def _tuple(self, inside: list[ast.expr], depth: int) -> TypeForm:
        if len(inside) == 2 and isinstance(inside[1], ast.Constant) and inside[1].value is ...:
            return Named("tuple", (self.form(inside[0], depth),), is_uniform=True)
        if any(isinstance(each, ast.Starred) for each in inside):
            return Named("tuple", (ANYTHING,), is_uniform=True)
        if len(inside) == 1 and isinstance(inside[0], ast.Tuple):  # tuple[()]
            return Named("tuple")
        return Named("tuple", tuple(self.form(each, depth) for each in inside))

    def _name(self, node: ast.expr) -> str:
        """Return what a name stands for; empty: not known."""
        if isinstance(node, ast.Attribute):
            module = ast.unparse(node.value)
            if module not in self._modules:
                return ""
            name = node.attr
            if name == "Set":
                return "AbstractSet" if module.endswith("abc") else "set"
            return _RENAMED.get(name, name)
        if not isinstance(node, ast.Name):
            return ""
        if node.id in self._imported:
            is_only = self._bound[node.id] == 1
            name = self._imported[node.id]
            return _RENAMED.get(name, "set" if name == "Set" else name) if is_only else ""
        if node.id in _BUILTINS:
            return "" if node.id in self._bound else node.id
        return node.id if node.id in self._classes else ""

    def _is_plain_class(self, name: str, depth: int = 0) -> bool:
        """Return whether the instances of a class are certainly not of builtin types."""
        node = self._classes.get(name)
        if node is None or self._bound[name] != 1 or node.keywords or depth > _DEEPEST:
            return False
        if any(_last_name(each) not in _SAFE_DECORATORS for each in node.decorator_list):
            return False
        bases = [_last_name(base) for base in node.bases]
        return all(base in _SAFE_BASES or self._is_plain_class(base, depth + 1) for base in bases)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _one_of(options: list[TypeForm]) -> TypeForm:
    return ANYTHING if ANYTHING in options else OneOf(tuple(options))


def signature_of(definition: object) -> str:
    """Return the head of a function without its body: ``def half(n: int) -> int``; empty: it is none."""
    if not isinstance(definition, _FUNCTIONS):
        return ""
    word = "async def" if isinstance(definition, ast.AsyncFunctionDef) else "def"
    result = f" -> {ast.unparse(definition.returns)}" if definition.returns is not None else ""
    return f"{word} {definition.name}({ast.unparse(definition.args)}){result}"
