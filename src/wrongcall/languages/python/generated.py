"""The ``__init__`` that ``dataclasses`` and ``attrs`` generate: its parameters, derived from the class's source.

Generated code is not recorded, but its effect is known: it puts each argument into the attribute of the same name.
Where that is not certain (a converter, a base class in another file), the result is None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.languages.python.syntax import Source

POST_INIT = ("__post_init__", "__attrs_post_init__")
_DECORATORS = {
    "dataclasses.dataclass",
    "attr.s",
    "attr.attrs",
    "attr.define",
    "attr.mutable",
    "attr.frozen",
    "attr.dataclass",
    "attrs.define",
    "attrs.mutable",
    "attrs.frozen",
}
_FIELDS = {"dataclasses.field", "attr.ib", "attr.attrib", "attr.field", "attrs.field"}
_NO_FIELDS = {"object", "abc.ABC", "typing.Generic", "typing.Protocol"}
SELF = "self"


@dataclass(frozen=True)
class Field:
    """A parameter of a generated ``__init__``."""

    attribute: str
    parameter: str
    keyword_only: bool
    default: ast.expr | None
    changed: bool
    """The attribute may differ from the argument: it is converted, or not kept at all."""


def generated_init(source: Source, definition: ast.ClassDef) -> tuple[Field, ...] | None:
    """Return the parameters of the ``__init__`` generated for a class; None if not certain."""
    decorator = _decorator(source, definition)
    if decorator is None or "__init__" in _methods(definition):
        return None
    options = _options(decorator)
    if options is None or options.get("init", True) is not True:
        return None
    found: dict[str, Field] = {}
    for base in definition.bases:
        name = _full_name(source, base.value if isinstance(base, ast.Subscript) else base)
        if name in _NO_FIELDS:
            continue
        inner = _class_of(source, base)
        fields = None if inner is None else generated_init(source, inner)
        if fields is None:
            return None
        found |= {field.attribute: field for field in fields}
    named = options.get("kw_only", False)
    own = _own_fields(source, definition, bool(named))
    if own is None or not isinstance(named, bool):
        return None
    return tuple((found | own).values())


def signature(fields: tuple[Field, ...]) -> ast.Lambda:
    """Return a function with the parameters of a generated ``__init__``."""
    plain = [field for field in fields if not field.keyword_only]
    named = [field for field in fields if field.keyword_only]
    defaults = [field.default for field in plain if field.default is not None]
    args = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(arg=SELF), *(ast.arg(arg=field.parameter) for field in plain)],
        vararg=None,
        kwonlyargs=[ast.arg(arg=field.parameter) for field in named],
        kw_defaults=[field.default for field in named],
        kwarg=None,
        defaults=defaults,
    )
    return ast.Lambda(args=args, body=ast.Constant(value=None))


def _methods(definition: ast.ClassDef) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in definition.body if isinstance(node, functions)}


def _decorator(source: Source, definition: ast.ClassDef) -> ast.expr | None:
    if len(definition.decorator_list) != 1:
        return None  # any other decorator may do anything
    (found,) = definition.decorator_list
    called = found.func if isinstance(found, ast.Call) else found
    return found if _full_name(source, called) in _DECORATORS else None


def _options(call: ast.expr) -> dict[str, object] | None:
    """Return the options of a decorator or field that are literals; None if not certain."""
    if not isinstance(call, ast.Call):
        return {}
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    return {
        keyword.arg or "": keyword.value.value
        if isinstance(keyword.value, ast.Constant)
        else keyword
        for keyword in call.keywords
    }


def _own_fields(source: Source, definition: ast.ClassDef, named: bool) -> dict[str, Field] | None:
    found: dict[str, Field] = {}
    for name, annotation, value in _assignments(definition):
        kind = _full_name(source, annotation) if annotation is not None else ""
        if kind in ("typing.ClassVar", "ClassVar"):
            continue
        if kind == "dataclasses.KW_ONLY":
            named = True
            continue
        is_field = isinstance(value, ast.Call) and _full_name(source, value.func) in _FIELDS
        if annotation is None and not is_field:
            continue
        if isinstance(annotation, ast.Constant):
            return None  # text that may mean anything
        options = _options(value) if is_field and value is not None else {}
        if options is None:
            return None
        if options.get("init", True) is False:
            continue
        default = value
        if is_field and isinstance(value, ast.Call):
            given = {k.arg: k.value for k in value.keywords}
            default = given.get("default") or given.get("default_factory") or given.get("factory")
            if value.args:
                return None
        alias = options.get("alias")
        parameter = alias if isinstance(alias, str) else name
        if isinstance(value, ast.Call) and is_field and not _is_dataclass(source, value.func):
            parameter = parameter.lstrip("_")
        found[name] = Field(
            attribute=name,
            parameter=parameter,
            keyword_only=options.get("kw_only", named) is not False,
            default=default,
            changed="converter" in options or kind == "dataclasses.InitVar",
        )
    return found


def _is_dataclass(source: Source, node: ast.expr) -> bool:
    return _full_name(source, node).startswith("dataclasses.")


def _assignments(
    definition: ast.ClassDef,
) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    for node in definition.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.annotation, node.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, None, node.value


def _class_of(source: Source, base: ast.expr) -> ast.ClassDef | None:
    """Return the class with a name, if the file has exactly one."""
    body = source.tree.body if source.tree is not None else []
    found = [n for n in body if isinstance(n, ast.ClassDef) and _is_named(base, n.name)]
    return found[0] if len(found) == 1 else None


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _full_name(source: Source, node: ast.expr) -> str:
    """Resolve a name by the imports of its file: ``dataclasses.field`` for ``field``."""
    if isinstance(node, ast.Subscript):
        return _full_name(source, node.value)
    if isinstance(node, ast.Attribute):
        return f"{_full_name(source, node.value)}.{node.attr}"
    return source.imported.get(node.id, node.id) if isinstance(node, ast.Name) else ""
