"""Python's operators, on Python's own values and on recorded ones, with bounded results."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sized
from typing import Any

from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.budget import MAX_WIDTH, check_bits, check_size
from wrongcall.languages.python.asked.recorded import COMPARISONS, Recorded, plain
from wrongcall.languages.python.asked.set_order import check_text

_REPEATED = (str, bytes, list, tuple, bytearray)
_WIDTH = re.compile(r"\d+")
_NUMBERS = frozenset({int, float, bool})
_SMALL = frozenset({"+", "-", "/", "//", "%", "&", "|", "^", ">>"})
"""Operators whose results are hardly longer than their operands."""
_SINGLE = (type(None), bool, type(...), type(NotImplemented))
_ATOMS = (int, float, complex, str, bytes)
_SMALL_INTS = range(-5, 257)
"""Every version of CPython has one object for each of these."""


def binary(sign: str, left: object, right: object) -> Any:
    """Apply a binary operator."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS and sign in _SMALL:
        return _BINARY[sign](left, right)
    one, other = plain(left, sign), plain(right, sign)
    check = _CHECKS.get(sign)
    if check is not None:
        check(one, other)
    made = _BINARY[sign](one, other)
    if isinstance(made, int):
        check_bits(made.bit_length())
    return made


def _check_product(left: Any, right: Any) -> None:
    for one, times in ((left, right), (right, left)):
        if isinstance(one, _REPEATED) and isinstance(times, int):
            check_size(len(one) * max(times, 0))
    if isinstance(left, int) and isinstance(right, int):
        check_bits(left.bit_length() + right.bit_length())


def _check_power(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and right > 0 and abs(left) > 1:
        check_bits(left.bit_length() * right)


def _check_shift(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and left and right > 0:
        check_bits(left.bit_length() + right)


def _check_sum(left: Any, right: Any) -> None:
    if isinstance(left, Sized) and isinstance(right, Sized):
        check_size(len(left) + len(right))


def _check_remainder(left: Any, right: Any) -> None:
    if isinstance(left, str | bytes):
        text = left if isinstance(left, str) else left.decode("latin-1")
        if "*" in text:
            raise NotKnownError("not evaluated: a format with '*'; use an f-string")
        check_width(text)
        check_text(right)


def check_width(text: str) -> None:
    """Refuse formats that pad to very many columns."""
    if any(len(digits) > 6 or int(digits) > MAX_WIDTH for digits in _WIDTH.findall(text)):
        raise NotKnownError(f"not evaluated: a format wider than {MAX_WIDTH:,} columns")


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "@": operator.matmul,
}
_CHECKS = {
    "+": _check_sum,
    "*": _check_product,
    "**": _check_power,
    "<<": _check_shift,
    "%": _check_remainder,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
}


def unary(sign: str, value: object) -> Any:
    """Apply a unary operator."""
    if sign == "not":
        return not value
    return _UNARY[sign](plain(value, sign))


def compare(sign: str, left: object, right: object) -> Any:
    """Compare two values."""
    if sign in ("is", "is not"):
        return same(left, right) == (sign == "is")
    if sign in ("in", "not in"):
        return contains(right, left) == (sign == "in")
    return COMPARISONS[sign](left, right)


def contains(holder: object, value: object) -> bool:
    """Return whether a container has a value."""
    opened = plain(holder, "in")
    if isinstance(opened, range) and not isinstance(value, int):
        check_size(len(opened))
    if isinstance(value, Recorded) and isinstance(opened, str | bytes):
        value = value.plain("in")
    return value in opened


class Named:
    """A builtin function or a type: it is the same as another one of its name."""

    def __or__(self, other: object) -> Any:
        raise NotKnownError("not evaluated: a union of types; use a tuple: (int, str)")

    __ror__ = __or__


def same(one: object, other: object) -> bool:
    """Return whether two values are one object.

    Equal atoms are one object here or not, as this interpreter likes; that says nothing about the program's.
    """
    if type(one) is type(other) and type(one) in _ATOMS:
        return _same_atom(one, other)
    if one is other:
        return True
    if isinstance(one, Named):
        return bool(one == other)
    if isinstance(one, Recorded) or isinstance(other, Recorded):
        return _same_recorded(one, other)
    if type(one) is not type(other) or isinstance(one, _SINGLE):
        return False
    return False


def _same_atom(one: object, other: object) -> bool:
    if type(one) is int and one in _SMALL_INTS:
        return one == other
    if one == other or (one != one and other != other):
        raise NotKnownError("whether equal numbers or texts are one object is not recorded")
    return False


def _same_recorded(one: object, other: object) -> bool:
    for each in (one, other):
        if isinstance(each, Recorded) and not each.oid:
            each.plain("is")  # not recorded
    if isinstance(one, Recorded) and isinstance(other, Recorded):
        return one.oid == other.oid
    return False


def subscript(base: object, key: object) -> Any:
    """Return an element, or a slice."""
    if isinstance(base, Recorded) and not isinstance(key, slice):
        return base.item(key)
    holder = plain(base, "a subscript")
    if isinstance(key, slice):
        parts = (plain(part, "a slice") for part in (key.start, key.stop, key.step))
        return holder[slice(*parts)]
    return holder[key if isinstance(holder, dict) else plain(key, "use as an index")]
