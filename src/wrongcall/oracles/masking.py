"""Mask secrets before anything leaves the machine.

A value is masked if the name before it sounds secret (``password='...'``, ``"api_key": "..."``), or if it looks like a
credential by itself: keys of well-known services, tokens, private keys. Projects can add patterns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "***"
_NAMES = (
    r"pass(?:word|wd|phrase)?|secret|token|api_?key|access_?key|private_?key|credential|auth(?:orization)?"
    r"|cookie|session_?id|ssn|iban|card_?number|cvv|pin"
)
_NAMED = re.compile(
    rf"""(?P<name>["']?\b[\w.]*(?:{_NAMES})s?\b["']?\s*(?:=|:)\s*)"""
    r"""(?P<value>b?'(?:[^'\\]|\\.)*'|b?"(?:[^"\\]|\\.)*"|[^\s,;)\]}]+)""",
    re.IGNORECASE,
)
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
        text = _NAMED.sub(lambda found: f"{found['name']}{MASK}", text)
        for pattern in self._patterns:
            text = pattern.sub(MASK, text)
        return text
