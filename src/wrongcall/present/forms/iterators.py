"""Forms of iterators: how far they have come, and what is left.

``<list iterator, 2 of 5 taken, next: 7>``. What comes next is read off the container as it was at the
same time. An iterator that the recorder did not follow is written by its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from wrongcall.events import Layout
from wrongcall.present.forms.form import Form, Sight, type_name
from wrongcall.present.text import safe
from wrongcall.recording import UNSET, Clipped, Ref, Value
from wrongcall.replay.heap import SEQUENCES, Peek

_Kind: TypeAlias = Callable[[str, Peek, Sight], Form]


def iterator(peek: Peek, sight: Sight) -> Form | None:
    """Write an iterator of a builtin container or of itertools."""
    if peek.layout not in (Layout.INSTANCE, Layout.OPAQUE):
        return None
    if peek.type.module == "itertools":
        write = _ITERTOOLS.get(peek.type.qualname, _others)
        return write(f"itertools.{type_name(peek)}", peek, sight)
    known = _BUILTINS.get(peek.type.qualname)
    if known is None or peek.type.module not in ("builtins", "collections", "_collections"):
        return None
    return known[1](known[0], peek, sight)


def _form(kind: str, facts: list[str], parts: list[tuple[str, Value]]) -> Form:
    """Return ``<kind, facts, parts>``; what is unset is left out."""
    parts = [(name, value) for name, value in parts if value is not UNSET]
    opening = ", ".join(["<" + kind, *facts])
    return Form(opening + (", " if parts else ""), ">", parts, len(parts))


def _is_exhausted(peek: Peek) -> bool:
    return peek.attr("exhausted") is True


# -- by index ---------------------------------------------------------------------------------------


def _items(of: Value, sight: Sight) -> tuple[int, Callable[[int], Value]] | None:
    """Return how many items a sequence has and how to get one, if they are known."""
    if isinstance(of, str | bytes):
        return len(of), lambda at: of[at : at + 1] if isinstance(of, str) else of[at]
    if isinstance(of, Clipped):
        return of.length, lambda _at: UNSET
    if not isinstance(of, Ref):
        return None
    peek = sight.peek(of.oid)
    if peek.layout not in SEQUENCES or not peek.explored:
        return None
    return peek.length, lambda at: next(iter(peek.items(at, at + 1)), UNSET)


def _by_index(kind: str, peek: Peek, sight: Sight) -> Form:
    return _indexed(kind, peek, sight, lambda position, _length: position)


def _backwards(kind: str, peek: Peek, sight: Sight) -> Form:
    return _indexed(kind, peek, sight, lambda position, length: length - 1 - position)


def _indexed(kind: str, peek: Peek, sight: Sight, taken: Callable[[int, int], int]) -> Form:
    of, position = peek.attr("of"), peek.attr("position")
    if _is_exhausted(peek) or not isinstance(position, int):
        return _form(kind, ["exhausted"] if _is_exhausted(peek) else [], [])
    items = _items(of, sight)
    if items is None:
        return _form(kind, [f"position {position:,}"], [("of: ", of)])
    length, item = items
    if not 0 <= position < length:  # it ends at the next item, or has become too short
        return _form(kind, ["nothing left"], [])
    facts = [f"{taken(position, length):,} of {length:,} taken"]
    return _form(kind, facts, [("next: ", item(position))])


# -- by what is left ----------------------------------------------------------------------------------


def _by_left(kind: str, peek: Peek, sight: Sight) -> Form:
    left, of = peek.attr("left"), peek.attr("of")
    if peek.attr("changed") is True:
        return _form(kind, ["its container changed size"], [])
    if _is_exhausted(peek) or left == 0:
        return _form(kind, ["exhausted"], [])
    if not isinstance(left, int):
        return _form(kind, [], [])
    size = _size(sight.peek(of.oid)) if isinstance(of, Ref) else 0
    facts = [f"{size - left:,} of {size:,} taken" if size >= left else f"{left:,} left"]
    return _form(kind, facts, [("next: ", peek.attr("next"))])


def _size(peek: Peek) -> int:
    _, _, entries, members = peek.counts
    return (peek.length + entries + members) if peek.explored else 0


# -- of other iterators -------------------------------------------------------------------------------


def _enumerate(kind: str, peek: Peek, _sight: Sight) -> Form:
    count = peek.attr("count")
    return _form(
        kind, [f"count {count}"] if isinstance(count, int) else [], [("", peek.attr("of"))]
    )


def _others(kind: str, peek: Peek, _sight: Sight) -> Form:
    """Write the parts that are known, each with its name; what is taken from needs none."""
    facts = ["exhausted"] if _is_exhausted(peek) else []
    unnamed = {"of", "first", "second", "third", "fourth"}
    parts = [
        ("" if name in unnamed else f"{safe(name)}: ", value)
        for name, value in peek.attrs()
        if name != "exhausted" and not name.startswith("__")
    ]
    return _form(kind, facts, parts)


def _count(kind: str, peek: Peek, _sight: Sight) -> Form:
    """Write a counter as its repr does: ``count(10, 2)``."""
    start, step = peek.attr("next"), peek.attr("step")
    if start is UNSET:
        return _form(kind, [], [])
    parts = [("", start)] if step == 1 and isinstance(step, int) else [("", start), ("", step)]
    return Form("count(", ")", parts, len(parts))


def _repeat(kind: str, peek: Peek, _sight: Sight) -> Form:
    element, left = peek.attr("element"), peek.attr("left")
    if element is UNSET:
        return _form(kind, [], [])
    parts = [("", element)] if left is UNSET else [("", element), ("", left)]
    return Form("repeat(", ")", parts, len(parts))


_ITERTOOLS: dict[str, _Kind] = {"count": _count, "repeat": _repeat}

_BUILTINS: dict[str, tuple[str, _Kind]] = {
    "list_iterator": ("list iterator", _by_index),
    "list_reverseiterator": ("reversed list", _backwards),
    "tuple_iterator": ("tuple iterator", _by_index),
    "str_iterator": ("str iterator", _by_index),
    "str_ascii_iterator": ("str iterator", _by_index),
    "bytes_iterator": ("bytes iterator", _by_index),
    "bytearray_iterator": ("bytearray iterator", _by_index),
    "iterator": ("iterator", _by_index),
    "reversed": ("reversed", _backwards),
    "dict_keyiterator": ("dict key iterator", _by_left),
    "dict_valueiterator": ("dict value iterator", _by_left),
    "dict_itemiterator": ("dict item iterator", _by_left),
    "dict_reversekeyiterator": ("reversed dict keys", _by_left),
    "dict_reversevalueiterator": ("reversed dict values", _by_left),
    "dict_reverseitemiterator": ("reversed dict items", _by_left),
    "set_iterator": ("set iterator", _by_left),
    "_deque_iterator": ("deque iterator", _by_left),
    "range_iterator": ("range iterator", _by_left),
    "longrange_iterator": ("range iterator", _by_left),
    "enumerate": ("enumerate", _enumerate),
    "zip": ("zip", _others),
    "map": ("map", _others),
    "filter": ("filter", _others),
    "callable_iterator": ("callable iterator", _others),
}
