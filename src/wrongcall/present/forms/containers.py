"""Forms of what holds other values by index or key: lists, dicts, sets, arrays."""

from __future__ import annotations

from itertools import chain

import numpy as np

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, few, type_name, word
from wrongcall.present.text import fit
from wrongcall.trace import Value
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
_LIKE_PLAIN = {"sqlalchemy.orm.collections"}
"""Modules whose lists, sets and dicts stand for plain ones: people write them so."""
_KEY_WIDTH = 30
_SHAPE_WIDTH = 30


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
    if name not in _PLAIN and peek.type.module not in _LIKE_PLAIN:
        opening, closing = f"{name}({opening}", f"{closing})"
    parts = chain(
        (("", value) for value in few(peek.items)),
        ((f"{sight.line(key, _KEY_WIDTH)}: ", value) for key, value in few(peek.entries)),
        (("", value) for value in few(peek.members)),
    )
    return Form(opening, closing, parts, count)


def ndarray(peek: Peek, sight: Sight) -> Form | None:
    """Write a numpy array with its shape and type, then its first elements."""
    if peek.layout != Layout.NDARRAY:
        return None
    shape = fit(sight.line(peek.attr("shape"), _SHAPE_WIDTH), _SHAPE_WIDTH)
    opening = f"{type_name(peek)}{shape} {_dtype(peek.attr('dtype'))} ["
    return Form(opening, "]", (("", value) for value in few(peek.items)), peek.length)


def _dtype(value: Value) -> str:
    """Return the type of an array's elements as people write it: float64 for ``<f8``."""
    try:
        return str(np.dtype(value).name) if isinstance(value, str) else "?"
    except (TypeError, ValueError, SyntaxError):
        return word(value)
