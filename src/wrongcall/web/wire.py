"""How the types of `contract` become JSON, and identifiers from it enums."""

from __future__ import annotations

import json
import reprlib
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TypeVar

from wrongcall.errors import UsageError

E = TypeVar("E", bound=Enum)


def to_json(content: object) -> bytes:
    """Return JSON of anything; a lone surrogate, which UTF-8 lacks, becomes its escape."""
    text = json.dumps(
        content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain
    )
    return text.encode("utf-8", "backslashreplace")  # writes it as JSON does


def plain(model: object) -> object:
    """Return what JSON has for a dataclass (its fields) or an enum (its identifier)."""
    if isinstance(model, Enum):
        return identifier(model)
    if is_dataclass(model) and not isinstance(model, type):
        return {field.name: getattr(model, field.name) for field in fields(model)}
    raise TypeError(f"{type(model).__name__} has no JSON")


def identifier(member: Enum) -> str:
    """Return what an enum's member is called between server and page."""
    return member.name.lower()


def identifiers(kind: type[Enum]) -> list[str]:
    """Return the identifiers of all members of an enum."""
    return [identifier(member) for member in kind]


def member_of(kind: type[E], name: str, what: str) -> E:
    """Return the member of an enum that is called so; the error says what there is."""
    for member in kind:
        if identifier(member) == name:
            return member
    known = ", ".join(identifiers(kind))
    raise UsageError(f"there is no {what} {reprlib.repr(name)}; there are: {known}")
