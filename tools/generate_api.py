"""Generate web/src/api.ts from the contract of server and page: wrongcall.web.contract.

    generate_api.py [--check]

Run it with an environment's python that has wrongcall installed. With --check nothing is written; the
exit status tells whether the file is up to date.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from wrongcall.web import contract
from wrongcall.web.wire import identifiers

TARGET = Path(__file__).resolve().parents[1] / "web" / "src" / "api.ts"
HEADER = """\
// The JSON between server and page. Generated from src/wrongcall/web/contract.py by tools/generate_api.py:
// change the contract, then run `make format`.
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
WIDTH = 120


class Declarations:
    """TypeScript declarations of Python types, each made once, after those that it needs."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}
        self._underway: set[str] = set()
        self._aliases = {_key(kind): name for name, kind in contract.ALIASES.items()}

    def text(self) -> str:
        """Return all declarations that were made."""
        return "\n".join(self._made.values())

    def written(self, kind: Any) -> str:
        """Return how TypeScript writes a type; what it names is declared."""
        alias = self._aliases.get(_key(kind))
        if alias:
            self._declare(alias, lambda: f"export type {alias} = {self._inline(kind)};\n")
            return alias
        return self._inline(kind)

    def _inline(self, kind: Any) -> str:
        if kind in PLAIN:
            return PLAIN[kind]
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return " | ".join(f'"{value}"' for value in arguments)
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.written(each) for each in arguments))
        if origin is tuple and arguments[-1] is not Ellipsis:
            return f"[{', '.join(self.written(each) for each in arguments)}]"
        if origin in (list, tuple, Sequence):
            inner = self.written(arguments[0])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        return self._named(kind)

    def _named(self, kind: type) -> str:
        name = contract.PAGE_NAMES.get(kind, kind.__name__)
        if issubclass(kind, Enum):
            self._declare(name, lambda: _union(name, identifiers(kind), kind.__doc__))
        elif is_typeddict(kind) or is_dataclass(kind):
            self._declare(name, lambda: self._interface(name, kind))
        else:
            raise TypeError(f"the contract cannot have a {kind}")
        return name

    def _declare(self, name: str, make: Any) -> None:
        if name not in self._made and name not in self._underway:
            self._underway.add(name)
            made = make()
            self._made[name] = made
            self._underway.remove(name)

    def _interface(self, name: str, kind: type) -> str:
        bases, docs = _bases(kind), _field_docs(kind)
        inherited = {field for base in bases for field in get_type_hints(base)}
        lines = []
        for field, hint in _fields(kind):
            if field not in inherited:
                lines += [f"  /** {docs[field]} */"] if field in docs else []
                lines += [f"  {field}{self._typed(hint)};"]
        if not lines:
            return f"{_doc(kind.__doc__)}export type {name} = Record<string, never>;\n"
        extends = f" extends {', '.join(map(self.written, bases))}" if bases else ""
        return "\n".join([
            f"{_doc(kind.__doc__)}export interface {name}{extends} {{", *lines, "}\n",
        ])  # fmt: skip

    def _typed(self, hint: Any) -> str:
        if get_origin(hint) is NotRequired:
            return f"?: {self.written(get_args(hint)[0])}"
        return f": {self.written(hint)}"


def _key(kind: Any) -> Any:
    """Return what tells types apart: unions are equal whatever their order is."""
    origin = get_origin(kind)
    return (origin, get_args(kind)) if origin else kind


def _union(name: str, members: list[str], doc: str | None) -> str:
    quoted = [f'"{member}"' for member in members]
    one = f"export type {name} = {' | '.join(quoted)};"
    if len(one) > WIDTH:
        one = f"export type {name} =\n" + "\n".join(f"  | {each}" for each in quoted) + ";"
    return f"{_doc(doc)}{one}\n"


def _doc(text: str | None) -> str:
    first = (text or "").strip().split("\n")[0]
    return f"/** {first} */\n" if first and not first.startswith("dict(") else ""


def _bases(kind: type) -> list[type]:
    """Return the models that a model extends. (3.11 forgets those of a TypedDict: its source has them.)"""
    module = sys.modules[kind.__module__]
    source = _source(kind)
    names = [base.id for base in source.bases if isinstance(base, ast.Name)] if source else []
    bases = [getattr(module, name) for name in names]
    return [base for base in bases if is_typeddict(base) or is_dataclass(base)]


def _fields(kind: type) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(hints)
    return ((name, hints[name]) for name in names)


def _source(kind: type) -> ast.ClassDef | None:
    """Return the source of a class; None: it was made by a call."""
    tree = ast.parse(inspect.getsource(sys.modules[kind.__module__]))
    found = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return next((node for node in found if node.name == kind.__name__), None)


def _field_docs(kind: type) -> dict[str, str]:
    """Return the strings that stand below the fields of a class in its source."""
    source = _source(kind)
    body = source.body if source else []
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in itertools.pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def _property(path: str) -> str:
    return path if path.isidentifier() else f'"{path}"'


def api() -> str:
    """Return the text of api.ts."""
    made = Declarations()
    answers = [
        f"  {_property(request.path)}: {made.written(request.answer)};" for request in contract.GETS
    ]
    exchanges = [
        f"  {_property(request.path)}: "
        f"{{ sent: {made.written(request.sent)}; answer: {made.written(request.answer)} }};"
        for request in contract.POSTS
    ]
    made.written(contract.Failure)
    return "\n".join([
        HEADER,
        made.text(),
        "/** What each GET answers. */",
        "export interface Answers {", *answers, "}",
        "",
        "/** What each POST sends and answers. */",
        "export interface Exchanges {", *exchanges, "}",
        "",
    ])  # fmt: skip


def main(arguments: list[str]) -> int:
    """Write the file, or check it."""
    wanted = api()
    if "--check" not in arguments:
        TARGET.write_text(wanted)
        return 0
    if TARGET.exists() and TARGET.read_text() == wanted:
        return 0
    print("web/src/api.ts is stale: run `make format`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
