"""The methods and attributes of builtin types that an expression can use: those that change nothing.

Results that could be much longer than what they are made of are refused before they are made.
"""

from __future__ import annotations

from collections import deque
from string import Formatter
from typing import Any

from wrongcall.errors import NotKnownError
from wrongcall.events import Layout
from wrongcall.languages.python.asked.budget import Budget, check_size
from wrongcall.languages.python.asked.operators import check_width
from wrongcall.languages.python.asked.pure_calls import Pure, TypeOf, elements, in_order, is_builtin
from wrongcall.languages.python.asked.recorded import Recorded, plain
from wrongcall.languages.python.asked.set_order import check_text, is_unordered

_TEXT = frozenset(
    {
        *("capitalize", "center", "count", "endswith", "expandtabs", "find", "index", "isalnum"),
        *("isalpha", "isascii", "isdigit", "islower", "isspace", "istitle", "isupper", "join"),
        *("ljust", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "replace"),
        *("rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines"),
        *("startswith", "strip", "swapcase", "title", "upper", "zfill"),
    }
)
_SETS = frozenset(
    {
        *("copy", "difference", "intersection", "isdisjoint", "issubset", "issuperset"),
        *("symmetric_difference", "union"),
    }
)
METHODS: dict[type, frozenset[str]] = {
    str: _TEXT
    | {"casefold", "encode", "format", "isdecimal", "isidentifier", "isnumeric", "isprintable"},
    bytes: _TEXT | {"decode", "hex"},
    bytearray: _TEXT | {"decode", "hex", "copy"},
    list: frozenset({"copy", "count", "index"}),
    tuple: frozenset({"count", "index"}),
    deque: frozenset({"copy", "count", "index"}),
    range: frozenset({"count", "index"}),
    dict: frozenset({"copy", "get", "items", "keys", "values"}),
    set: _SETS,
    frozenset: _SETS,
    bool: frozenset({"bit_count", "bit_length", "conjugate", "as_integer_ratio"}),
    int: frozenset({"bit_count", "bit_length", "conjugate", "as_integer_ratio"}),
    float: frozenset({"as_integer_ratio", "conjugate", "hex", "is_integer"}),
    complex: frozenset({"conjugate"}),
    type(None): frozenset(),
}
"""The methods that can be called, by type."""
_PADDED = frozenset({"center", "expandtabs", "ljust", "rjust", "zfill"})
_ATTRIBUTES: dict[type, frozenset[str]] = {
    **dict.fromkeys((bool, int), frozenset({"real", "imag", "numerator", "denominator"})),
    **dict.fromkeys((float, complex), frozenset({"real", "imag"})),
    **dict.fromkeys((range, slice), frozenset({"start", "stop", "step"})),
    deque: frozenset({"maxlen"}),
}


def attribute(value: object, name: str) -> Any:
    """Return an attribute of a value."""
    if isinstance(value, Recorded):
        return value.attribute(name)
    if isinstance(value, TypeOf | Pure):
        return _type_attribute(value, name)
    if name in _ATTRIBUTES.get(type(value), ()):
        return getattr(value, name)
    if hasattr(value, name):
        raise NotKnownError(f"{type(value).__name__}.{name} is not evaluated, except in a call")
    raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")


def _type_attribute(value: TypeOf | Pure, name: str) -> str:
    qualname = value.qualname if isinstance(value, TypeOf) else value.name
    found = {"__name__": qualname.rpartition(".")[2], "__qualname__": qualname}
    if name not in found:
        raise NotKnownError(f"only __name__ of a type is known, not {name}")
    return found[name]


def call_method(budget: Budget, value: object, name: str, args: list[Any], named: Any) -> Any:
    """Call a method of a builtin type."""
    if isinstance(value, Pure) and value.type is not None and args:
        if not is_builtin(args[0], value.type):  # bytes.fromhex(x)
            raise NotKnownError(
                f"{value.name}.{name} is not among the methods that can be called here"
            )
        return call_method(budget, args[0], name, args[1:], named)  # str.upper(x)
    if (
        name == "get"
        and isinstance(value, Recorded)
        and value.layout == Layout.DICT
        and 1 <= len(args) <= 2
        and not named
    ):
        return value.get(*args)
    holder = plain(value, f"the method {name}")
    kind = next((each for each in type(holder).__mro__ if each in METHODS), object)
    if isinstance(holder, Recorded) or name not in METHODS.get(kind, ()):
        raise _refused(holder, name)
    budget.spend(_size(holder))
    given = [_argument(budget, kind, name, each) for each in args]
    _check(holder, name, given, named)
    return getattr(holder, name)(*given, **{key: plain(each, name) for key, each in named.items()})


def _refused(holder: object, name: str) -> Exception:
    if isinstance(holder, Recorded):
        return NotKnownError(
            f"{holder.qualname}.{name} is not a method of a builtin type: it does not run"
        )
    kind = type(holder).__name__
    if hasattr(holder, name):
        return NotKnownError(f"{kind}.{name} is not among the methods that can be called here")
    return AttributeError(f"{kind!r} object has no attribute {name!r}")


def _argument(budget: Budget, kind: type, name: str, value: Any) -> Any:
    if kind in (set, frozenset):
        return elements(budget, value)
    if name == "join":
        return list(in_order(budget, value))
    if name in ("count", "index") and kind in (list, tuple, deque):
        return value
    if name == "get":
        return value
    return plain(value, f"the method {name}")


def _check(holder: Any, name: str, args: list[Any], named: dict[str, Any]) -> None:
    """Refuse results that would be very long, or that format what is not known."""
    if name in _PADDED and args and isinstance(args[0], int):
        factor = _size(holder) if name == "expandtabs" else 1
        check_size(args[0] * max(factor, 1))
    elif name == "replace" and len(args) > 1 and all(isinstance(a, str | bytes) for a in args[:2]):
        check_size(_size(holder) + holder.count(args[0]) * len(args[1]))
    elif name == "join" and args:
        check_size(sum(_size(each) + _size(holder) for each in args[0]))
    elif name == "format":
        _check_format(holder, [*args, *named.values()])
    elif name == "splitlines" or (name in ("items", "values", "keys") and is_unordered(holder)):
        check_size(_size(holder))


def _check_format(text: str, values: list[Any]) -> None:
    for _, field, spec, _ in Formatter().parse(text):
        if field and ("." in field or "[" in field):
            raise NotKnownError("not evaluated: attributes in str.format; use an f-string")
        if spec and "{" in spec:
            raise NotKnownError("not evaluated: nested fields in str.format; use an f-string")
        check_width(spec or "")
    for value in values:
        check_text(value)


def _size(value: object) -> int:
    return len(value) if isinstance(value, str | bytes | bytearray | list | tuple | dict) else 1
