"""Forms of what holds other values by index or key: lists, dicts, sets."""

from __future__ import annotations

from itertools import chain

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, type_name, word
from wrongcall.recording import Ref, Value
from wrongcall.replay.heap import Peek

_BRACKETS = {
    Layout.LIST: ("[", "]"),
    Layout.TUPLE: ("(", ")"),
    Layout.DICT: ("{", "}"),
    Layout.SET: ("{", "}"),
    Layout.FROZENSET: ("{", "}"),
    Layout.DEQUE: ("[", "]"),
    Layout.BYTEARRAY: ("[", "]"),
    Layout.ARRAY: ("[", "]"),
}
_SETS = frozenset({Layout.SET, Layout.FROZENSET})
_PLAIN = {"list", "tuple", "dict", "set"}
_EMPTY_ALONE = {"Counter", "OrderedDict", "frozendict"}
"""Types whose empty objects are written without brackets."""
_LIKE_PLAIN = {"sqlalchemy.orm.collections"}
"""Modules whose lists, sets and dicts stand for plain ones: people write them so."""
_KEY_WIDTH = 30
_MOST_BYTES = 1000
"""Bytes of a bytearray that are put together for a line."""


def named_tuple(peek: Peek, sight: Sight) -> Form | None:
    """Write a named tuple by its fields: ``Point(x=1, y=2)``."""
    names = peek.attr("__fields__")
    if peek.layout != Layout.TUPLE or not isinstance(names, Ref):
        return None
    fields = sight.peek(names.oid).items()
    values = peek.items()
    if len(fields) != len(values) or peek.length != len(values):
        return None
    parts = [
        (f"{word(name)}=" if name else "", value)
        for name, value in zip(fields, values, strict=True)
    ]
    module = f"{word(peek.type.module)}." if peek.type.module in ("time", "os", "sys") else ""
    return Form(f"{module}{type_name(peek)}(", ")", parts, len(parts))


def container(peek: Peek, sight: Sight) -> Form | None:
    """Write what holds others in brackets, with the type's name unless it is a plain builtin."""
    if peek.layout not in _BRACKETS:
        return None
    name = type_name(peek)
    _, _, entries, members = peek.counts
    count = peek.length + entries + members
    opening, closing = _BRACKETS[peek.layout]
    if count == 0 and (peek.layout in _SETS or name in _EMPTY_ALONE):  # as {} is a dict
        return Form(f"{name}(", ")")
    if peek.layout == Layout.TUPLE and count == 1:  # as (1) is no tuple
        closing = ",)"
    if name not in _PLAIN and peek.type.module not in _LIKE_PLAIN:
        before, after = _around(peek, sight)
        opening, closing = f"{name}({before}{opening}", f"{closing}{after})"
    parts = chain(
        (("", value) for value in few(peek.items)),
        ((f"{sight.line(key, _KEY_WIDTH)}: ", value) for key, value in few(peek.entries)),
        (("", value) for value in few(peek.members)),
    )
    return Form(opening, closing, parts, count)


def _around(peek: Peek, sight: Sight) -> tuple[str, str]:
    """Return what stands before and after the elements of a container of this type."""
    if peek.layout == Layout.DICT:
        factory = peek.attr("default_factory")
        if factory is None or isinstance(factory, Ref):
            return f"{_short_name(factory, sight)}, ", ""
    if peek.layout == Layout.DEQUE and isinstance(most := peek.attr("maxlen"), int):
        return "", f", maxlen={most}"
    if peek.layout == Layout.ARRAY and isinstance(code := peek.attr("typecode"), str):
        return f"{code!r}, ", ""
    return "", ""


def _short_name(value: Value, sight: Sight) -> str:
    """Return a class or function by its name alone, as it is written as an argument."""
    if not isinstance(value, Ref):
        return "None"
    peek = sight.peek(value.oid)
    name = peek.attr("__qualname__")
    if peek.layout in (Layout.CLASS, Layout.FUNCTION) and isinstance(name, str):
        return word(name)
    return f"<{type_name(peek)}>"


def raw_bytes(peek: Peek, _sight: Sight) -> Form | None:
    """Write a bytearray as ``bytearray(b'...')``."""
    if peek.layout != Layout.BYTEARRAY:
        return None
    items = [value for value in peek.items(0, _MOST_BYTES) if isinstance(value, int)]
    if len(items) < peek.length or not all(0 <= value < 256 for value in items):
        return None
    return Form(f"{type_name(peek)}(", ")", [("", bytes(items))], 1)


def characters(peek: Peek, sight: Sight) -> Form | None:
    """Write an array of characters as ``array('u', 'text')``, one without elements as ``array('i')``."""
    code = peek.attr("typecode")
    if peek.layout != Layout.ARRAY or not isinstance(code, str):
        return None
    if peek.length == 0:
        return Form(f"{type_name(peek)}({code!r})")
    items = peek.items() if code in "uw" and peek.length <= _MOST_BYTES else []
    texts = [value for value in items if isinstance(value, str)]
    if not texts or len(texts) < peek.length:
        return None
    return Form(f"{type_name(peek)}({code!r}, ", ")", [("", "".join(texts))], 1)
