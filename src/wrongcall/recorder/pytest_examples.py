"""Failing examples: of property tests and of doctests, from what pytest reports about them."""

from __future__ import annotations

from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

_BEGINNINGS = (
    "Failing test case: ",
    "Failing explicit example: ",
    "Falsifying example: ",
    "Falsifying explicit example: ",
)
"""How Hypothesis introduces the failing example; older versions call it falsifying."""
_FIRST, _FURTHER = ">>>", "..."
"""The prompts of a doctest."""


# -- property tests --------------------------------------------------------------------------------


def example_of(error: BaseException) -> str:
    """Return the failing example as a decorator, ``@example(n=0)``; empty if there is none."""
    for note in getattr(error, "__notes__", ()):
        for beginning in _BEGINNINGS:
            if isinstance(note, str) and note.startswith(beginning):
                return f"@example({_arguments(note.removeprefix(beginning))})"
    return ""


def _arguments(call: str) -> str:
    """Return the arguments of a call that Hypothesis wrote, on one line."""
    lines = call.partition("(")[2].splitlines()
    inside = [line.partition("  # ")[0].strip() for line in lines]
    text = " ".join(line for line in inside if line)
    text = text[: text.rindex(")")].strip() if ")" in text else text
    named = text.removesuffix(",")
    return named.removeprefix("self=self, ") if named.startswith("self=self, ") else named


# -- doctests --------------------------------------------------------------------------------------


def failed_example(longrepr: object) -> tuple[str, str] | None:
    """Return the source of the example that failed, and what is wrong with it; None: this is no doctest."""
    failures = getattr(longrepr, "reprlocation_lines", None)
    if not failures:
        return None
    lines = [str(line) for line in failures[0][1]]
    prompts = [i for i, line in enumerate(lines) if _prompted(line)[0] == _FIRST]
    if not prompts:
        return None
    source: list[str] = []
    rest = lines[prompts[-1] :]
    while rest and _prompted(rest[0])[0]:
        source.append(_prompted(rest.pop(0))[1])
    return "\n".join(source), _message(rest)


def _prompted(line: str) -> tuple[str, str]:
    """Split a line, ``012 >>> f()``, into its prompt and its source; without a prompt, both are empty."""
    number, _, rest = line.partition(" ")
    rest = rest.lstrip(" ")
    if not number.isdecimal() or not rest.startswith((_FIRST, _FURTHER)):
        return "", ""
    return rest[:3], rest[3:].removeprefix(" ")


def _message(lines: list[str]) -> str:
    """Return the expected and the actual output, on one line."""
    words: list[str] = []
    for line in lines:
        if line.startswith("UNEXPECTED EXCEPTION"):
            return line
        text = line.strip()
        words.append(text.lower().removesuffix(":") if line in ("Expected:", "Got:") else text)
    return " ".join(word for word in words if word)
