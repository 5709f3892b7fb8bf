"""The arguments of requests: read one by one, with a clear error for a client that sends something else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from wrongcall.errors import UsageError

T = TypeVar("T")
_NAMES = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


class Arguments:
    """What a request asks for."""

    def __init__(self, fields: object, where: str) -> None:
        if fields is not None and not isinstance(fields, Mapping):
            raise UsageError(f"{where}: the arguments are not an object")
        self._fields: Mapping[str, Any] = fields or {}
        self._where = where

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; without a default it must be there."""
        return self._get(name, str, default)

    def number(self, name: str, default: int | None = None) -> int:
        """Return a whole number."""
        return self._get(name, int, default)

    def flag(self, name: str, default: bool = False) -> bool:
        """Return a truth value."""
        return self._get(name, bool, default)

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; empty if it is not there."""
        found: list[Any] = self._get(name, list, [])
        if not all(isinstance(each, str) for each in found):
            raise UsageError(f"{self._where}: {name!r} is not a list of texts")
        return found

    def each(self, name: str) -> list[Arguments]:
        """Return a list of objects; empty if it is not there."""
        found: list[Any] = self._get(name, list, [])
        return [Arguments(each, f"{self._where}: {name}") for each in found]

    def inner(self, name: str) -> Arguments:
        """Return an object; an empty one if it is not there."""
        return Arguments(self._get(name, dict, {}), f"{self._where}: {name}")

    def has(self, name: str) -> bool:
        """Return whether there is such a field."""
        return self._fields.get(name) is not None

    def items(self, name: str) -> dict[str, Any]:
        """Return an object as it is."""
        return self._get(name, dict, {})

    def _get(self, name: str, kind: type[T], default: T | None) -> T:
        found = self._fields.get(name)
        if found is None:
            if default is None:
                raise UsageError(f"{self._where}: {name!r} is missing")
            return default
        if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
            raise UsageError(f"{self._where}: {name!r} is not {_NAMES[kind]}: {found!r:.60}")
        return found
