"""Forms of objects of libraries: their type, and what says which one it is."""

from __future__ import annotations

from wrongcall.analysis.effects.library_insides import is_library_type
from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.present.text import safe
from wrongcall.recording import Ref
from wrongcall.replay.heap import Peek
from wrongcall.trace.read.values import Missing, Value

RECORDS = frozenset({"dataclass", "attrs", "pydantic", "sqlalchemy", "django", "namedtuple"})
"""Kinds of classes that are written by their fields, whichever library defines them."""
_NAMES = ("__qualname__", "__name__")
"""Attributes that are what an object is called."""
_TELLING = (
    "name",
    "id",
    "key",
    "title",
    "method",
    "path",
    "url",
    "filename",
    "status_code",
    "status",
    "code",
    "host",
    "port",
    "msg",
    "body",
    "content",
)
"""Attributes that say which object it is."""
_MOST = 3


def is_closed(peek: Peek) -> bool:
    """Return whether an object is a library's, whose inside is not shown unless asked for."""
    if peek.layout not in (Layout.INSTANCE, Layout.OPAQUE) or peek.type.kind in RECORDS:
        return False
    return is_library_type(peek.type)


def library_object(peek: Peek, sight: Sight) -> Form | None:
    """Write an object of a library by its type and at most a few plain attributes."""
    if not is_closed(peek):
        return None
    there = set(peek.names())
    for name in _NAMES:
        called = peek.attr(name) if name in there else None
        if isinstance(called, str):
            return Form(f"<{type_name(peek)} {safe(called)}>")
    asked = _request(peek, sight)
    if asked:
        return Form(f"<{type_name(peek)} {asked}>")
    found = [(name, peek.attr(name)) for name in _TELLING if name in there]
    told = [(f"{name}=", value) for name, value in found if _is_plain(value)][:_MOST]
    return Form(f"<{type_name(peek)}{' ' if told else ''}", ">", told, len(told))


def _request(peek: Peek, sight: Sight) -> str:
    """Return method and path of a request, which ASGI frameworks keep in its scope; else nothing."""
    scope = peek.attr("scope")
    if not isinstance(scope, Ref) or sight.peek(scope.oid).layout != Layout.DICT:
        return ""
    entries = dict(sight.peek(scope.oid).entries())
    words = (entries.get("method"), entries.get("path"))
    return " ".join(safe(word) for word in words if isinstance(word, str))


def _is_plain(value: Value) -> bool:
    return not isinstance(value, Ref | Missing) and value is not None and value != ""
