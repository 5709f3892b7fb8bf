"""The fields of a request, checked: an error names the field and what it should be."""

from __future__ import annotations

import json
import re
import reprlib
from typing import Any

from starlette.requests import Request

from wrongcall.errors import UsageError
from wrongcall.web.tree_snapshot import MAX_DIGITS

_MAX_BODY_BYTES = 4 << 20
_PATH_DIGITS = 4
_MAX_PATH = 500
_TOO_LARGE = 10**MAX_DIGITS

Body = dict[str, Any]


async def body(request: Request) -> Body:
    """Return the JSON object that was sent."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise UsageError("send application/json")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MAX_BODY_BYTES:
            raise UsageError(f"a request has at most {_MAX_BODY_BYTES:,} bytes")
    try:
        sent = json.loads(content or b"{}")
    except ValueError as exc:
        raise UsageError(f"not valid JSON: {exc}") from exc
    except RecursionError as exc:
        raise UsageError("the JSON is nested too deeply") from exc
    if not isinstance(sent, dict):
        raise UsageError("send a JSON object")
    return sent


def named(request: Request) -> int:
    """Return the call number in the path."""
    return int(request.path_params["call"])


def text(request: Request, name: str) -> str:
    """Return a required text parameter."""
    found = request.query_params.get(name)
    if not found:
        raise UsageError(f"{name} is missing")
    return found


def maybe(request: Request, name: str) -> int | None:
    """Return an optional number parameter."""
    found = request.query_params.get(name)
    if found is None:
        return None
    if not found.isdecimal() or not found.isascii() or len(found) > MAX_DIGITS:
        raise UsageError(
            f"{name} is a number of at most {MAX_DIGITS} digits, not {reprlib.repr(found)}"
        )
    return int(found)


def dotted(request: Request, name: str) -> str:
    """Return numbers with dots between them; an empty text if there are none."""
    found = request.query_params.get(name, "")
    if not re.fullmatch(
        rf"([0-9]{{1,{_PATH_DIGITS}}}(\.[0-9]{{1,{_PATH_DIGITS}}}){{0,{_MAX_PATH}}})?", found
    ):
        raise UsageError(f"{name} is numbers with dots between them, not {reprlib.repr(found)}")
    return found


def number(request: Request, name: str, default: int) -> int:
    """Return a number parameter, or its default."""
    found = maybe(request, name)
    return default if found is None else found


def word(sent: Body, name: str) -> str:
    """Return a text field of the body; empty if it is missing."""
    found = sent.get(name, "")
    if not isinstance(found, str):
        raise UsageError(f"{name} is a text, not {reprlib.repr(found)}")
    return _whole_characters(found, name)


def words(sent: Body, name: str) -> tuple[str, ...]:
    """Return a list of texts in the body."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"{name} is a list of texts")
    return tuple(_whole_characters(each, name) for each in found)


def _whole_characters(found: str, name: str) -> str:
    """Refuse lone surrogates: JSON can have them, but nothing that is saved or sent should."""
    try:
        found.encode()
    except UnicodeEncodeError as exc:
        raise UsageError(f"{name} has half a character: {reprlib.repr(found)}") from exc
    return found


def numbers(sent: Body, name: str) -> list[int]:
    """Return a list of numbers in the body."""
    found = sent.get(name) or []
    if not isinstance(found, list) or not all(map(_is_number, found)):
        raise UsageError(f"{name} is a list of numbers from 0 up")
    return found


def whole(sent: Body, name: str, default: int) -> int:
    """Return a number in the body, from 0 up, or its default."""
    found = sent.get(name, default)
    if not _is_number(found):
        raise UsageError(f"{name} is a number from 0 up, not {reprlib.repr(found)}")
    return int(found)


def _is_number(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and 0 <= found < _TOO_LARGE
