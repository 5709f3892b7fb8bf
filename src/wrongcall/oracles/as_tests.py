"""Answers as pytest tests: what was judged right stays right, what was judged wrong is expected to be fixed.

Only calls that can be repeated from their text become tests (see `rebuilding`). A call that was judged right is a
regression test. One that was judged wrong needs the value that the user expected, and is marked ``xfail`` (strict): it
fails as soon as the function is mended, and says to remove the mark.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from wrongcall.oracles.answer_store import KeptAnswer

HEADER = '"""Tests made from answers by: wrongcall answers --as-tests."""'
NO_ARGUMENTS = "()"
_CONSTRUCTORS = frozenset({"dict", "float", "set", "frozenset"})
_PLAIN = (
    *(ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.USub),
    *(ast.keyword, ast.expr_context),
)


@dataclass(frozen=True)
class WrittenTests:
    """A file of tests, and how many answers could not become one."""

    text: str
    count: int
    left_out: int


def written_tests(answers: Iterable[KeptAnswer], renamed: Mapping[str, str]) -> WrittenTests:
    """Return tests for the newest answer about each call; ``renamed``: present names of functions by former ones."""
    newest = {(renamed.get(a.function, a.function), a.key): a for a in answers if not a.revoked}
    made = {}
    modules = set()
    for (function, _), answer in newest.items():
        text = _test(function, answer)
        if text:
            made[f"{function} {answer.id}"] = text
            modules.add(function.partition(":")[0])
    uses_marks = any("pytest.mark" in text for text in made.values())
    imports = [
        *(["import pytest", ""] if uses_marks else []),
        *(f"import {m}" for m in sorted(modules)),
    ]
    parts = [HEADER, "\n".join(imports), *(made[name] for name in sorted(made))]
    text = "\n\n".join(part.strip("\n") for part in parts[:2]) + "\n"
    text += "".join(f"\n\n{part}" for part in parts[2:])
    return WrittenTests(text, len(made), len(newest) - len(made))


def _test(function: str, answer: KeptAnswer) -> str:
    """Return the test for an answer; empty: there is none."""
    expected = answer.result if answer.verdict == "right" else _literal(answer.expected)
    module, _, name = function.partition(":")
    if not answer.arguments or not expected or answer.verdict == "inadmissible":
        return ""
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        return ""
    if module.partition(".")[0] in sys.stdlib_module_names:
        return ""  # no function of a project: an answer that somebody sent may name `os:system`
    if "float('nan')" in expected:  # equals nothing
        return ""
    given = "" if answer.arguments == NO_ARGUMENTS else answer.arguments
    day = datetime.fromtimestamp(answer.at).strftime("%Y-%m-%d")
    said = f"{answer.verdict}, said {answer.author} on {day}"
    mark = ""
    if answer.verdict == "wrong":
        mark = f"@pytest.mark.xfail(strict=True, reason={said!r})\n"
    title = re.sub(r"\W+", "_", name).strip("_").lower()
    lines = [
        f"{mark}def test_{title}_{answer.id[:8]}():",
        f"    # {_comment(said)}",
        f"    assert {module}.{name}({given}) == {expected}",
    ]
    is_plain = _is_plain(f"dict({given})") and _is_plain(expected)
    return "\n".join(lines) + "\n" if is_plain else ""


def _comment(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _literal(text: str) -> str:
    """Return a value that a user wrote, if it is one."""
    try:
        return repr(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return ""


def _is_plain(text: str) -> bool:
    """Return whether a text is an expression of plain values: answers may come from anybody."""
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return all(map(_is_plain_node, ast.walk(node)))


def _is_plain_node(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _CONSTRUCTORS
    return isinstance(node, _PLAIN) or (isinstance(node, ast.Name) and node.id in _CONSTRUCTORS)
