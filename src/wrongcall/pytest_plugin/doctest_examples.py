"""Doctests: the example that failed, from what pytest reports about it."""

from __future__ import annotations

import re

_PROMPT = re.compile(r"^\d+ +(>>>|\.\.\.) ?(.*)$")


def failed_example(longrepr: object) -> tuple[str, str] | None:
    """Return the source of the example that failed, and what is wrong with it; None: this is no doctest."""
    failures = getattr(longrepr, "reprlocation_lines", None)
    if not failures:
        return None
    lines = [str(line) for line in failures[0][1]]
    prompts = [i for i, line in enumerate(lines) if (m := _PROMPT.match(line)) and m[1] == ">>>"]
    if not prompts:
        return None
    source: list[str] = []
    rest = lines[prompts[-1] :]
    while rest and (match := _PROMPT.match(rest[0])):
        source.append(match[2])
        rest.pop(0)
    return "\n".join(source), _message(rest)


def _message(lines: list[str]) -> str:
    """Return the expected and the actual output, on one line."""
    words: list[str] = []
    for line in lines:
        if line.startswith("UNEXPECTED EXCEPTION"):
            return line
        text = line.strip()
        words.append(text.lower().removesuffix(":") if line in ("Expected:", "Got:") else text)
    return " ".join(word for word in words if word)
