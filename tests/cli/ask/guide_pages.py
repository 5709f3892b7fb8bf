"""Pages of docs/guide that show commands and what they print: read for the tests that run them."""

from __future__ import annotations

import re
from pathlib import Path

_ANSWER = re.compile(r"^.*for help > (.*)$")
_FILE = re.compile(r'^```python title="(\w+\.py)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)


def sessions(page: Path) -> list[tuple[str, list[str]]]:
    """Return the commands on a page, each with what it is said to show."""
    found: list[tuple[str, list[str]]] = []
    for line in page.read_text("utf-8").splitlines():
        if line.startswith("    $ "):
            found.append((line.removeprefix("    $ "), []))
        elif found and (line.startswith("    ") or not line):
            found[-1][1].append(line[4:])
        elif found and line.startswith("##"):
            found.append(("", []))  # the lines that follow belong to no command
    return [(command, _trimmed(lines)) for command, lines in found if command]


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def answers_in(dialogue: list[str]) -> list[str]:
    """Return what the user types in a dialogue."""
    return [match[1] for line in dialogue if (match := _ANSWER.match(line))]


def write_files_of(page: Path, folder: Path) -> None:
    """Write the files whose source a page shows."""
    for name, source in _FILE.findall(page.read_text("utf-8")):
        (folder / name).write_text(source, "utf-8")
