"""The corrected version of a recorded program: its code, and modules freshly made of it.

A *fresh* module has been executed under another name than ``__main__``, so that it defines and does
nothing else. Functions are found by their qualified names; of several with the same name (lambdas), by
which of them it is, in the order of the source. They are made from their code and given their
variables, so that neither decorators nor defaults come between a recorded call and its repetition.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from wrongcall.recording import Function, Recording

NAME = "corrected"


class UnanswerableError(BaseException):
    """The call cannot be repeated, so nothing can be said about it.

    No `Exception`, as the program that is being repeated may catch those.
    """


class Corrected:
    """The text of the corrected program."""

    def __init__(self, path: Path) -> None:
        self.code = compile(path.read_text(), str(path), "exec")
        self._functions: dict[str, list[CodeType]] = {}
        for code in _nested(self.code):
            self._functions.setdefault(code.co_qualname, []).append(code)

    def fresh(self) -> ModuleType:
        """Return a module in which everything is defined and nothing has happened."""
        # Dataclasses look for the module of a class by its name.
        module = sys.modules[NAME] = ModuleType(NAME)
        exec(self.code, module.__dict__)
        return module

    def code_of(self, recording: Recording, function: Function) -> CodeType:
        """Return the code of the function that corresponds to a recorded one."""
        alike = [
            other.id
            for other in recording.program.functions.values()
            if (other.file, other.qualname) == (function.file, function.qualname)
        ]
        return self._one_of(function.qualname, alike.index(function.id), len(alike))

    def only_code(self, qualname: str) -> CodeType:
        """Return the code of the only function with a name."""
        return self._one_of(qualname, 0, 1)

    def _one_of(self, qualname: str, index: int, count: int) -> CodeType:
        known = self._functions.get(qualname, [])
        if len(known) != count:
            raise UnanswerableError(f"there are {len(known)} functions {qualname}, not {count}")
        return known[index]


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


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
    return FunctionType(code, module.__dict__, code.co_name, None, tuple(closure))


def member_of(module: ModuleType, qualname: str) -> Any:
    """Return what has a qualified name in a module, or in builtins."""
    for start in (module, builtins):
        found: Any = start
        with contextlib.suppress(AttributeError):
            for name in qualname.split("."):
                found = getattr(found, name)
            return found
    raise UnanswerableError(f"there is no {qualname} in {module.__name__}")


def library_type(module: str, qualname: str) -> Any:
    """Return a type of a library."""
    try:
        return member_of(importlib.import_module(module), qualname)
    except ImportError as exc:
        raise UnanswerableError(f"there is no module {module}") from exc
