"""docs/internals/map.md names modules that exist, and none twice in a walk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAP = ROOT / "docs" / "internals" / "map.md"
_FILE = re.compile(r"`([\w/]+\.(?:py|c|tsx?))`")


def walks() -> dict[str, list[str]]:
    """Return the modules that each walk names, in order."""
    text = MAP.read_text().partition("## Three walks")[2]
    parts = re.split(r"^\*\*(.+?)\*\*", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], map(_FILE.findall, parts[1::2]), strict=True))


def test_there_are_three_walks() -> None:
    assert len(walks()) == 3


@pytest.mark.parametrize("name", walks())
def test_a_walk_names_modules_that_exist_each_once(name: str) -> None:
    modules = walks()[name]
    assert len(modules) >= 9
    assert sorted(set(modules)) == sorted(modules)
    missing = [
        m for m in modules if not any((ROOT / f / m).exists() for f in ("", "src/wrongcall"))
    ]
    assert missing == []
