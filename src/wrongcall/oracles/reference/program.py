"""The reference's code: its modules, and the code of the functions in them.

Modules are imported as the program would import them. The main module is executed under another name than
``__main__``, so that it defines things and does nothing else. Functions are found by their qualified names; of several
with the same name (lambdas), by which of them it is, in the order of the source. They are made from their code and
given their variables, so that neither decorators nor defaults come between a recorded call and its repetition.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import tokenize
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from wrongcall.oracles.reference.causes import Cause, UnanswerableError
from wrongcall.recording import Function, Recording

MAIN = "__main__"
LIVE_MAIN = "__reference_main__"
_ABSENT = object()
_HIDDEN_TYPES = [
    each
    for each in vars(types).values()
    if isinstance(each, type) and each.__module__ == "builtins"
]
"""Builtin types that `builtins` has no name for: those of None, of functions, of generators."""


class Program:
    """The reference as a program: modules by the names that they have in the recorded run."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        """``files``: the reference's file for each recorded module."""
        self.files = dict(files)
        self._codes: dict[str, dict[str, list[CodeType]]] = {}
        self._compiled: dict[str, CodeType] = {}
        self.modules: dict[str, ModuleType] = {}
        """Those that have been loaded."""

    def fresh(self) -> Program:
        """Return the same program with nothing loaded."""
        other = Program(self.files)
        other._codes, other._compiled = self._codes, self._compiled
        return other

    def is_own(self, module: str) -> bool:
        """Return whether a module belongs to the program."""
        return module in self.files

    def live_name(self, module: str) -> str:
        """Return the name under which a module is loaded."""
        return LIVE_MAIN if module == MAIN else module

    def module(self, name: str) -> ModuleType:
        """Return a module of the reference, loaded."""
        if name not in self.modules:
            self.modules[name] = self._load_main() if name == MAIN else self._imported(name)
        return self.modules[name]

    def _load_main(self) -> ModuleType:
        # Dataclasses look for the module of a class by its name.
        module = sys.modules[LIVE_MAIN] = ModuleType(LIVE_MAIN)
        path = self._path(MAIN)
        module.__file__ = str(path)
        module.__package__ = _package_of(path)
        self.execute(MAIN, module)
        return module

    def execute(self, name: str, module: ModuleType) -> None:
        """Execute the body of a module in a namespace."""
        exec(self.body(name), module.__dict__)

    def _imported(self, name: str) -> ModuleType:
        path = self._path(name)
        try:
            module = importlib.import_module(name)
        except Exception as exc:
            text = f"the reference's module {name} can't be imported: {type(exc).__name__}: {exc}"
            raise UnanswerableError(text, Cause.MISSING) from exc
        file = getattr(module, "__file__", None)
        if file is None or Path(file).resolve() != path.resolve():
            text = f"the module {name} comes from {file}, not from the reference"
            raise UnanswerableError(text, Cause.MISSING)
        return module

    def _path(self, name: str) -> Path:
        path = self.files.get(name)
        if path is None or not path.is_file():
            raise UnanswerableError(f"the reference has no module {name}", Cause.MISSING)
        return path

    # -- code --------------------------------------------------------------------------------------

    def body(self, module: str) -> CodeType:
        """Return the code of a module's body."""
        if module not in self._compiled:
            path = self._path(module)
            try:
                with tokenize.open(path) as file:
                    self._compiled[module] = compile(
                        file.read(), str(path), "exec", dont_inherit=True
                    )
            except (OSError, SyntaxError, ValueError) as exc:
                text = f"the reference's {path.name} can't be compiled: {exc}"
                raise UnanswerableError(text, Cause.MISSING) from exc
        return self._compiled[module]

    def _functions(self, module: str) -> dict[str, list[CodeType]]:
        if module not in self._codes:
            found = self._codes[module] = {}
            for code in _nested(self.body(module)):
                found.setdefault(code.co_qualname, []).append(code)
        return self._codes[module]

    def code_of(self, recording: Recording, function: Function) -> CodeType:
        """Return the code of the function that corresponds to a recorded one."""
        alike = [
            other.id
            for other in recording.program.functions.values()
            if (other.file, other.qualname) == (function.file, function.qualname)
        ]
        module = recording.program.files[function.file].module
        known = self._functions(module).get(function.qualname, [])
        if len(known) != len(alike):
            count = f"{len(known)} functions {function.qualname}, the program {len(alike)}"
            raise UnanswerableError(f"the reference has {count}", Cause.MISSING)
        return known[alike.index(function.id)]

    def only_code(self, qualname: str) -> tuple[CodeType, ModuleType]:
        """Return the code of the only function with a name, and its module."""
        found = [
            (code, module)
            for name, module in self.modules.items()
            for code in self._functions(name).get(qualname, [])
        ]
        if len(found) != 1:
            text = f"the reference has {len(found)} functions {qualname}, not 1"
            raise UnanswerableError(text, Cause.MISSING)
        return found[0]

    # -- things with names -------------------------------------------------------------------------

    def member(self, module: str, qualname: str) -> Any:
        """Return what has a qualified name in a module of the program, or of a library."""
        if self.is_own(module):
            return member_of(self.module(module), qualname)
        try:
            return member_of(importlib.import_module(module), qualname)
        except ImportError as exc:
            raise UnanswerableError(f"there is no module {module}", Cause.MISSING) from exc

    def anywhere(self, qualname: str) -> Any:
        """Return the only thing with a qualified name in the loaded modules, or in builtins."""
        every = [_member(module, qualname) for module in (*self.modules.values(), builtins)]
        every += [each for each in _HIDDEN_TYPES if each.__qualname__ == qualname]
        found = {id(each): each for each in every if each is not _ABSENT}
        own = [each for each in found.values() if getattr(each, "__qualname__", "") == qualname]
        if len(own) != 1:
            raise UnanswerableError(f"which {qualname} is meant is not known")
        return own[0]


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _package_of(path: Path) -> str:
    parts: list[str] = []
    for folder in path.parents:
        if not (folder / "__init__.py").is_file():
            break
        parts.insert(0, folder.name)
    return ".".join(parts)


def function_of(code: CodeType, module: ModuleType, cells: Mapping[str, CellType]) -> FunctionType:
    """Return a function without defaults; ``__class__`` is found by the function's name."""
    closure = []
    for name in code.co_freevars:
        if name in cells:
            closure.append(cells[name])
        elif name == "__class__":
            closure.append(CellType(member_of(module, code.co_qualname.rpartition(".")[0])))
        else:
            raise UnanswerableError(f"the variable {name} of {code.co_qualname} is not known")
    made = FunctionType(code, module.__dict__, code.co_name, None, tuple(closure))
    made.__qualname__ = code.co_qualname
    return made


def member_of(module: ModuleType, qualname: str) -> Any:
    """Return what has a qualified name in a module, or in builtins."""
    for start in (module, builtins):
        found = _member(start, qualname)
        if found is not _ABSENT:
            return found
    raise UnanswerableError(f"there is no {qualname} in {module.__name__}", Cause.MISSING)


def _member(start: Any, qualname: str) -> Any:
    found = start
    for name in qualname.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            return _ABSENT
    return found
