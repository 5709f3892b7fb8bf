"""The page docs/guide/oracles.md shows what the commands show: each line of it, in this order."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.ask.talking import told

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "oracles.md"
PROGRAM = """
def half(n: int) -> int:
    return n // 2


def total(numbers):
    return sum(numbers)


def main():
    return total([half(4), half(5)])


main()
"""
TYPED = """
def price(text: str) -> int:
    return float(text) * 100


def read(line: str) -> tuple[str, int]:
    name, text = line.split(";")
    return name, price(text)


def total(lines: list[str]) -> int:
    return sum(read(line)[1] for line in lines)


print(total(["tea;2", "mug;3"]))
"""


def sessions() -> list[tuple[str, list[str]]]:
    """Return the commands on the page, each with the lines that it is said to show."""
    found: list[tuple[str, list[str]]] = []
    for line in PAGE.read_text().splitlines():
        if line.startswith("    $ wrongcall "):
            found.append((line.removeprefix("    $ wrongcall "), []))
        elif not line.startswith("    ") and line and found and found[-1][1]:
            found.append(("", []))
        elif line.startswith("    ") and found and found[-1][0]:
            found[-1][1].append(line[4:])
    return [(command, lines) for command, lines in found if command]


def test_the_page_shows_what_the_commands_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WRONGCALL_ORACLES")
    monkeypatch.setenv("COLUMNS", "80")
    Path("prog.py").write_text(PROGRAM)
    Path("typed.py").write_text(TYPED)
    Path("pyproject.toml").write_text("")
    Path("test_prog.py").write_text(
        "from prog import half\n\ndef test_half():\n    assert half(8) == 4\n"
    )
    for command, expected in sessions():
        answers = [line.rpartition("> ")[2] for line in expected if "? for help > " in line]
        words = shlex.split(command)
        if words[0] == "record":
            words.insert(1, "--force")
        done = told(*words, lines=answers)
        shown = iter(done.stdout.splitlines())
        for line in expected:
            assert line in shown, (command, line, done.stdout, done.stderr)
    assert len(sessions()) >= 4
