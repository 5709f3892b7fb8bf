"""Mask secrets before anything leaves the machine.

A value is masked if the name before it sounds secret (``password='...'``, ``"api_key": "..."``), with all that is in it
(``tokens=['...', '...']``), or if it looks like a credential by itself: keys of well-known services, tokens, private
keys. Projects can add patterns. A string that was masked once is masked in the whole text, whatever it is called there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "***"
SHORTEST_REPEATED = 6
"""Shorter secrets are masked only beside their names: elsewhere they may be ordinary words."""
_NAMES = (
    r"pass(?:word|wd|phrase)?|secret|token|api_?key|access_?key|private_?key|credential|auth(?:orization)?"
    r"|cookie|session_?id|ssn|iban|card_?number|cvv|pin"
)
_NAMED = re.compile(rf"""["']?\b[\w.]*(?:{_NAMES})s?\b["']?\s*(?:[:=!]?=|:)\s*""", re.IGNORECASE)
_STRING = re.compile(
    r"""[a-z]{0,2}(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"<[^<>\n]*>|[^\s,;()\[\]{}]+")
_CUT_STRING = re.compile(r"[a-z]{0,2}['\"]", re.IGNORECASE)
_DEFAULT = re.compile(r"\s*=(?!=)\s*")
_HEADER = re.compile(r"[\"']?(?:authorization|cookie)\s*:", re.IGNORECASE)
_NEXT_WORD = re.compile(r";?[ \t]+(?=[^\s'\"=])")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\Z")
_LOOKS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",
    r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",
    r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bBearer\s+[\w.~+/=-]{8,}",
    r"(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
)


class Masking:
    """Masks what is secret in texts."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        """``more``: patterns of the project, as regular expressions; raises ``re.error``."""
        self._patterns = [re.compile(each, re.DOTALL) for each in (*_LOOKS, *more)]

    def mask(self, text: str) -> str:
        """Return a text without its secrets."""
        for pattern in self._patterns:
            text = pattern.sub(MASK, text)
        return _mask_named(text)


def _mask_named(text: str) -> str:
    parts, at, secrets = [], 0, set[str]()
    while (name := _NAMED.search(text, at)) is not None:
        parts += [text[at : name.end()], MASK]
        at = _value_end(text, name.end())
        secrets.update(
            string[0].lstrip("bBrRuUfF").strip("'\"")
            for string in _STRING.finditer(text, name.end(), at)
        )
        while (default := _DEFAULT.match(text, at)) is not None:  # `password: str = "..."`
            at = _value_end(text, default.end())
        while _HEADER.match(name[0]) and (more := _NEXT_WORD.match(text, at)) is not None:
            at = _value_end(text, more.end())
    masked = "".join(parts) + text[at:]
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_REPEATED:
            masked = masked.replace(secret, MASK)
    return masked


def _value_end(text: str, begin: int) -> int:
    """Return where the value ends that begins here: a string, or a word with all that is in brackets after it.

    If its end is missing, all of the paragraph belongs to it.
    """
    if (string := _STRING.match(text, begin)) is not None:
        return string.end()
    at, depth, is_cut = begin, 0, _CUT_STRING.match(text, begin) is not None
    if (word := _WORD.match(text, begin)) is not None:
        at = word.end()
    while at < len(text) and (depth or text[at] in "([{"):
        if (string := _STRING.match(text, at)) is not None:
            at = string.end()
        else:
            depth += (text[at] in "([{") - (text[at] in ")]}")
            at += 1
    if depth or is_cut:
        end = _PARAGRAPH_END.search(text, begin)
        assert end is not None  # every text has an end
        return end.start()
    return at
