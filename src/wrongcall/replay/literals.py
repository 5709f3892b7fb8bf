"""Values of library types in source notation: ``Decimal('1.5')``, ``Color.RED``, ``PosixPath('/a')``.

The recorder stores such values as *bookkeeping parts* (see `heap.BOOKKEEPING`) of their objects, which are not shown on
their own. Nothing of the program runs: the text is made from what is known about the exact type. A value that is not
known well enough has no literal.
"""

from __future__ import annotations

import ipaddress
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath

import numpy as np

from wrongcall.events import Layout
from wrongcall.languages.paths import plain
from wrongcall.replay.heap import ObjectState, Peek
from wrongcall.trace.format.program_tables import Type
from wrongcall.trace.read.values import UNSET, Missing, Ref, Value

_PATHS = {"__posix_path__": PurePosixPath, "__windows_path__": PureWindowsPath}
_INTEGERS = ("int8", "int16", "int32", "int64", "intc", "longlong")
_FLOATS = ("float16", "float32", "float64", "longdouble", "float128")
_COMPLEX = ("complex64", "complex128", "clongdouble", "complex256")
_NUMPY_SCALARS = frozenset(
    {
        *("bool", "bool_", "datetime64", "timedelta64", "str_", "bytes_"),
        *(*_INTEGERS, *(f"u{name}" for name in _INTEGERS), *_FLOATS, *_COMPLEX),
    }
)
_VALUES: dict[str, frozenset[str]] = {
    "datetime": frozenset({"date", "datetime", "time", "timedelta", "timezone"}),
    "zoneinfo": frozenset({"ZoneInfo"}),
    "decimal": frozenset({"Decimal"}),
    "fractions": frozenset({"Fraction"}),
    "uuid": frozenset({"UUID"}),
    "re": frozenset({"Pattern"}),
    "ipaddress": frozenset({"IPv4Address", "IPv6Address"}),
    "numpy": _NUMPY_SCALARS,
}
_PATH_TYPES = frozenset({"PurePosixPath", "PosixPath", "PureWindowsPath", "WindowsPath"})
_ADDRESSES = {"IPv4Address": ipaddress.IPv4Address, "IPv6Address": ipaddress.IPv6Address}
_NETWORKS = frozenset({("ipaddress", "IPv4Network"), ("ipaddress", "IPv6Network")})
_PARTLY_KNOWN = frozenset(
    {
        ("builtins", "memoryview"),
        ("_contextvars", "ContextVar"),
        ("_contextvars", "Token"),
        ("functools", "_lru_cache_wrapper"),
    }
)
_STATEFUL_MODULES = frozenset(
    {
        *("_asyncio", "_contextvars", "_csv", "_hashlib", "_io", "_queue", "_random", "_socket"),
        *("_struct", "_thread", "asyncio", "itertools", "queue", "threading", "weakref"),
    }
)
"""Modules whose objects have a state that is read only partly, or not always."""
_FLAGS = (
    *("TEMPLATE", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL"),
    *("UNICODE", "VERBOSE", "DEBUG", "ASCII"),
)
"""The flags of `re`, by their bits."""
_KINDS_OF_TEXT = re.LOCALE | re.UNICODE | re.ASCII
_LONGEST_PATTERN = 200
_BIG = 1 << 2000
_NOT_A_TIME = -(1 << 63)


@dataclass(frozen=True)
class Literal:
    """A value as text, around the values that it refers to."""

    opening: str
    parts: tuple[tuple[str, Value], ...] = ()
    """Each with the text before it; they are separated by commas."""
    closing: str = ""


Look = Callable[[int], Peek]
"""Peeks into an object at the time of the value."""


def is_frozen_dict(type: Type) -> bool:
    """Return whether this is the builtin frozendict (from 3.15 on), which is laid out as a dict."""
    return (type.module, type.qualname) == ("builtins", "frozendict")


def is_value_type(type: Type) -> bool:
    """Return whether objects of exactly this type never change and are compared by value alone."""
    if type.module.partition(".")[0] == "pathlib":
        return type.qualname in _PATH_TYPES
    return type.qualname in _VALUES.get(type.module, ())


def is_partly_known(state: ObjectState) -> bool:
    """Return whether objects that look alike may differ in something that the recorder could not read."""
    if state.layout != Layout.INSTANCE:
        return False
    module = state.type.module
    if (module, state.type.qualname) in _PARTLY_KNOWN or module in _STATEFUL_MODULES:
        return True
    return not state.attrs and (is_value_type(state.type) or module == "builtins")


def literal(peek: Peek, look: Look) -> Literal | None:
    """Return a value in source notation, or None if it has none or is not known well enough."""
    if peek.layout not in (Layout.INSTANCE, Layout.SCALAR, Layout.TUPLE) or not peek.explored:
        return None
    return (
        _enum_member(peek)
        or _repr(peek)
        or _path(peek, look)
        or _network(peek, look)
        or _by_type(peek)
    )


def _by_type(peek: Peek) -> Literal | None:
    if not is_value_type(peek.type):
        return None
    if peek.type.module == "numpy":
        text = _numpy_text(peek)
    else:
        write = _BY_TYPE.get(peek.type.qualname)
        text = write(peek) if write else None
    return None if text is None else Literal(text)


# -- how any of them is written ----------------------------------------------------------------------


def _enum_member(peek: Peek) -> Literal | None:
    """Write a member of an enum as ``Color.RED``, a combination of flags as ``Perm.R|W``."""
    name, value = peek.attr("_name_"), peek.attr("_value_")
    if value is UNSET:
        return None
    if isinstance(name, str):
        return Literal(f"{_name(peek)}.{plain(name)}")
    return Literal(f"{_name(peek)}(", (("", value),), ")") if name is None else None


def _repr(peek: Peek) -> Literal | None:
    """Write a date or number as its type does; for a subclass, with the name of that class."""
    text = peek.attr("__repr__")
    if not isinstance(text, str):
        return None
    own = _own(peek)
    if is_value_type(peek.type):
        opening = text
    else:
        _, bracket, rest = text.partition("(")
        opening = _name(peek) + bracket + rest if bracket else text
    if not own or not opening.endswith(")"):
        return Literal(opening)
    return Literal(f"{opening[:-1]}, ", own, ")")


def _path(peek: Peek, look: Look) -> Literal | None:
    """Write a pathlib path, joined from its parts."""
    for name, flavour in _PATHS.items():
        held = peek.attr(name)
        segments = look(held.oid).items() if isinstance(held, Ref) else None
        if segments is None:
            continue
        texts = [part for part in segments if isinstance(part, str)]
        if len(texts) < len(segments):
            return None
        own = _own(peek)
        text = f"{_name(peek)}({flavour(*texts).as_posix()!r}"
        return Literal(f"{text}, ", own, ")") if own else Literal(f"{text})")
    return None


def _network(peek: Peek, look: Look) -> Literal | None:
    """Write an ipaddress network; its other attributes are caches."""
    base, size = peek.attr("network_address"), peek.attr("_prefixlen")
    if (peek.type.module, peek.type.qualname) not in _NETWORKS or not isinstance(base, Ref):
        return None
    text = _address_text(look(base.oid))
    if text is None or not isinstance(size, int):
        return None
    return Literal(f"{_name(peek)}('{text}/{size}')")


def _own(peek: Peek) -> tuple[tuple[str, Value], ...]:
    """Return what an object has besides its value: a time zone, attributes of a subclass."""
    return tuple((f"{plain(name)}=", value) for name, value in peek.attrs())


def _name(peek: Peek) -> str:
    return plain(peek.type.qualname)


# -- by type -----------------------------------------------------------------------------------------


def _fraction(peek: Peek) -> str | None:
    over, under = peek.attr("_numerator"), peek.attr("_denominator")
    if not isinstance(over, int) or not isinstance(under, int):
        return None
    return f"Fraction({_digits(over)}, {_digits(under)})"


def _digits(number: int) -> str:
    # Python refuses to convert very large numbers to decimal digits.
    return str(number) if -_BIG < number < _BIG else hex(number)


def _uuid(peek: Peek) -> str | None:
    number = peek.attr("int")
    if not isinstance(number, int) or not 0 <= number < 1 << 128:
        return None
    return repr(uuid.UUID(int=number))


def _zone(peek: Peek) -> str | None:
    key = peek.attr("key")
    return f"zoneinfo.ZoneInfo(key={key!r})" if isinstance(key, str) else None


def _address(peek: Peek) -> str | None:
    text = _address_text(peek)
    return None if text is None else f"{_name(peek)}({text!r})"


def _address_text(peek: Peek) -> str | None:
    number, scope = peek.attr("_ip"), peek.attr("_scope_id")
    made = _ADDRESSES.get(peek.type.qualname) if peek.type.module == "ipaddress" else None
    if made is None or not isinstance(number, int):
        return None
    try:
        text = str(made(number))
    except ipaddress.AddressValueError:
        return None
    return f"{text}%{scope}" if isinstance(scope, str) else text


def _pattern(peek: Peek) -> str | None:
    """Write a pattern as its own repr does: the first characters, and the flags by name."""
    source, flags = peek.attr("pattern"), peek.attr("flags")
    if not isinstance(source, str | bytes) or not isinstance(flags, int):
        return None
    if isinstance(source, str) and flags & _KINDS_OF_TEXT == re.UNICODE:
        flags &= ~re.UNICODE  # the default for str patterns
    names = [f"re.{name}" for i, name in enumerate(_FLAGS) if flags >> i & 1]
    if flags >> len(_FLAGS):
        names.append(hex(flags >> len(_FLAGS) << len(_FLAGS)))
    text = repr(source)[:_LONGEST_PATTERN]
    return f"re.compile({', '.join([text, '|'.join(names)] if names else [text])})"


_BY_TYPE: dict[str, Callable[[Peek], str | None]] = {
    "Fraction": _fraction,
    "UUID": _uuid,
    "ZoneInfo": _zone,
    "Pattern": _pattern,
    "IPv4Address": _address,
    "IPv6Address": _address,
}


# -- numpy -------------------------------------------------------------------------------------------


def _numpy_text(peek: Peek) -> str | None:
    """Write a numpy scalar as numpy 2 does: ``np.float32(0.1)``."""
    if peek.attr("unit") == "generic":  # constructing such a time makes numpy warn
        number = peek.attr("__value__")
        shown = "NaT" if number == _NOT_A_TIME else number
        return f"np.{_name(peek)}({shown!r})"
    value = _numpy_value(peek)
    if value is None:
        return None
    if isinstance(value, np.bool_):
        return f"np.{value}_"
    text = repr(value)
    return text if text.startswith("np.") else f"np.{plain(peek.type.qualname)}({text})"


def _numpy_value(peek: Peek) -> np.generic | None:
    value, unit, data = (peek.attr(name) for name in ("__value__", "unit", "__data__"))
    if isinstance(value, Missing | Ref) and not isinstance(data, bytes):
        return None
    try:
        made = getattr(np, plain(peek.type.qualname), None)
        if made is None or not issubclass(made, np.generic):
            return None
        if isinstance(data, bytes):
            found = np.frombuffer(data, made)
            return found[0] if len(found) == 1 else None
        scalar: np.generic = made(value, unit) if isinstance(unit, str) else made(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return scalar
