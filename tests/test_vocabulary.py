"""Words that were replaced do not come back: docs/internals/vocabulary.md lists them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "internals" / "vocabulary.md"
SOURCES = ("src/wrongcall", "web/src")
SUFFIXES = {".py", ".pyi", ".c", ".h", ".ts", ".tsx"}
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
