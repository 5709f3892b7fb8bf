"""Forms of what holds other values by index or key: lists, dicts, sets."""

from __future__ import annotations

from itertools import chain

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, type_name
from wrongcall.trace.heap import Peek

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
_KEY_WIDTH = 30


def container(peek: Peek, sight: Sight) -> Form | None:
    """Write what holds others in brackets, with the type's name unless it is a plain builtin."""
    if peek.layout not in _BRACKETS:
        return None
    name = type_name(peek)
    _, _, entries, members = peek.counts
    count = peek.length + entries + members
    opening, closing = _BRACKETS[peek.layout]
    if peek.layout in _SETS and count == 0:  # as {} is a dict
        return Form(f"{name}(", ")")
    if peek.layout == Layout.TUPLE and count == 1:  # as (1) is no tuple
        closing = ",)"
    if name not in _PLAIN:
        opening, closing = f"{name}({opening}", f"{closing})"
    parts = chain(
        (("", value) for value in few(peek.items)),
        ((f"{sight.line(key, _KEY_WIDTH)}: ", value) for key, value in few(peek.entries)),
        (("", value) for value in few(peek.members)),
    )
    return Form(opening, closing, parts, count)
