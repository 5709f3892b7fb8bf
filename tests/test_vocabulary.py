"""Words that were replaced do not come back: docs/internals/vocabulary.md lists them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "internals" / "vocabulary.md"
SOURCES = ("src/wrongcall", "web/src")
SUFFIXES = {".py", ".pyi", ".c", ".h", ".ts", ".tsx"}
TYPED = ("src/wrongcall", "bench", "fidelity", "tests", "tools")
"""Where Python is annotated."""
OPENED = frozenset({"Recording", "Recorded", "RecordedCalls"})
"""Types of an opened trace: the class, and the protocols for parts of it."""
PROSE = ("docs", "README.md", "CONTRIBUTING.md")
ELSEWHERE = frozenset(
    {
        # The standard library's words for a hash.
        *("digest", "compare_digest", "hexdigest", "digest_size"),
    }
)
"""Identifiers that mean something else."""
_ROW = re.compile(r"^\| (.+?) \| .+ \|(.*)\|$", re.MULTILINE)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def forbidden() -> dict[str, str]:
    """Return the words that are not used, and by what they were replaced."""
    found = {}
    for word, instead in _ROW.findall(GLOSSARY.read_text()):
        found.update({each.strip(): word for each in instead.split(",") if each.strip()})
    found.pop("instead of", None)
    return {word: use for word, use in found.items() if set(word) != {"-"}}


def sources() -> Iterator[Path]:
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if (
                path.suffix in SUFFIXES
                and ".test." not in path.name
                and "page" not in path.relative_to(ROOT).parts
            ):
                yield path


def prose() -> Iterator[Path]:
    for name in PROSE:
        path = ROOT / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.md"))


def words_in_code(text: str) -> Iterator[tuple[int, str, str]]:
    """Iterate over the parts of identifiers, also of those in strings and comments: line, identifier, word."""
    for number, line in enumerate(text.splitlines(), 1):
        for identifier in _IDENTIFIER.findall(line):
            if identifier not in ELSEWHERE:
                yield from ((number, identifier, p.lower()) for p in _PART.findall(identifier))


def test_the_glossary_has_forbidden_words() -> None:
    assert len(forbidden()) > 10
    assert forbidden()["ledger"] == "owner index"


@pytest.mark.parametrize(
    "line,expected",
    [
        ("class LedgerPage:", {"ledger", "page", "class"}),
        ("self._ledgers = old_ledger", {"self", "ledgers", "old", "ledger"}),
        ("MAX_LEDGER2", {"max", "ledger"}),
    ],
)
def test_identifiers_are_taken_apart(line: str, expected: set[str]) -> None:
    assert {word for _, _, word in words_in_code(line)} == expected


def test_replaced_words_are_in_no_source() -> None:
    words, found = forbidden(), []
    for path in sources():
        for number, identifier, word in words_in_code(path.read_text()):
            if word in words:
                where = f"{path.relative_to(ROOT)}:{number}"
                found.append(f"{where}: {identifier}: say {words[word]}, not {word}")
    assert found == []


def test_replaced_words_are_in_no_docs() -> None:
    words, found = forbidden(), []
    for path in prose():
        if path == GLOSSARY:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            replaced = set(re.findall(r"\w+", line.lower())) & words.keys()
            where = f"{path.relative_to(ROOT)}:{number}"
            found += [f"{where}: say {words[word]}, not {word}" for word in replaced]
    assert found == []


def annotated(tree: ast.AST) -> Iterator[tuple[int, str, ast.expr]]:
    """Iterate over the parameters, variables and attributes that are annotated: line, name, annotation."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation is not None:
            yield node.lineno, node.arg, node.annotation
        elif isinstance(node, ast.AnnAssign):
            target = node.target
            name = target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)
            yield node.lineno, name, node.annotation
        elif isinstance(node, ast.FunctionDef) and node.decorator_list and node.returns is not None:
            yield node.lineno, node.name, node.returns  # a property, or a fixture


def misnamed_recordings(text: str) -> list[tuple[int, str]]:
    """Return the lines that call an opened trace a trace, and the names that they use."""
    return [
        (line, name)
        for line, name, annotation in annotated(ast.parse(text))
        if "trace" in name.split("_")
        and OPENED & {n.id for n in _outside_calls(annotation) if isinstance(n, ast.Name)}
    ]


def _outside_calls(annotation: ast.expr) -> Iterator[ast.AST]:
    """Walk an annotation, but not into functions: one that opens a trace is not an opened trace."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Callable":
        return
    yield annotation
    for child in ast.iter_child_nodes(annotation):
        if isinstance(child, ast.expr):
            yield from _outside_calls(child)


@pytest.mark.parametrize(
    "text,names",
    [
        ("def f(trace: Recording): ...", ["trace"]),
        ("def f(*, old_trace: Recording | None = None): ...", ["old_trace"]),
        ("class C:\n    trace: Recording", ["trace"]),
        ("self._trace: Recording = opened", ["_trace"]),
        ("@pytest.fixture\ndef trace() -> Iterator[Recording]: ...", ["trace"]),
        ("def f(trace: RecordedCalls): ...", ["trace"]),
        ("def f(recording: Recording, trace: Path): ...", []),
        ("def f(open_trace: Callable[[Path], Recording]): ...", []),
        ("def open_trace(path: Path) -> Recording: ...", []),
    ],
)
def test_misnamed_recordings_are_found(text: str, names: list[str]) -> None:
    assert [name for _, name in misnamed_recordings(text)] == names


def test_an_opened_trace_is_called_a_recording() -> None:
    found = []
    for folder in TYPED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "programs" in path.parts or "workloads" in path.parts:
                continue  # programs to be recorded: some are in old Python
            found += [
                f"{path.relative_to(ROOT)}:{line}: {name}: an opened trace is a recording"
                for line, name in misnamed_recordings(path.read_text())
            ]
    assert found == []
