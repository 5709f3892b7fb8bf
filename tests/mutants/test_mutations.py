"""Mutations change one function and no line number; the compiled code is the witness."""

from __future__ import annotations

import json.decoder
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from mutants.mutations import is_valid, mutations

pytestmark = pytest.mark.once

KINDS = {"operator", "constant", "condition", "argument", "statement"}


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a function does itself, without the functions inside it."""
    plain = [each for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, repr(plain), code.co_names, code.co_varnames, list(code.co_lines())


@pytest.mark.parametrize("module", [textwrap, json.decoder])
def test_only_the_named_function_changes(module: ModuleType) -> None:
    text = Path(str(module.__file__)).read_bytes()
    before = list(_codes(compile(text, "m", "exec")))
    found = [each for each in mutations(text) if is_valid(each, text)]
    assert {each.kind for each in found} == KINDS
    chosen, without_effect = found[::3], 0
    for mutation in chosen:
        after = list(_codes(compile(mutation.apply(text), "m", "exec")))
        one, other = (
            {(c.co_qualname, c.co_firstlineno): c for c in codes} for codes in (before, after)
        )
        changed = {
            name
            for name in one.keys() | other.keys()
            if name not in one or name not in other or _own(one[name]) != _own(other[name])
        }
        # What is inside a deleted statement is gone with it; closures change with the names that are used.
        outer = mutation.function.split(".<locals>")[0]
        assert all(name.split(".<locals>")[0] == outer for name, _ in changed), mutation
        without_effect += not changed
    assert (
        without_effect <= len(chosen) // 20
    )  # the compiler removes code such as `if 0 and debugging:`


def test_docstrings_defaults_and_annotations_are_left_alone() -> None:
    text = b'def f(a: int = 1 + 2) -> "x":\n    """Text."""\n    b: int = a\n    return b\n'
    assert {each.line for each in mutations(text)} == {4}
